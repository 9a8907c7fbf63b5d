import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  disturbedOrder,
  findInList,
  matchesOrder,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  type ReachedState,
  readOrder,
  assertRefused,
} from '../../../src/suite/actions/index.ts';
import type { RequirementId } from '../../../src/spec/requirements/index.ts';
import { lifeRequirementsOf, assertFullLife } from '../../shared/order-life.ts';
import { assertQuoteState } from '../../shared/listed-quotes.ts';
import { assertAcceptedTerms } from '../../shared/accepted-terms.ts';
import { awaitUpdate, stateInUpdate } from '../../shared/order-updates.ts';
import {
  assertAdmissible,
  assertReason,
  assertState,
  assertReaches,
} from '../../shared/order-assertions.ts';
import {
  acceptanceFields,
  tryAccept,
  type Accepter,
  tryCancel,
  each,
  isSet,
  settlementTimeoutMs,
  settlementWindowMs,
  terminalStates,
  unsettledStates,
  waits,
} from '../../shared/order-calls.ts';

const atomic = [
  'settlement.atomic',
  'settlement.list.failed-left-out',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** All or nothing: what did not settle shows no settlement, to its sender and to the maker. */
async function assertAtomic(
  t: CheckContext,
  order: PlacedOrder,
  ended: ReachedState,
): Promise<void> {
  const requirement = 'settlement.atomic';
  // A transaction that was reverted has a hash too; a moment of settlement there is none.
  t.assert(requirement, !isSet(ended.data, 'settled_at'), {
    message: `An order that ended ${ended.status} showed a settlement moment.`,
    actual: ended.data['settled_at'],
    seen: [ended.exchange],
  });
  const maker = t.party('maker_a');
  const no = await maker.call('settlement.read', { params: paramsOf(order) });
  assertRefused(t, requirement, no, 'reading the settlement of an order that did not settle');
  const found = await findInList(t, maker, 'settlement.list', matchesOrder(order));
  if (found.item || found.ended === 'whole') {
    t.assert('settlement.list.failed-left-out', !found.item, {
      message: `An order that ended ${ended.status} was among the settlements.`,
      actual: found.item,
      seen: found.pages.slice(-1),
    });
  }
}

/** What has ended stays so, whatever is tried. */
async function assertAbsorbed(
  t: CheckContext,
  order: PlacedOrder,
  ended: ReachedState,
  rival?: PlacedQuote,
): Promise<void> {
  await tryCancel(t, order);
  if (rival) await tryAccept(t, order, rival);
  if (t.target.parties.sender_custodian) {
    await t.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });
  }
  await t.target.timeline.sleep(6_000);
  const later = await readOrder(t, order);
  const stays =
    ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
  assertState(t, stays, later, [ended.status], `after having been ${ended.status}`);
}

/** A settlement that fails has begun: 3.1 leads to FAILED from EXECUTING, and each change is told. */
function assertBegun(t: CheckContext, order: PlacedOrder, opened: string): void {
  const { events } = t.party('sender');
  if (!events.isOpen || events.opened.id !== opened) return;
  const told = events.frames.flatMap((frame) => stateInUpdate(frame, order) ?? []);
  if (!told.includes('QUOTED') || !told.includes('FAILED')) return;
  t.assert('order.state.executing-to-failed', told.includes('EXECUTING'), {
    message: 'An order whose settlement failed was told as FAILED, but never as EXECUTING.',
    expected: ['QUOTED', 'EXECUTING', 'FAILED'],
    actual: told,
    seen: [order.exchange],
  });
}

const reverts = each<{ readonly by: Accepter; readonly rivals: boolean }>(
  [
    { by: 'sender', rivals: false },
    { by: 'sender_custodian', rivals: true },
  ],
  ({ by, rivals }) =>
    defineCheck({
      id: `order.failure.settlement.${by}`,
      title: `An order that ${by} accepted and whose settlement fails is FAILED for good, shows no settlement, and the next one settles.`,
      requirements: [
        'order.state.executing-to-failed',
        'order.failure-reason.revert',
        'order.failure-reason.admissible',
        'quote.state.listed-transitions-only',
        'quote.state.pending-to-rejected',
        ...atomic,
        ...lifeRequirementsOf(),
      ],
      needs: {
        parties: [...new Set(['sender', 'maker_a', 'maker_b', by] as const)],
        controls: ['fail_settlement'],
        waitMs: 2 * waits.settlement,
      },
      async run(t) {
        const { id } = t.party('sender').events.opened;
        const order = await disturbedOrder(t, 'fail_settlement');
        const placed = await quote(t, 'maker_a', order);
        const rival = rivals ? await quote(t, 'maker_b', order) : undefined;
        await accept(t, order, placed, by);
        const requirement = 'order.state.executing-to-failed';
        const when = 'though its settlement was made to fail';
        const ended = await assertReaches(
          t,
          requirement,
          order,
          ['FAILED'],
          settlementTimeoutMs,
          when,
        );
        if (!ended) return;
        await awaitUpdate(t, 'sender', order, ['FAILED'], settlementTimeoutMs);
        assertBegun(t, order, id);
        assertAcceptedTerms(t, { order, quote: placed }, ended);
        assertReason(t, 'order.failure-reason.revert', ended, ['REVERT']);
        assertAdmissible(t, ended);
        await assertAtomic(t, order, ended);
        const unusable = 'quote.state.listed-transitions-only';
        const over = 'once its settlement had failed';
        await assertQuoteState(
          t,
          unusable,
          order,
          placed,
          ['ACCEPTED', 'REJECTED', 'EXPIRED'],
          over,
        );
        if (rival) {
          const lost = 'quote.state.pending-to-rejected';
          await assertQuoteState(
            t,
            lost,
            order,
            rival,
            ['REJECTED'],
            "after another's settlement had failed",
          );
        }
        await assertAbsorbed(t, order, ended, rival);
        await assertFullLife(t, { acceptedBy: 'sender' });
      },
    }),
);

/** A cancel that is refused leaves no word behind: what ends the order later is what its reason tells. */
const refusedCancel = defineCheck({
  id: 'order.failure.settlement.cancelled-in-vain',
  title:
    'An order whose cancel was refused while it executed, and whose settlement then fails, fails for that.',
  requirements: ['order.failure-reason.revert'],
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['fail_settlement'],
    waitMs: waits.settlement,
  },
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
});

const stalls = defineCheck({
  id: 'order.failure.stall',
  title:
    'An order whose settlement stalls ends unsettled once its window is over, with nothing delivered.',
  requirements: ['order.failure-reason.timeout', ...atomic],
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['stall_settlement'],
    waitMs: settlementWindowMs + waits.settlement,
  },
  async run(t) {
    const order = await disturbedOrder(t, 'stall_settlement');
    const placed = await quote(t, 'maker_a', order);
    await accept(t, order, placed);
    const ended = await awaitStatus(t, order, unsettledStates, settlementWindowMs);
    if (!ended) {
      const longest = `${settlementWindowMs / 1_000} s`;
      return t.notExercised(`the settlement window here is longer than ${longest}`);
    }
    assertReason(t, 'order.failure-reason.timeout', ended, ['TIMEOUT']);
    await assertAtomic(t, order, ended);
    return assertAbsorbed(t, order, ended);
  },
});

const withdrawals = defineCheck({
  id: 'order.failure.withdrawal',
  title: 'An order that the operator withdraws ends unsettled, and takes no quote any more.',
  requirements: ['order.failure-reason.operator-withdrawn', ...atomic],
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['withdraw_order'],
    waitMs: 2 * waits.settlement,
  },
  async run(t) {
    const order = await disturbedOrder(t, 'withdraw_order');
    const ended = await awaitStatus(t, order, unsettledStates, settlementTimeoutMs);
    if (!ended) return t.notExercised('the order was not withdrawn while it was PENDING');
    assertReason(t, 'order.failure-reason.operator-withdrawn', ended, ['OPERATOR_WITHDRAWN']);
    await assertAtomic(t, order, ended);
    return assertAbsorbed(t, order, ended);
  },
});

/** Whether what was accepted can still be withdrawn is open; what was, settles no more. */
const withdrawnLate = defineCheck({
  id: 'order.failure.withdrawal-once-accepted',
  title:
    'An order that the operator withdraws once a quote is accepted settles, or ends unsettled for good.',
  requirements: atomic,
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['withdraw_order'],
    waitMs: 2 * waits.settlement,
  },
  async run(t) {
    // Where it is withdrawn soon by itself, it may be too late for either.
    const order = await disturbedOrder(t, 'withdraw_order', {}, async (placed) => {
      await accept(t, placed, await quote(t, 'maker_a', placed));
    });
    const ended = await awaitStatus(t, order, terminalStates, settlementTimeoutMs);
    if (!ended) return t.notExercised('the order neither settled nor was withdrawn');
    if (ended.status === 'SETTLED') return undefined;
    await assertAtomic(t, order, ended);
    return assertAbsorbed(t, order, ended);
  },
});

const validation = defineCheck({
  id: 'order.failure.validation',
  title: 'A PENDING order whose validation fails is FAILED for good, without an accepted quote.',
  requirements: [
    'order.state.pending-to-failed',
    'order.quote-id.not-before-acceptance',
    'order.accept.cancelled-order-refused',
    ...atomic,
  ],
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['fail_validation'],
    waitMs: 2 * waits.settlement,
  },
  async run(t) {
    const order = await disturbedOrder(t, 'fail_validation');
    const requirement = 'order.state.pending-to-failed';
    const when = 'though its validation was made to fail';
    const ended = await assertReaches(t, requirement, order, ['FAILED'], settlementTimeoutMs, when);
    if (!ended) return;
    const set = acceptanceFields.filter((name) => isSet(ended.data, name));
    t.assert('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
      message: `An order that failed before any acceptance showed ${set.join(', ')}.`,
      seen: [ended.exchange],
    });
    await assertAtomic(t, order, ended);
    await assertAbsorbed(t, order, ended);
  },
});

export const failedSettlementChecks: readonly Check[] = [
  ...reverts,
  refusedCancel,
  stalls,
  withdrawals,
  withdrawnLate,
  validation,
];
