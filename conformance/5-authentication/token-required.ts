import type { Check } from '../../src/suite/engine/check.ts';
import { changedAnywhere, createOrder, forgeries } from '../../src/suite/actions/index.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import { cast, type GuardedEndpoint, guardedEndpoints } from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';
import { sendForbidden, servedRequirement } from '../shared/forbidden-requests.ts';
import {
  changesOrder,
  changesState,
  type Fixture,
  isFor,
  partyOfRole,
} from '../shared/endpoint-operations.ts';
import { firstStageOf, fixtureAt, needsAt } from '../shared/order-stages.ts';
import {
  badTokenRequirements,
  badTokens,
  basicForgeries,
  everyBadToken,
  forgeryRequirements,
  requestsWith,
  takeTurn,
} from './bad-tokens.ts';
import { decodedOwnToken } from './token-fixtures.ts';
import { rows } from '../shared/check-table.ts';

/** The first role of an endpoint tries every kind of forgery, the others one kind each. */
const guarded = guardedEndpoints
  .flatMap((endpoint) =>
    endpoints[endpoint].roles.map((role, place) => ({ endpoint, role, isFirst: place === 0 })),
  )
  .map((row, index) => ({
    ...row,
    index,
    kinds: row.isFirst ? forgeries : takeTurn(forgeries, index),
  }));

/** 5.1: every endpoint but two wants a token, and takes none that was forged, altered or malformed. */
const wanted = guarded.map<Check>(({ endpoint, role, kinds, index }) => {
  const stage = firstStageOf(endpoint);
  const by = partyOfRole[role];
  return {
    id: `auth.token-required.${endpoint}.${role}`,
    title: `${endpoint} refuses a ${role} without a token or with a bad one, and serves it with a good one.`,
    requirements: [
      ...badTokenRequirements([endpoint], kinds),
      servedRequirement,
      ...(changesOrder(endpoint) ? (['error.refusal-changes-nothing'] as const) : []),
    ],
    needs: needsAt(stage, by),
    async run(t) {
      const fixture = await fixtureAt(t, stage, endpoint);
      const tokens = badTokens(await decodedOwnToken(t, by), kinds, index);
      await sendForbidden(t, fixture, requestsWith(by, endpoint, tokens), [{ by, endpoint }]);
    },
  };
});

/** Endpoints on a request that all makers see. A maker that has quoted it may list its quotes there. */
const onRequest: readonly GuardedEndpoint[] = ['rfq.read', 'quote.submit', 'rfq.quotes'];

/** Endpoints that any party of a role may call without an order of its own, in the order of the document. */
const openTo = (role: Role): readonly GuardedEndpoint[] =>
  guardedEndpoints.filter(
    (endpoint) =>
      (!endpoints[endpoint].path.includes('{') || onRequest.includes(endpoint)) &&
      endpoints[endpoint].result !== 'stream' &&
      isFor(endpoint, role),
  );

const otherParties = [
  'outsider',
  'receiver_custodian',
  'outsider_custodian',
  'maker_b',
  'maker_c',
] as const;

/** 5.1: the same at the backends of the other parties. */
const wantedOfOthers = otherParties.map<Check>((by) => {
  const role = cast[by];
  const places = openTo(role);
  return {
    id: `auth.token-required-other-party.${by}`,
    title: `Every endpoint of ${by} wants a token, and takes none with a bad signature.`,
    requirements: [
      ...badTokenRequirements(places, basicForgeries),
      servedRequirement,
      ...(places.some(changesState) ? (['error.refusal-changes-nothing'] as const) : []),
    ],
    needs: { parties: ['sender', by] },
    async run(t) {
      const token = await decodedOwnToken(t, by);
      const fixture: Fixture = role === 'market-maker' ? { order: await createOrder(t) } : {};
      for (const [index, endpoint] of places.entries()) {
        const tokens = badTokens(token, basicForgeries, index);
        await sendForbidden(t, fixture, requestsWith(by, endpoint, tokens), [{ by, endpoint }]);
      }
    },
  };
});

/** 5.1: every forged, altered, unsigned or malformed token that we know, where asking costs least. */
const everyForgery = rows(
  ['sender', 'identity.read'],
  ['sender_custodian', 'order.list'],
  ['maker_a', 'rfq.list'],
  ['maker_b', 'identity.read'],
).map<Check>(([by, endpoint], place) => ({
  id: `auth.every-forgery.${by}`,
  title: `${endpoint} of ${by} refuses every forged, altered, unsigned or malformed token.`,
  requirements: [...forgeryRequirements([endpoint]), servedRequirement],
  needs: { parties: [by] },
  async run(t) {
    const own = await decodedOwnToken(t, by);
    const tokens = [
      ...everyBadToken(own, t.target.signing?.publicKey),
      // All of them once, and a third each by the others.
      ...changedAnywhere(own, t.random).filter((_, n) => place === 0 || n % 3 === place - 1),
    ];
    await sendForbidden(t, {}, requestsWith(by, endpoint, tokens), [{ by, endpoint }]);
  },
}));

export const tokenRequiredChecks: readonly Check[] = [
  ...wanted,
  ...everyForgery,
  ...wantedOfOthers,
];
