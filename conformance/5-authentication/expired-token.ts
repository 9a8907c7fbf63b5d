import type { CallOptions, Credential } from '../../src/client/contract.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { describeExchange, succeeded } from '../../src/protocol/answers.ts';
import { createOrder } from '../../src/suite/actions/orders.ts';
import { targetNow, untilPast, concurrentlyEach } from '../../src/suite/actions/context.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { distancesOf, inWords, untilViewsAgree, viewLagMs, waits } from '../shared/waits.ts';
import {
  topLevelListsOf,
  firstStageOf,
  fixtureAt,
  needsAt,
  sendRequest,
  sendUntilServed,
  partyOfRole,
} from '../shared/endpoint-requests.ts';
import {
  labelExpired,
  issueToken,
  type IssuedToken,
  justExpired,
  longExpired,
  tokenMinter,
  pastExpiryMs,
} from './tokens.ts';

const guarded = guardedEndpoints.flatMap((endpoint) =>
  endpoints[endpoint].roles.map((role) => ({ endpoint, role })),
);

const needsOf = (endpoint: GuardedEndpoint, role: Role) =>
  needsAt(firstStageOf(endpoint), partyOfRole[role]);

/** An expired token, and then a good one in its place. */
async function tryExpired(
  t: CheckContext,
  endpoint: GuardedEndpoint,
  role: Role,
  credential: Credential,
): Promise<void> {
  const by = partyOfRole[role];
  const fixture = await fixtureAt(t, firstStageOf(endpoint), endpoint);
  await sendRequest(t, by, endpoint, fixture, { credential });
  await sendUntilServed(t, by, endpoint, fixture);
}

/**
 * 7.1: an expired token gives 401 at every endpoint. With the target's own key the check need not wait for an expiry.
 */
const minted = guarded.map<Check>(({ endpoint, role }) => ({
  id: `auth.expired.minted.${endpoint}.${role}`,
  title: `${endpoint} answers 401 to a ${role}'s token of the right key that has expired.`,
  requirements: ['auth.expired-token-401'],
  needs: { ...needsOf(endpoint, role), signing: true },
  async run(t) {
    await tryExpired(t, endpoint, role, await justExpired(t, partyOfRole[role]));
  },
}));

const unknownId = ({ random }: CheckContext): CallOptions => ({
  params: { intent_id: random.uuid() },
});
const filtered = (status: string) => (): CallOptions => ({ query: { status } });
const cutShort = (): CallOptions => ({ rawBody: '{"target_amount": ' });
const cutShortOfUnknown = (t: CheckContext): CallOptions => ({ ...unknownId(t), ...cutShort() });
const pageNone = ({ target: { answers } }: CheckContext): CallOptions => ({
  query: { [answers.get('list.page_param') ?? 'page']: 'x' },
});
const usual = (): CallOptions => ({});

/** Faults of a request beside its expired token. Alone, their answers are open; an expired token gives 401 (7.1). */
const faults = [
  ['sender', 'order.read', 'an unknown id', unknownId],
  ['sender', 'order.cancel', 'an unknown id', unknownId],
  ['sender', 'order.create', 'a body cut short', cutShort],
  ['sender', 'rfq.list', "another role's endpoint", usual],
  ['sender', 'order.list', 'a filter', filtered('PENDING')],
  ['sender', 'order.list', 'a filter that is none', filtered('LOST')],
  ['sender_custodian', 'order.quotes', 'an unknown id', unknownId],
  ['sender_custodian', 'settlement.list', "another role's endpoint", usual],
  ['maker_a', 'rfq.read', 'an unknown id', unknownId],
  ['maker_a', 'settlement.read', 'an unknown id', unknownId],
  ['maker_a', 'order.list', "another role's endpoint", usual],
  ['maker_a', 'quote.list', 'a filter', filtered('ACCEPTED')],
  ['maker_a', 'settlement.list', 'a page that is none', pageNone],
  ['maker_a', 'quote.submit', 'a body cut short', cutShortOfUnknown],
] as const;

async function tryFaults(t: CheckContext, by: CastName, expired: Credential): Promise<void> {
  const own = faults.filter(([party]) => party === by);
  await concurrentlyEach(t, own, ([, endpoint, what, options]) => {
    const credential = labelExpired(expired, `with ${what}`);
    return t.party(by).call(endpoint, { ...options(t), credential });
  });
}

const faulty = Object.values(partyOfRole).map<Check>((by) => ({
  id: `auth.expired.faulty.${by}`,
  title: `An expired token of ${by} is answered with 401, whatever else is odd about the request.`,
  requirements: ['auth.expired-token-401'],
  needs: { parties: [by], signing: true },
  async run(t) {
    const expired = await justExpired(t, by);
    await sendRequest(t, by, 'identity.read', {});
    await tryFaults(t, by, expired);
  },
}));

const minuteMs = 60_000;

const ages = [
  ['a quarter of an hour ago', 15 * minuteMs],
  ['hours ago', 150 * minuteMs],
  ['days ago', 50 * 60 * minuteMs],
  ['more than a year ago', 400 * 24 * 60 * minuteMs],
] as const;

const longAgo = Object.values(partyOfRole).map<Check>((by) => ({
  id: `auth.expired.long-ago.${by}`,
  title: `A token of ${by} that expired long ago is answered with 401, however long that is.`,
  requirements: ['auth.expired-token-401'],
  needs: { parties: [by], signing: true },
  async run(t) {
    const places = ['identity.read', ...topLevelListsOf(cast[by])] as const;
    for (const [called, agoMs] of ages) {
      const credential = await longExpired(t, by, agoMs, called);
      await concurrentlyEach(t, places, (endpoint) =>
        sendRequest(t, by, endpoint, {}, { credential }),
      );
    }
  },
}));

const briefMs = 4_000;

/** Endpoints that a token is used at: each service of a backend may remember it in its own way. */
const usedAt: Readonly<Record<Role, readonly GuardedEndpoint[]>> = {
  institution: ['identity.read', 'order.list', 'order.read'],
  custodian: ['identity.read', 'order.list', 'order.quotes'],
  'market-maker': ['identity.read', 'rfq.list', 'rfq.read', 'settlement.list'],
};

const used = roles.map<Check>((role) => ({
  id: `auth.expired.used.${partyOfRole[role]}`,
  title: `A token of ${partyOfRole[role]} that was good, and used, is answered with 401 once it has expired.`,
  requirements: ['auth.expired-token-401'],
  needs: {
    ...needsAt('pending', partyOfRole[role]),
    signing: true,
    waitMs: viewLagMs + briefMs + pastExpiryMs + 1_000,
  },
  async run(t) {
    const by = partyOfRole[role];
    const order = await createOrder(t);
    await untilViewsAgree(t);
    const mint = await tokenMinter(t, by);
    const exp = Math.ceil((targetNow(t).latest + briefMs) / 1_000);
    const good = await mint('minted for a few seconds', { exp });
    for (const endpoint of usedAt[role]) {
      const yes = await sendRequest(t, by, endpoint, { order }, { credential: good });
      if (!succeeded(yes)) t.notExercised(`${describeExchange(yes)} before it expired`, [yes]);
    }
    await untilPast(t, exp * 1_000, pastExpiryMs);
    const credential = labelExpired(good, 'after it was used');
    await concurrentlyEach(t, usedAt[role], (endpoint) =>
      sendRequest(t, by, endpoint, { order }, { credential }),
    );
  },
}));

const waited = roles.map<Check>((role) => ({
  id: `auth.expired.waited.${role}`,
  title: `A token of a ${role} is good to the end of its life and answered with 401 after it, everywhere; a new one was had in time.`,
  requirements: [
    'auth.expired-token-401',
    'auth.token-lasts-until-expiry',
    'auth.new-token-before-expiry',
  ],
  needs: { parties: [partyOfRole[role]] },
  async run(t) {
    const by = partyOfRole[role];
    const { timeline } = t.target;
    const old = await issueToken(t, by);
    const restMs = old.expiresAt + pastExpiryMs - targetNow(t).earliest;
    const later = distancesOf(t).filter((ms) => ms > pastExpiryMs);
    const longestMs = Math.max(waits.settlement, ...later);
    t.allowWait(restMs + longestMs, "this target's tokens' life");
    await assertLife(t, role, old);
    await untilPast(t, old.expiresAt, pastExpiryMs);
    const expired = labelExpired(old.credential);
    await tryFaults(t, by, expired);
    const own = guarded.filter((row) => row.role === role);
    await timeline.together(
      own.map(({ endpoint }) => [
        endpoint,
        async () => {
          const missing = needsOf(endpoint, role).parties.some((name) => !t.target.parties[name]);
          if (missing) return;
          await tryExpired(t, endpoint, role, expired);
        },
      ]),
    );
    for (const ms of later) {
      await untilPast(t, old.expiresAt, ms);
      const credential = labelExpired(old.credential, `${inWords(ms)} ago`);
      await sendRequest(t, by, 'identity.read', {}, { credential });
    }
  },
}));

/** A target may round the present to a whole second, as `exp` is one: within the last half it may be over. */
const surelyLastsMs = 999;

/**
 * Uses a token at half of its life, then closer and closer to its end (a new one is issued meanwhile), and a last time.
 */
async function assertLife(t: CheckContext, role: Role, old: IssuedToken): Promise<void> {
  const by = partyOfRole[role];
  const { timeline, clock } = t.target;
  const { credential, lifetime } = old;
  const beforeMs = Math.min(20_000, lifetime * 100);
  const useBefore = async (
    ms: number,
    places: readonly GuardedEndpoint[] = ['identity.read'],
  ): Promise<void> => {
    await timeline.until(Math.max(old.expiresAt - ms - clock.offset.most, timeline.now()));
    await concurrentlyEach(t, places, async (endpoint) => {
      const yes = await sendRequest(t, by, endpoint, {}, { credential });
      const inTime = yes.received + clock.offset.most + surelyLastsMs <= old.expiresAt;
      if (succeeded(yes) || inTime) {
        assertAllowed(t, 'auth.token-lasts-until-expiry', yes, 'a token that has not expired');
      }
    });
  };
  const everywhere = ['identity.read', ...topLevelListsOf(role)] as const;
  await useBefore(lifetime * 500, everywhere);
  const closer = distancesOf(t, lifetime * 400).toReversed();
  for (const ms of closer.filter((one) => one > beforeMs)) await useBefore(ms);
  await useBefore(beforeMs, everywhere);
  const next = await issueToken(t, by);
  const yes = await sendRequest(t, by, 'identity.read', {}, { credential: next.credential });
  assertAllowed(t, 'auth.new-token-before-expiry', yes, 'a new token beside an old one');
  for (const ms of closer.filter((one) => one < beforeMs && one >= surelyLastsMs))
    await useBefore(ms);
}

export const expiredTokenChecks: readonly Check[] = [
  ...minted,
  ...faulty,
  ...longAgo,
  ...used,
  ...waited,
];
