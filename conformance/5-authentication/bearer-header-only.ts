import type { Check } from '../../src/suite/engine/check.ts';
import { sendForbidden, servedRequirement } from '../shared/forbidden-requests.ts';
import type { RequestOverrides } from '../shared/endpoint-operations.ts';
import { decodedOwnToken } from './token-fixtures.ts';

/** Ways to send a good token that are not the document's. The rules know each by how its label begins. */
const otherWays = (token: string): readonly RequestOverrides[] => [
  ...['Basic ', 'Token ', ''].map((scheme) => ({
    credential: { label: `other scheme (${scheme.trim() || 'none'})` },
    headers: { authorization: `${scheme}${token}` },
  })),
  { credential: { label: 'other place (header)' }, headers: { 'x-access-token': token } },
  {
    credential: { label: 'other place (cookie)' },
    headers: { cookie: `access_token=${token}; token=${token}` },
  },
  { credential: { label: 'other place (query)' }, query: { access_token: token } },
];

const places = [
  { by: 'sender', endpoint: 'identity.read' },
  { by: 'sender', endpoint: 'order.list' },
  { by: 'sender_custodian', endpoint: 'order.list' },
  { by: 'maker_a', endpoint: 'quote.list' },
  { by: 'maker_a', endpoint: 'rfq.list' },
] as const;

/** 5.1: a token counts in the bearer header, under no other scheme and in no other place. */
export const bearerHeaderChecks = places.map<Check>(({ by, endpoint }) => ({
  id: `auth.scheme.${endpoint}.${by}`,
  title: `${endpoint} takes ${by}'s token from the bearer header, and from nowhere else.`,
  requirements: ['auth.other-scheme-refused', 'auth.bearer-header', servedRequirement],
  needs: { parties: [by] },
  async run(t) {
    // The party's own token, of any issuer: a backend need not issue tokens itself (5.5).
    await decodedOwnToken(t, by);
    const requests = otherWays(t.party(by).token).map((overrides) => ({
      by,
      endpoint,
      overrides,
    }));
    await sendForbidden(t, {}, requests, [{ by, endpoint }]);
  },
}));
