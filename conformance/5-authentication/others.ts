import { type Check, defineCheck } from '../../src/conformance/check.ts';
import { createOrder } from '../../src/conformance/moves/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/words.ts';
import { beside } from '../beside.ts';
import { acts, type Ground, isWithheld } from '../deeds.ts';
import { badTokens, negativesOf, plainest, refusalsAt } from './bad-tokens.ts';
import { ownToken } from './tokens.ts';

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
      ...refusalsAt(places, plainest),
      'auth.fresh-token-accepted',
      ...(places.some(acts) ? (['error.refusal-changes-nothing'] as const) : []),
    ],
    needs: { parties: [...new Set<CastName>(['sender', by])] },
    async run(trial) {
      const token = await ownToken(trial, by);
      const ground: Ground = role === 'market-maker' ? { order: await createOrder(trial) } : {};
      for (const [index, endpoint] of places.entries()) {
        if (await isWithheld(trial, by, endpoint, ground)) continue;
        const tokens = badTokens(token, { endpoint, kinds: plainest, index });
        const good = { by, endpoint, requirements: ['auth.fresh-token-accepted'] as const };
        await beside(trial, ground, negativesOf(by, endpoint, tokens), [good]);
      }
    },
  });
});
