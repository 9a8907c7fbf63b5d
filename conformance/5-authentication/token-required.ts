import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { changedAnywhere, forgeries } from '../../src/suite/actions/token-forgery.ts';
import { createOrder } from '../../src/suite/actions/orders.ts';
import { type Fields, describeExchange, succeeded } from '../../src/protocol/answers.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { concurrently } from '../../src/suite/actions/context.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  cast,
  type GuardedEndpoint,
  guardedEndpoints,
  type CastName,
  type RequirementId,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import {
  sendForbidden,
  servedRequirement,
  changesOrder,
  changesState,
  type Fixture,
  isFor,
  partyOfRole,
  firstStageOf,
  fixtureAt,
  needsAt,
  narrowedQueries,
  topLevelListsOf,
  type RequestOverrides,
  sendRequest,
  partiesAt,
} from '../shared/endpoint-requests.ts';
import {
  badTokenRequirements,
  badTokens,
  basicForgeries,
  everyBadToken,
  forgeryRequirements,
  issueToken,
  type IssuedToken,
  requestsWith,
  takeTurn,
  decodedOwnToken,
  justExpired,
  type MintToken,
  tokenMinter,
} from './tokens.ts';
import { rows, waits } from '../shared/waits.ts';
import type { Credential } from '../../src/client/contract.ts';
import { openSecondStream, requireSeveralStreams } from '../shared/order-states.ts';

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

const credentials = async (t: CheckContext, by: CastName): Promise<readonly Credential[]> => [
  ...badTokens(await decodedOwnToken(t, by), basicForgeries, 0),
  ...(t.target.signing ? [await justExpired(t, by)] : []),
];

/** 5.1, 5.4: a list that is filtered, and a further page of it, want a good token like the whole list. */
const lists = roles.map<Check>((role) => {
  const by = partyOfRole[role];
  return {
    id: `auth.narrowed.${role}`,
    title: `Lists of a ${role}, filtered or on a further page, are refused without a good token.`,
    requirements: [
      ...badTokenRequirements(topLevelListsOf(role), basicForgeries),
      'auth.expired-token-401',
    ],
    needs: { parties: [by] },
    async run(t) {
      const party = t.party(by);
      const all = await credentials(t, by);
      for (const endpoint of topLevelListsOf(role)) {
        for (const query of await narrowedQueries(t, by, endpoint)) {
          await party.call(endpoint, { query });
          for (const credential of all) await party.call(endpoint, { query, credential });
        }
      }
    },
  };
});

const streams = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `auth.limited-stream.${by}`,
  title: `A stream of ${by} that is limited to one order is refused without a good token.`,
  requirements: [
    ...badTokenRequirements(['order.events'], basicForgeries),
    'auth.expired-token-401',
  ],
  needs: { parties: ['sender', by] },
  async run(t) {
    const { intentId } = await createOrder(t);
    const open = await openSecondStream(t, by, { intentId });
    await open.close();
    for (const credential of await credentials(t, by)) {
      const stream = await t.party(by).listen({ intentId, credential });
      if (stream.isOpen) await stream.close();
    }
  },
}));

/** 5.4, 6: a stream opens with each good token, as other endpoints do. */
const olderTokens = roles.map<Check>((role) => {
  const by = partyOfRole[role];
  return {
    id: `auth.older-token.stream.${by}`,
    title: `A stream of ${by} opens with a good token though its backend has issued a newer one.`,
    requirements: ['auth.token-lasts-until-expiry'],
    needs: { parties: [by] },
    async run(t) {
      requireSeveralStreams(t);
      const endpoint = role === 'market-maker' ? 'maker.events' : 'order.events';
      const open = ({ credential }: IssuedToken) =>
        sendRequest(t, by, endpoint, {}, { credential });
      // Nobody else gets a token meanwhile: the newer one stays the last.
      await t.exclusively(async () => {
        const [older, newer] = [await issueToken(t, by), await issueToken(t, by)];
        if (!succeeded(await open(newer))) return;
        const opened = await open(older);
        // No limit on streams was the reason if the newer token opens one again (gap `stream.per_party`).
        if (!succeeded(opened) && !succeeded(await open(newer))) return;
        const what = 'a stream with a token that a newer one followed';
        assertAllowed(t, 'auth.token-lasts-until-expiry', opened, what);
      });
    },
  };
});

export const badTokenListChecks: readonly Check[] = [...lists, ...streams, ...olderTokens];

/** Ways to send a good token that are not the document's. */
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

const headerPlaces = [
  { by: 'sender', endpoint: 'identity.read' },
  { by: 'sender', endpoint: 'order.list' },
  { by: 'sender_custodian', endpoint: 'order.list' },
  { by: 'maker_a', endpoint: 'quote.list' },
  { by: 'maker_a', endpoint: 'rfq.list' },
] as const;

export const bearerHeaderChecks = headerPlaces.map<Check>(({ by, endpoint }) => ({
  id: `auth.scheme.${endpoint}.${by}`,
  title: `${endpoint} takes ${by}'s token from the bearer header, and from nowhere else.`,
  requirements: ['auth.other-scheme-refused', 'auth.bearer-header', servedRequirement],
  needs: { parties: [by] },
  async run(t) {
    // The party's own token, of any issuer: a backend need not issue tokens itself (5.5).
    await decodedOwnToken(t, by);
    const requests = otherWays(t.party(by).token).map((overrides) => ({ by, endpoint, overrides }));
    await sendForbidden(t, {}, requests, [{ by, endpoint }]);
  },
}));

interface Flaw {
  /** Its beginning tells the rules which requirement must refuse the token. */
  readonly label: string;
  /** Claims that replace the good ones; undefined removes one. */
  readonly claims: Fields;
}

const flaws: Readonly<Partial<Record<RequirementId, readonly Flaw[]>>> = {
  'auth.wrong-issuer-refused': [
    { label: 'wrong issuer (another)', claims: { iss: 'svc2' } },
    { label: 'wrong issuer (in capitals)', claims: { iss: 'SVC' } },
    { label: 'wrong issuer (none)', claims: { iss: undefined } },
  ],
  'auth.wrong-audience-refused': [
    { label: 'wrong audience (another)', claims: { aud: 'svc' } },
    { label: 'wrong audience (one that begins alike)', claims: { aud: 'svc-api2' } },
    { label: 'wrong audience (others in a list)', claims: { aud: ['a', 'b'] } },
    { label: 'wrong audience (none)', claims: { aud: undefined } },
  ],
  'auth.no-expiry-refused': [{ label: 'no expiry', claims: { exp: undefined } }],
};
const allFlaws = Object.values(flaws).flat();

/** Tokens that a backend may refuse or accept (gap `token.role_claim`): sent to learn its answer, not to be judged. */
const roleClaims: readonly Flaw[] = [
  { label: 'no role', claims: { role: undefined } },
  { label: 'unknown role', claims: { role: 'auditor' } },
];

const places: Readonly<Record<Role, readonly GuardedEndpoint[]>> = {
  institution: ['identity.read', 'order.list', 'order.create', 'order.events'],
  custodian: ['identity.read', 'order.list', 'stats.read', 'order.events'],
  'market-maker': ['identity.read', 'rfq.list', 'quote.list', 'maker.events'],
};

async function mintAll(mint: MintToken, some: readonly Flaw[]): Promise<readonly Credential[]> {
  const minted: Credential[] = [];
  for (const { label, claims } of some) minted.push(await mint(label, claims));
  return minted;
}

/** Every other endpoint of a role, which may look at tokens in its own way: one flaw of each kind, in turn. */
async function tryOtherEndpoints(t: CheckContext, role: Role, mint: MintToken): Promise<void> {
  const by = partyOfRole[role];
  const { parties, clock } = t.target;
  const others = guardedEndpoints.filter(
    (endpoint) =>
      isFor(endpoint, role) &&
      !places[role].includes(endpoint) &&
      endpoints[endpoint].result !== 'stream',
  );
  for (const [index, endpoint] of others.entries()) {
    const stage = firstStageOf(endpoint);
    const isReady = partiesAt(stage).every((name) => name in parties);
    if (!isReady || (stage === 'settled' && clock.maxWaitMs < waits.settlement)) continue;
    if (stage === 'settled') t.allowWait(waits.settlement, 'a settlement');
    const turn = Object.values(flaws).flatMap((alike) => takeTurn(alike, index));
    const forbidden = requestsWith(by, endpoint, await mintAll(mint, turn));
    await sendForbidden(t, await fixtureAt(t, stage, endpoint), forbidden, [{ by, endpoint }]);
  }
}

export const wrongClaimChecks = roles.map<Check>((role) => ({
  id: `auth.wrong-claims.${role}`,
  title: `A ${role}'s token of the right key is still refused for its issuer, audience or missing expiry.`,
  requirements: [
    ...(Object.keys(flaws) as RequirementId[]),
    'auth.stream.bad-token-refused',
    'error.refusal-changes-nothing',
    servedRequirement,
  ],
  needs: { parties: [partyOfRole[role]], signing: true },
  // Dozens of calls, one after the other, and a settlement if there is time for one.
  takesMs: waits.settlement,
  async run(t) {
    const by = partyOfRole[role];
    const mint = await tokenMinter(t, by);
    const good = { credential: await mint('minted as it should be', {}) };
    const bad = await mintAll(mint, allFlaws);
    const ofRole = await mintAll(mint, roleClaims);
    const use = (endpoint: GuardedEndpoint) => (credential: Credential) => () =>
      sendRequest(t, by, endpoint, {}, { credential });
    await concurrently(t, ofRole.map(use('identity.read')));
    for (const endpoint of places[role]) {
      if (endpoints[endpoint].result !== 'stream') {
        const yes = await sendRequest(t, by, endpoint, {}, good);
        if (!succeeded(yes))
          t.notExercised(`a good token of the offered key: ${describeExchange(yes)}`, [yes]);
      }
      await concurrently(t, bad.map(use(endpoint)));
    }
    await tryOtherEndpoints(t, role, mint);
  },
}));
