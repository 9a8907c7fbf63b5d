import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { accept, type PlacedQuote, quote } from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  disturbedOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
  createOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import {
  isRefusal,
  matchesOrder,
  fieldsOf,
  matchesQuote,
  textOf,
} from '../../src/protocol/answers.ts';
import { concurrently } from '../../src/suite/actions/context.ts';
import type { ControlName, RequirementId, CastName } from '../../src/spec/requirements/index.ts';
import { terminalOrderStates, unsettledStates } from '../../src/spec/states.ts';
import {
  lifeRequirementsOf,
  wholeLife,
  ownQuotesOf,
  quotesOf,
  tryAccept,
  tryCancel,
  cancelOrder,
  tryQuote,
} from '../shared/order-life.ts';
import { awaitUpdate, stateInUpdate, assertReaches, assertReason } from '../shared/order-states.ts';
import {
  rows,
  needsOf,
  settlementTimeoutMs,
  settlementWindowMs,
  waits,
  expiryLagMs,
  untilViewsAgree,
} from '../shared/waits.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';

const rollback = [
  'settlement.atomic',
  'settlement.list.failed-left-out',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** Looks for a settlement of an order that ended unsettled, and tries operations that must leave it ended. */
async function lookForSettlement(t: CheckContext, order: PlacedOrder, rival?: PlacedQuote) {
  const maker = t.party('maker_a');
  await maker.call('settlement.read', { params: paramsOf(order) });
  await findInList(t, maker, 'settlement.list', matchesOrder(order));
  await tryCancel(t, order);
  if (rival) await tryAccept(t, order, rival);
  if (t.target.parties.sender_custodian)
    await t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });
  await t.target.timeline.sleep(6_000);
  await readOrder(t, order);
}

/** 3.1: FAILED is reached from EXECUTING, and each change is announced. */
function assertBegun(t: CheckContext, order: PlacedOrder, opened: string): void {
  const { events } = t.party('sender');
  if (!events.isOpen || events.opened.id !== opened) return;
  const updates = events.frames.filter((frame) => stateInUpdate(frame, order) !== undefined);
  const announced = updates.flatMap((frame) => stateInUpdate(frame, order) ?? []);
  if (!announced.includes('QUOTED') || !announced.includes('FAILED')) return;
  t.assert('order.state.executing-to-failed', announced.includes('EXECUTING'), {
    message: 'An order whose settlement failed was announced as FAILED, but never as EXECUTING.',
    must: { one_of: ['QUOTED', 'EXECUTING', 'FAILED'] },
    actual: announced,
    seen: [order.exchange, ...updates],
  });
}

const revertChecks = rows(
  { by: 'sender', rivals: false },
  { by: 'sender_custodian', rivals: true },
).map<Check>(({ by, rivals }) => ({
  id: `order.failure.settlement.${by}`,
  title: `An order that ${by} accepted and whose settlement fails is FAILED for good, shows no settlement, and the next one settles.`,
  requirements: [
    'order.state.executing-to-failed',
    'order.failure-reason.revert',
    'order.failure-reason.admissible',
    'quote.state.listed-transitions-only',
    'quote.state.pending-to-rejected',
    ...rollback,
    ...lifeRequirementsOf(),
  ],
  needs: {
    ...needsOf(2 * waits.settlement, 'sender', 'maker_a', 'maker_b', by),
    controls: ['fail_settlement'],
  },
  async run(t) {
    const { id } = t.party('sender').events.opened;
    const order = await disturbedOrder(t, 'fail_settlement');
    const placed = await quote(t, 'maker_a', order);
    const rival = rivals ? await quote(t, 'maker_b', order) : undefined;
    await accept(t, order, placed, by);
    const fails = 'order.state.executing-to-failed';
    const when = 'though its settlement was made to fail';
    const ended = await assertReaches(t, fails, order, ['FAILED'], when);
    if (!ended) return;
    await awaitUpdate(t, 'sender', order, ['FAILED'], settlementTimeoutMs);
    assertBegun(t, order, id);
    assertReason(t, 'order.failure-reason.revert', ended, ['REVERT']);
    await quotesOf(t, order);
    await lookForSettlement(t, order, rival);
    await quotesOf(t, order);
    await ownQuotesOf(t, order, 'maker_a');
    await wholeLife(t);
  },
}));

const refusedCancel: Check = {
  id: 'order.failure.settlement.cancelled-in-vain',
  title:
    'An order whose cancel was refused while it executed, and whose settlement then fails, fails for that.',
  requirements: ['order.failure-reason.revert'],
  needs: { ...needsOf(waits.settlement, 'sender', 'maker_a'), controls: ['fail_settlement'] },
  async run(t) {
    const order = await disturbedOrder(t, 'fail_settlement');
    await accept(t, order, await quote(t, 'maker_a', order));
    const running = await awaitStatus(t, order, ['EXECUTING'], settlementTimeoutMs);
    const no = await tryCancel(t, order);
    if (!running || !isRefusal(no)) return t.notExercised('no cancel of it was refused', [no]);
    const ended = await awaitStatus(t, order, ['FAILED'], settlementTimeoutMs);
    if (!ended) return t.notExercised('its settlement did not fail');
    return assertReason(t, 'order.failure-reason.revert', ended, ['REVERT']);
  },
};

interface Ending {
  readonly id: string;
  readonly title: string;
  readonly control: ControlName;
  /** Moment of a quote's acceptance: before the effect of the control, or after it. Absent: none is accepted. */
  readonly accepted?: 'meanwhile' | 'afterwards';
  readonly reason?: readonly [
    'order.failure-reason.timeout' | 'order.failure-reason.operator-withdrawn',
    string,
  ];
  readonly withinMs?: number;
}

/** 2.2: TIMEOUT and OPERATOR_WITHDRAWN. 1.2: a settlement is all or nothing; a withdrawn order never settles. */
const endings: readonly Ending[] = [
  {
    id: 'stall',
    title:
      'An order whose settlement stalls ends unsettled once its window is over, with nothing delivered.',
    control: 'stall_settlement',
    accepted: 'afterwards',
    reason: ['order.failure-reason.timeout', 'TIMEOUT'],
    withinMs: settlementWindowMs,
  },
  {
    id: 'withdrawal',
    title: 'An order that the operator withdraws ends unsettled, and takes no quote any more.',
    control: 'withdraw_order',
    reason: ['order.failure-reason.operator-withdrawn', 'OPERATOR_WITHDRAWN'],
  },
  {
    id: 'withdrawal-once-accepted',
    title:
      'An order that the operator withdraws once a quote is accepted settles, or ends unsettled for good.',
    control: 'withdraw_order',
    accepted: 'meanwhile',
  },
];

const endingChecks = endings.map<Check>(
  ({ id, title, control, accepted, reason, withinMs = settlementTimeoutMs }) => ({
    id: `order.failure.${id}`,
    title,
    requirements: [...(reason ? [reason[0]] : []), ...rollback],
    needs: { ...needsOf(withinMs + waits.settlement, 'sender', 'maker_a'), controls: [control] },
    async run(t) {
      const acceptOn = async (placed: PlacedOrder): Promise<unknown> =>
        accept(t, placed, await quote(t, 'maker_a', placed));
      // If the target withdraws the order by itself, a quote or an acceptance may come too late.
      const meanwhile = accepted === 'meanwhile' ? acceptOn : undefined;
      const order = await disturbedOrder(t, control, {}, meanwhile);
      if (accepted === 'afterwards') await acceptOn(order);
      const ended = await awaitStatus(t, order, terminalOrderStates, withinMs);
      if (!ended) return t.notExercised(`the order did not end within ${withinMs / 1_000} s`);
      // The document leaves open if an order with an accepted quote can still be withdrawn.
      if (ended.status === 'SETTLED' && accepted === 'meanwhile') return undefined;
      if (reason) assertReason(t, reason[0], ended, [reason[1]]);
      return lookForSettlement(t, order);
    },
  }),
);

const validation: Check = {
  id: 'order.failure.validation',
  title: 'A PENDING order whose validation fails is FAILED for good, without an accepted quote.',
  requirements: [
    'order.state.pending-to-failed',
    'order.quote-id.not-before-acceptance',
    ...rollback,
  ],
  needs: { ...needsOf(2 * waits.settlement, 'sender', 'maker_a'), controls: ['fail_validation'] },
  async run(t) {
    const order = await disturbedOrder(t, 'fail_validation');
    const fails = 'order.state.pending-to-failed';
    const when = 'though its validation was made to fail';
    const ended = await assertReaches(t, fails, order, ['FAILED'], when);
    if (ended) await lookForSettlement(t, order);
  },
};

export const failedSettlementChecks: readonly Check[] = [
  ...revertChecks,
  refusedCancel,
  ...endingChecks,
  validation,
];

type QuoteId = Pick<PlacedQuote, 'quoteId' | 'maker'>;

interface Fixture {
  readonly order: PlacedOrder;
  readonly quotes: readonly QuoteId[];
}

/** Creates the order of an end, with its control if the end needs one. */
type Place = (meanwhile?: (order: PlacedOrder) => Promise<unknown>) => Promise<PlacedOrder>;

interface End {
  readonly id: string;
  /** Words of the title "an order that ...". */
  readonly what: string;
  readonly states: readonly OrderState[];
  readonly control?: ControlName;
  readonly waitMs?: number;
  readonly withinMs?: number;
  readonly bringAbout: (t: CheckContext, place: Place) => Promise<Fixture>;
}

async function placeQuoted(t: CheckContext, place: Place): Promise<Fixture> {
  const order = await place();
  const placed = await quote(t, 'maker_a', order);
  return { order, quotes: [placed, await quote(t, 'maker_b', order)] };
}

async function placeAccepted(t: CheckContext, place: Place, by?: CastName): Promise<Fixture> {
  const fixture = await placeQuoted(t, place);
  const [placed] = fixture.quotes;
  if (placed) await accept(t, fixture.order, placed, by);
  return fixture;
}

/** Places an order and its quotes. An order that the target withdraws by itself may take only some of them. */
async function placeQuotedMeanwhile(t: CheckContext, place: Place): Promise<Fixture> {
  const quotes: QuoteId[] = [];
  const order = await place(async (placed) => {
    for (const maker of ['maker_a', 'maker_b'] as const) {
      const quoteId = textOf(fieldsOf(await tryQuote(t, maker, placed)), 'quote_id');
      if (quoteId !== undefined) quotes.push({ quoteId, maker });
    }
  });
  return { order, quotes };
}

async function untilPastDeadline(t: CheckContext, placed: Promise<Fixture>) {
  const fixture = await placed;
  await untilExpired(t, fixture.order, expiryLagMs);
  return fixture;
}

const ends: readonly End[] = [
  {
    id: 'cancelled-with-quotes',
    what: 'was cancelled with quotes on it',
    states: unsettledStates,
    async bringAbout(t, place) {
      const fixture = await placeQuoted(t, place);
      await cancelOrder(t, fixture.order);
      return fixture;
    },
  },
  {
    id: 'expired-with-quotes',
    what: 'expired with quotes on it',
    states: ['EXPIRED'],
    waitMs: waits.orderExpiry,
    bringAbout: (t, place) => untilPastDeadline(t, placeQuoted(t, place)),
  },
  {
    id: 'settled-beyond-its-deadline',
    what: 'settled, and whose deadline has passed since',
    states: ['SETTLED'],
    waitMs: waits.orderExpiry,
    bringAbout: (t, place) => untilPastDeadline(t, placeAccepted(t, place, 'sender_custodian')),
  },
  {
    id: 'reverted',
    what: 'failed because its settlement did',
    states: ['FAILED'],
    control: 'fail_settlement',
    bringAbout: (t, place) => placeAccepted(t, place),
  },
  {
    id: 'stalled',
    what: 'ended because its settlement took too long',
    states: unsettledStates,
    control: 'stall_settlement',
    waitMs: settlementWindowMs + waits.settlement,
    withinMs: settlementWindowMs,
    bringAbout: (t, place) => placeAccepted(t, place),
  },
  {
    id: 'invalid',
    what: 'failed its validation',
    states: ['FAILED'],
    control: 'fail_validation',
    bringAbout: async (_, place) => ({ order: await place(), quotes: [] }),
  },
  {
    id: 'withdrawn-with-quotes',
    what: 'the operator withdrew with quotes on it',
    states: unsettledStates,
    control: 'withdraw_order',
    bringAbout: placeQuotedMeanwhile,
  },
];

const orderSide = ['sender', 'sender_custodian', 'receiver_custodian'] as const;

/** All of its side read an order, find it on their lists, and find its quotes, once they can have learnt of its end. */
async function lookEverywhere(t: CheckContext, { order, quotes }: Fixture): Promise<void> {
  await untilViewsAgree(t);
  const params = paramsOf(order);
  const ofOwners = (['sender', 'sender_custodian'] as const).flatMap((by) => [
    () => findInList(t, t.party(by), 'order.list', matchesOrder(order)),
    ...quotes.map(
      (placed) => () =>
        findInList(t, t.party(by), 'order.quotes', matchesQuote(placed), { params }),
    ),
  ]);
  const ofMakers = quotes.flatMap((placed) => [
    () => findInList(t, t.party(placed.maker), 'quote.list', matchesQuote(placed)),
    // A maker's access to an ended request is open (gap `rfq.detail`). Rules judge the content of the answer.
    ...(['rfq.quotes', 'rfq.read', 'settlement.read'] as const).map(
      (endpoint) => () => t.party(placed.maker).call(endpoint, { params }),
    ),
  ]);
  await concurrently(t, [
    ...orderSide.map((by) => () => readOrder(t, order, by)),
    ...ofOwners,
    ...ofMakers,
  ]);
}

export const endedOrderChecks = ends.map<Check>((end) => ({
  id: `order.ends.${end.id}`,
  title: `An order that ${end.what} is read and listed on, with its quotes, by all of its side, and so are its makers' quotes.`,
  requirements: [
    'order.state.views-agree',
    'access.order.read.institution-allowed',
    'access.order.read.custodian-allowed',
    'order.read.by-receiver-custodian',
    'order.list.complete',
    'order.list.sender-custodian-included',
    ...(end.id === 'invalid'
      ? []
      : ([
          'order.quotes.complete',
          'order.quotes.custodian-sees-same',
          'quote.list.complete',
        ] as const)),
    ...(end.states.includes('SETTLED')
      ? (['settlement.read.returns-that-settlement'] as const)
      : []),
  ],
  needs: {
    parties: [...orderSide, 'maker_a', 'maker_b'],
    ...(end.control && { controls: [end.control] }),
    waitMs: end.waitMs ?? waits.settlement,
  },
  async run(t) {
    const { control, withinMs = settlementTimeoutMs } = end;
    const fixture = await end.bringAbout(t, (meanwhile) =>
      control ? disturbedOrder(t, control, {}, meanwhile) : createOrder(t),
    );
    const ended = await awaitStatus(t, fixture.order, terminalOrderStates, withinMs);
    if (!ended || !end.states.includes(ended.status)) {
      const wanted = `${end.states.join(' or ')} within ${withinMs / 1_000} s`;
      return t.notExercised(
        `the order did not become ${wanted}, but ${ended?.status ?? 'nothing'}`,
        ended ? [ended.exchange] : [],
      );
    }
    return lookEverywhere(t, fixture);
  },
}));
