import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import { createOrder } from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import { assertForbidden } from '../shared/forbidden-requests.ts';
import { changesState, type Fixture, isExtraWithheld } from '../shared/endpoint-operations.ts';
import { badTokens, badTokenRequests, basicForgeries, refusalRequirements } from './bad-tokens.ts';
import { decodedOwnToken } from './token-fixtures.ts';

/** Parties beside the first of their role, at whose backends a guard is forgotten easily. */
const others = [
  'outsider',
  'receiver_custodian',
  'outsider_custodian',
  'maker_b',
  'maker_c',
] as const;

/** On a request that all makers see; one that has quoted it may ask for its quotes there. */
const onRequest: readonly GuardedEndpoint[] = ['rfq.read', 'quote.submit', 'rfq.quotes'];

/** What anybody of a role may do on such a request, and on nothing, in the order of the document. */
const openTo = (role: Role): readonly GuardedEndpoint[] =>
  guardedEndpoints.filter((endpoint) => {
    const { path, result, roles } = endpoints[endpoint];
    const isFree = !path.includes('{') || onRequest.includes(endpoint);
    return isFree && result !== 'stream' && (roles as readonly Role[]).includes(role);
  });

export const otherPartyChecks: readonly Check[] = others.map((by) => {
  const role = cast[by];
  const places = openTo(role);
  return defineCheck({
    id: `auth.wanted-of.${by}`,
    title: `Every endpoint of ${by} wants a token of its own, with a signature that holds.`,
    requirements: [
      ...refusalRequirements(places, basicForgeries),
      'auth.fresh-token-accepted',
      ...(places.some(changesState) ? (['error.refusal-changes-nothing'] as const) : []),
    ],
    needs: { parties: [...new Set<CastName>(['sender', by])] },
    async run(t) {
      const token = await decodedOwnToken(t, by);
      const fixture: Fixture = role === 'market-maker' ? { order: await createOrder(t) } : {};
      for (const [index, endpoint] of places.entries()) {
        if (await isExtraWithheld(t, by, endpoint, fixture)) continue;
        const tokens = badTokens(token, { endpoint, kinds: basicForgeries, index });
        const good = { by, endpoint, requirements: ['auth.fresh-token-accepted'] as const };
        await assertForbidden(t, fixture, badTokenRequests(by, endpoint, tokens), [good]);
      }
    },
  });
});
