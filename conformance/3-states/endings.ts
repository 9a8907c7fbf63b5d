import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { accept, type PlacedQuote, quote } from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import {
  disturbedOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
} from '../../src/suite/actions/orders.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import { isRefusal, matchesOrder } from '../../src/protocol/answers.ts';
import type { ControlName, RequirementId } from '../../src/spec/requirements/index.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  lifeRequirementsOf,
  wholeLife,
  ownQuotesOf,
  quotesOf,
  tryAccept,
  tryCancel,
} from '../shared/order-life.ts';
import { awaitUpdate, stateInUpdate, assertReaches, assertReason } from '../shared/order-states.ts';
import { rows, needsOf, settlementTimeoutMs, settlementWindowMs, waits } from '../shared/waits.ts';

const rollback = [
  'settlement.atomic',
  'settlement.list.failed-left-out',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** Looks for a settlement of an order that ended unsettled, and tries operations that must leave it ended. */
async function lookForSettlement(t: CheckContext, order: PlacedOrder, rival?: PlacedQuote) {
  const maker = t.party('maker_a');
  await quotesOf(t, order);
  await maker.call('settlement.read', { params: paramsOf(order) });
  await findInList(t, maker, 'settlement.list', matchesOrder(order));
  await tryCancel(t, order);
  if (rival) await tryAccept(t, order, rival);
  if (t.target.parties.sender_custodian)
    await t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });
  await t.target.timeline.sleep(6_000);
  await readOrder(t, order);
  await quotesOf(t, order);
  await ownQuotesOf(t, order, 'maker_a');
  if (rival) await ownQuotesOf(t, order, rival.maker);
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
    await lookForSettlement(t, order, rival);
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
      const isRivalled = accepted === 'afterwards' && t.target.parties.maker_b;
      const rival = isRivalled ? await quote(t, 'maker_b', order) : undefined;
      if (accepted === 'afterwards') await acceptOn(order);
      const ended = await awaitStatus(t, order, terminalOrderStates, withinMs);
      if (!ended) return t.notExercised(`the order did not end within ${withinMs / 1_000} s`);
      // The document leaves open if an order with an accepted quote can still be withdrawn.
      if (ended.status === 'SETTLED' && accepted === 'meanwhile') return undefined;
      if (reason) assertReason(t, reason[0], ended, [reason[1]]);
      return lookForSettlement(t, order, rival);
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
