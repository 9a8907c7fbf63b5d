import type { CallOptions, Credential } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  describeExchange,
  succeeded,
  targetNow,
  untilPast,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/vocabulary.ts';
import { topLevelListsOf } from '../shared/narrowed-lists.ts';
import { fixtureAt, partiesAt, stagesOf } from '../1-roles/wrong-role-refused.ts';
import {
  type Fixture,
  sendRequest,
  isExtraWithheld,
  sendUntilServed,
  partyOfRole,
  settlementWaitMs,
} from '../shared/endpoint-operations.ts';
import {
  labelExpired,
  issueToken,
  type IssuedToken,
  assertExpired,
  justExpired,
  longExpired,
  tokenMinter,
  pastExpiryMs,
} from './token-fixtures.ts';

/** The places of each role: every endpoint on the first ground on which it is served for certain. */
const rows = guardedEndpoints.flatMap((endpoint) =>
  endpoints[endpoint].roles.map((role) => ({ endpoint, role })),
);

const groundFor = (endpoint: GuardedEndpoint) => stagesOf(endpoint)[0] ?? 'nothing';

const partiesFor = (endpoint: GuardedEndpoint, role: Role): readonly CastName[] => [
  ...new Set([partyOfRole[role], ...partiesAt(groundFor(endpoint))]),
];

/** An expired token beside a good one, on the same ground. */
async function tryExpired(
  t: CheckContext,
  endpoint: GuardedEndpoint,
  role: Role,
  fixture: Fixture,
  credential: Credential,
): Promise<void> {
  const by = partyOfRole[role];
  const no = await sendRequest(t, by, endpoint, fixture, { credential });
  const yes = await sendUntilServed(t, by, endpoint, fixture);
  if (succeeded(yes) || succeeded(no)) assertExpired(t, no);
  else if (!(await isExtraWithheld(t, by, endpoint, fixture)))
    t.inconclusive('auth.expired-token-401', `${describeExchange(yes)} with a good token`);
}

/** With the target's own key no waiting is needed. */
const minted = rows.map(({ endpoint, role }) =>
  defineCheck({
    id: `auth.expired.minted.${endpoint}.${role}`,
    title: `${endpoint} answers 401 to a ${role}'s token of the right key that has expired.`,
    requirements: ['auth.expired-token-401'],
    needs: {
      parties: partiesFor(endpoint, role),
      signing: true,
      ...(groundFor(endpoint) === 'settled' && { waitMs: settlementWaitMs }),
    },
    async run(t) {
      const fixture = await fixtureAt(t, groundFor(endpoint), endpoint);
      await tryExpired(t, endpoint, role, fixture, await justExpired(t, partyOfRole[role]));
    },
  }),
);

interface Fault {
  readonly what: string;
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
  readonly options?: (t: CheckContext) => CallOptions;
}

const unknownId = ({ random }: CheckContext): CallOptions => ({
  params: { intent_id: random.uuid() },
});
const filtered = (status: string) => (): CallOptions => ({ query: { status } });
const cutShort = (): CallOptions => ({ rawBody: '{"target_amount": ' });

/** What is odd about a request beside its token: faults have other answers, an expired token has one (7.1). */
const faults: readonly Fault[] = [
  { what: 'an id of nothing', by: 'sender', endpoint: 'order.read', options: unknownId },
  { what: 'an id of nothing', by: 'sender', endpoint: 'order.cancel', options: unknownId },
  { what: 'a body cut short', by: 'sender', endpoint: 'order.create', options: cutShort },
  { what: "another role's endpoint", by: 'sender', endpoint: 'rfq.list' },
  { what: 'a filter', by: 'sender', endpoint: 'order.list', options: filtered('PENDING') },
  {
    what: 'an id of nothing',
    by: 'sender_custodian',
    endpoint: 'order.quotes',
    options: unknownId,
  },
  { what: "another role's endpoint", by: 'sender_custodian', endpoint: 'settlement.list' },
  { what: 'an id of nothing', by: 'maker_a', endpoint: 'rfq.read', options: unknownId },
  { what: 'an id of nothing', by: 'maker_a', endpoint: 'settlement.read', options: unknownId },
  { what: "another role's endpoint", by: 'maker_a', endpoint: 'order.list' },
  { what: 'a filter', by: 'maker_a', endpoint: 'quote.list', options: filtered('ACCEPTED') },
];

async function tryFaults(t: CheckContext, by: CastName, expired: Credential): Promise<void> {
  for (const { what, endpoint, options } of faults.filter((fault) => fault.by === by)) {
    const credential = labelExpired(expired, `with ${what}`);
    const no = await t.party(by).call(endpoint, { ...options?.(t), credential });
    if (!isMissing(endpoint, cast[by], no)) assertExpired(t, no);
  }
}

/** A backend may have no more endpoints than those of its role (gap `access.wrong_role`): others want no token. */
const isMissing = (endpoint: GuardedEndpoint, role: Role, { response }: Exchange): boolean =>
  !(endpoints[endpoint].roles as readonly Role[]).includes(role) &&
  [404, 405, 501].includes(response?.status ?? 0);

/** Whatever looks for the order, the body or the role first has told what it found to somebody unknown. */
const faulty = Object.values(partyOfRole).map((by) =>
  defineCheck({
    id: `auth.expired.faulty.${by}`,
    title: `An expired token of ${by} is answered with 401, whatever else is odd about the request.`,
    requirements: ['auth.expired-token-401'],
    needs: { parties: [by], signing: true },
    async run(t) {
      const expired = await justExpired(t, by);
      const yes = await sendRequest(t, by, 'identity.read', {});
      if (!succeeded(yes)) t.notExercised(`${describeExchange(yes)} with a good token`, [yes]);
      await tryFaults(t, by, expired);
    },
  }),
);

const minuteMs = 60_000;

const ages = [
  ['a quarter of an hour ago', 15 * minuteMs],
  ['hours ago', 150 * minuteMs],
  ['days ago', 50 * 60 * minuteMs],
  ['more than a year ago', 400 * 24 * 60 * minuteMs],
] as const;

/** Whoever allows for clocks that differ, or forgets what is over, must not allow for all time. */
const longAgo = Object.values(partyOfRole).map((by) =>
  defineCheck({
    id: `auth.expired.long-ago.${by}`,
    title: `A token of ${by} that expired long ago is answered with 401, however long that is.`,
    requirements: ['auth.expired-token-401'],
    needs: { parties: [by], signing: true },
    async run(t) {
      const places = ['identity.read', ...topLevelListsOf(cast[by])] as const;
      for (const [called, agoMs] of ages) {
        const credential = await longExpired(t, by, agoMs, called);
        for (const endpoint of places) {
          const no = await sendRequest(t, by, endpoint, {}, { credential });
          assertExpired(t, no);
        }
      }
    },
  }),
);

const briefMs = 4_000;

/** Where each role's token is used before it expires, and after: whoever remembers a token must not for longer. */
const used = (
  [
    ['sender', 'order.list'],
    ['sender_custodian', 'order.list'],
    ['maker_a', 'rfq.list'],
  ] as const
).map(([by, list]) =>
  defineCheck({
    id: `auth.expired.used.${by}`,
    title: `A token of ${by} that was good, and used, is answered with 401 once it has expired.`,
    requirements: ['auth.expired-token-401'],
    needs: { parties: [by], signing: true, waitMs: briefMs + pastExpiryMs + 1_000 },
    async run(t) {
      const mint = await tokenMinter(t, by);
      const exp = Math.ceil((targetNow(t).latest + briefMs) / 1_000);
      const credential = await mint('minted for a few seconds', { exp });
      const places = ['identity.read', list] as const;
      for (const endpoint of places) {
        const yes = await sendRequest(t, by, endpoint, {}, { credential });
        if (!succeeded(yes))
          return t.notExercised(`${describeExchange(yes)} before it expired`, [yes]);
      }
      await untilPast(t, exp * 1_000, pastExpiryMs);
      for (const endpoint of places) {
        assertExpired(t, await sendRequest(t, by, endpoint, {}, { credential }));
      }
      return undefined;
    },
  }),
);

/** Tokens as they were handed out, after their time. One check of each role tries every endpoint of it. */
const waited = roles.map((role) =>
  defineCheck({
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
      t.allowWait(restMs + settlementWaitMs, "this target's tokens' life");
      await assertLife(t, role, old);
      await untilPast(t, old.expiresAt, pastExpiryMs);
      const expired = labelExpired(old.credential);
      await tryFaults(t, by, expired);
      const own = rows.filter((row) => row.role === role);
      await timeline.together(
        own.map(({ endpoint }) => [
          endpoint,
          async () => {
            const missing = partiesFor(endpoint, role).some((name) => !t.target.parties[name]);
            if (missing) return;
            const fixture = await fixtureAt(t, groundFor(endpoint), endpoint);
            await tryExpired(t, endpoint, role, fixture, expired);
          },
        ]),
      );
    },
  }),
);

/** Where nobody waits in a queue, a token is used so long before its end for the last time. */
const lastUseMs = 2_500;

/** Halfway, shortly before its end, when a new one is had beside it, and once more at the last. */
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
    for (const endpoint of places) {
      const yes = await sendRequest(t, by, endpoint, {}, { credential });
      const inTime = yes.received + clock.offset.most < old.expiresAt;
      if (succeeded(yes) || inTime) {
        assertAllowed(t, 'auth.token-lasts-until-expiry', yes, 'a token that has not expired');
      }
    }
  };
  const everywhere = ['identity.read', ...topLevelListsOf(role)] as const;
  await useBefore(lifetime * 500, everywhere);
  await useBefore(beforeMs, everywhere);
  const next = await issueToken(t, by);
  const yes = await sendRequest(t, by, 'identity.read', {}, { credential: next.credential });
  assertAllowed(t, 'auth.new-token-before-expiry', yes, 'a new token beside an old one');
  await useBefore(lastUseMs);
}

export const expiredTokenChecks: readonly Check[] = [
  ...minted,
  ...faulty,
  ...longAgo,
  ...used,
  ...waited,
];
