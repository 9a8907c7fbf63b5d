import type { CallOptions, Credential } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  said,
  succeeded,
  targetNow,
  untilPast,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { endpoints } from '../../src/spec/endpoints.ts';
import {
  cast,
  type CastName,
  type GuardedEndpoint,
  guardedEndpoints,
} from '../../src/spec/requirements/index.ts';
import { type Role, roles } from '../../src/spec/words.ts';
import { plainListsOf } from '../narrowings.ts';
import { groundAt, partiesAt, stagesOf } from '../1-roles/roles.ts';
import { type Ground, ask, isWithheld, mayDo, player, settlementWaitMs } from '../deeds.ts';
import {
  asExpired,
  issue,
  type Issued,
  judgeExpired,
  justExpired,
  longExpired,
  minter,
  pastExpiryMs,
} from './tokens.ts';

/** The places of each role: every endpoint on the first ground on which it is served for certain. */
const rows = guardedEndpoints.flatMap((endpoint) =>
  endpoints[endpoint].roles.map((role) => ({ endpoint, role })),
);

const groundFor = (endpoint: GuardedEndpoint) => stagesOf(endpoint)[0] ?? 'nothing';

const partiesFor = (endpoint: GuardedEndpoint, role: Role): readonly CastName[] => [
  ...new Set([player[role], ...partiesAt(groundFor(endpoint))]),
];

/** An expired token beside a good one, on the same ground. */
async function tryExpired(
  trial: Trial,
  endpoint: GuardedEndpoint,
  role: Role,
  ground: Ground,
  credential: Credential,
): Promise<void> {
  const by = player[role];
  const no = await ask(trial, by, endpoint, ground, { credential });
  const yes = await mayDo(trial, by, endpoint, ground);
  if (succeeded(yes) || succeeded(no)) judgeExpired(trial, no);
  else if (!(await isWithheld(trial, by, endpoint, ground)))
    trial.undecided('auth.expired-token-401', `${said(yes)} with a good token`);
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
    async run(trial) {
      const ground = await groundAt(trial, groundFor(endpoint), endpoint);
      await tryExpired(trial, endpoint, role, ground, await justExpired(trial, player[role]));
    },
  }),
);

interface Fault {
  readonly what: string;
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
  readonly options?: (trial: Trial) => CallOptions;
}

const unknownId = ({ random }: Trial): CallOptions => ({ params: { intent_id: random.uuid() } });
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

async function tryFaults(trial: Trial, by: CastName, expired: Credential): Promise<void> {
  for (const { what, endpoint, options } of faults.filter((fault) => fault.by === by)) {
    const credential = asExpired(expired, `with ${what}`);
    const no = await trial.party(by).call(endpoint, { ...options?.(trial), credential });
    if (!isMissing(endpoint, cast[by], no)) judgeExpired(trial, no);
  }
}

/** A backend may have no more endpoints than those of its role (gap `access.wrong_role`): others want no token. */
const isMissing = (endpoint: GuardedEndpoint, role: Role, { response }: Exchange): boolean =>
  !(endpoints[endpoint].roles as readonly Role[]).includes(role) &&
  [404, 405, 501].includes(response?.status ?? 0);

/** Whatever looks for the order, the body or the role first has told what it found to somebody unknown. */
const faulty = Object.values(player).map((by) =>
  defineCheck({
    id: `auth.expired.faulty.${by}`,
    title: `An expired token of ${by} is answered with 401, whatever else is odd about the request.`,
    requirements: ['auth.expired-token-401'],
    needs: { parties: [by], signing: true },
    async run(trial) {
      const expired = await justExpired(trial, by);
      const yes = await ask(trial, by, 'identity.read', {});
      if (!succeeded(yes)) trial.giveUp(`${said(yes)} with a good token`, [yes]);
      await tryFaults(trial, by, expired);
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
const longAgo = Object.values(player).map((by) =>
  defineCheck({
    id: `auth.expired.long-ago.${by}`,
    title: `A token of ${by} that expired long ago is answered with 401, however long that is.`,
    requirements: ['auth.expired-token-401'],
    needs: { parties: [by], signing: true },
    async run(trial) {
      const places = ['identity.read', ...plainListsOf(cast[by])] as const;
      for (const [called, agoMs] of ages) {
        const credential = await longExpired(trial, by, agoMs, called);
        for (const endpoint of places) {
          const no = await ask(trial, by, endpoint, {}, { credential });
          judgeExpired(trial, no);
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
    async run(trial) {
      const mint = await minter(trial, by);
      const exp = Math.ceil((targetNow(trial).latest + briefMs) / 1_000);
      const credential = await mint('minted for a few seconds', { exp });
      const places = ['identity.read', list] as const;
      for (const endpoint of places) {
        const yes = await ask(trial, by, endpoint, {}, { credential });
        if (!succeeded(yes)) return trial.giveUp(`${said(yes)} before it expired`, [yes]);
      }
      await untilPast(trial, exp * 1_000, pastExpiryMs);
      for (const endpoint of places) {
        judgeExpired(trial, await ask(trial, by, endpoint, {}, { credential }));
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
    needs: { parties: [player[role]] },
    async run(trial) {
      const by = player[role];
      const { timeline } = trial.target;
      const old = await issue(trial, by);
      const restMs = old.expiresAt + pastExpiryMs - targetNow(trial).earliest;
      trial.mayWait(restMs + settlementWaitMs, "this target's tokens' life");
      await judgeLife(trial, role, old);
      await untilPast(trial, old.expiresAt, pastExpiryMs);
      const expired = asExpired(old.credential);
      await tryFaults(trial, by, expired);
      const own = rows.filter((row) => row.role === role);
      await timeline.together(
        own.map(({ endpoint }) => [
          endpoint,
          async () => {
            const missing = partiesFor(endpoint, role).some((name) => !trial.target.parties[name]);
            if (missing) return;
            const ground = await groundAt(trial, groundFor(endpoint), endpoint);
            await tryExpired(trial, endpoint, role, ground, expired);
          },
        ]),
      );
    },
  }),
);

/** Where nobody waits in a queue, a token is used so long before its end for the last time. */
const lastUseMs = 2_500;

/** Halfway, shortly before its end, when a new one is had beside it, and once more at the last. */
async function judgeLife(trial: Trial, role: Role, old: Issued): Promise<void> {
  const by = player[role];
  const { timeline, clock } = trial.target;
  const { credential, lifetime } = old;
  const beforeMs = Math.min(20_000, lifetime * 100);
  const useBefore = async (
    ms: number,
    places: readonly GuardedEndpoint[] = ['identity.read'],
  ): Promise<void> => {
    await timeline.until(Math.max(old.expiresAt - ms - clock.offset.most, timeline.now()));
    for (const endpoint of places) {
      const yes = await ask(trial, by, endpoint, {}, { credential });
      const inTime = yes.received + clock.offset.most < old.expiresAt;
      if (succeeded(yes) || inTime) {
        allowed(trial, 'auth.token-lasts-until-expiry', yes, 'a token that has not expired');
      }
    }
  };
  const everywhere = ['identity.read', ...plainListsOf(role)] as const;
  await useBefore(lifetime * 500, everywhere);
  await useBefore(beforeMs, everywhere);
  const next = await issue(trial, by);
  const yes = await ask(trial, by, 'identity.read', {}, { credential: next.credential });
  allowed(trial, 'auth.new-token-before-expiry', yes, 'a new token beside an old one');
  await useBefore(lastUseMs);
}

export const expiryChecks: readonly Check[] = [
  ...minted,
  ...faulty,
  ...longAgo,
  ...used,
  ...waited,
];
