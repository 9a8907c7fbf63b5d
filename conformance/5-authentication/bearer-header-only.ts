import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import type {
  CastName,
  GuardedEndpoint,
  RequirementId,
} from '../../src/spec/requirements/index.ts';
import { assertForbidden, type ForbiddenRequest } from '../shared/forbidden-requests.ts';
import type { RequestOverrides } from '../shared/endpoint-operations.ts';
import { decodedOwnToken } from './token-fixtures.ts';

/** Ways to send a good token that are not the one the document has. How a stream takes it is open. */
const elsewhere = (
  token: string,
): readonly {
  readonly what: string;
  readonly requirement: RequirementId;
  readonly overrides: RequestOverrides;
}[] => {
  const scheme = (word: string) => ({
    what: word === '' ? 'a token under no scheme' : `a token under the scheme ${word.trim()}`,
    requirement: 'auth.other-scheme-refused' as const,
    overrides: {
      credential: { label: 'under another scheme' },
      headers: { authorization: `${word}${token}` },
    },
  });
  const placed = (what: string, overrides: Omit<RequestOverrides, 'credential'>) => ({
    what,
    requirement: 'auth.bearer-header' as const,
    overrides: { ...overrides, credential: { label: 'in another place' } },
  });
  return [
    scheme('Basic '),
    scheme('Token '),
    scheme(''),
    placed('a token in a header of another name', { headers: { 'x-access-token': token } }),
    placed('a token in a cookie', { headers: { cookie: `access_token=${token}; token=${token}` } }),
    placed('a token in the query', { query: { access_token: token } }),
  ];
};

const places: readonly { readonly by: CastName; readonly endpoint: GuardedEndpoint }[] = [
  { by: 'sender', endpoint: 'identity.read' },
  { by: 'sender', endpoint: 'order.list' },
  { by: 'sender_custodian', endpoint: 'order.list' },
  { by: 'maker_a', endpoint: 'quote.list' },
  { by: 'maker_a', endpoint: 'rfq.list' },
];

export const bearerHeaderChecks: readonly Check[] = places.map(({ by, endpoint }) =>
  defineCheck({
    id: `auth.scheme.${endpoint}.${by}`,
    title: `${endpoint} takes ${by}'s token from the bearer header, and from nowhere else.`,
    requirements: ['auth.other-scheme-refused', 'auth.bearer-header'],
    needs: { parties: [by] },
    async run(t: CheckContext) {
      // Its own, whoever issued it: a backend need not issue any itself (5.5).
      await decodedOwnToken(t, by);
      const negatives = elsewhere(t.party(by).token).map(
        (one): ForbiddenRequest => ({ ...one, by, endpoint }),
      );
      await assertForbidden(t, {}, negatives, [
        { by, endpoint, requirements: ['auth.bearer-header'] },
      ]);
    },
  }),
);
