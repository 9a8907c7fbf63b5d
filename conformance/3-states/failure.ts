import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  disturbedOrder,
  findInList,
  isOrder,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  type Reached,
  readOrder,
  refused,
} from '../../src/conformance/moves/index.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { lifeRequirementsOf, live } from './flow.ts';
import { judgeQuote } from './quotes-seen.ts';
import { judgeTerms } from './terms.ts';
import { awaitTold, stateTold } from './told.ts';
import { judgeAdmissible, judgeReason, judgeState, mustReach } from './verdicts.ts';
import {
  acceptanceFields,
  acceptCall,
  type Accepter,
  cancelCall,
  each,
  isSet,
  settlementPatienceMs,
  settlementWindowMs,
  terminal,
  unsettled,
  waits,
} from './words.ts';

const atomic = [
  'settlement.atomic',
  'settlement.list.failed-left-out',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** All or nothing: what did not settle shows no settlement, to its sender and to the maker. */
async function judgeAtomic(trial: Trial, order: PlacedOrder, ended: Reached): Promise<void> {
  const requirement = 'settlement.atomic';
  // A transaction that was reverted has a hash too; a moment of settlement there is none.
  trial.judge(requirement, !isSet(ended.data, 'settled_at'), {
    message: `An order that ended ${ended.status} showed a settlement moment.`,
    actual: ended.data['settled_at'],
    seen: [ended.exchange],
  });
  const maker = trial.party('maker_a');
  const no = await maker.call('settlement.read', { params: paramsOf(order) });
  refused(trial, requirement, no, 'reading the settlement of an order that did not settle');
  const found = await findInList(trial, maker, 'settlement.list', isOrder(order));
  if (found.item || found.ended === 'whole') {
    trial.judge('settlement.list.failed-left-out', !found.item, {
      message: `An order that ended ${ended.status} was among the settlements.`,
      actual: found.item,
      seen: found.pages.slice(-1),
    });
  }
}

/** What has ended stays so, whatever is tried. */
async function judgeAbsorbed(
  trial: Trial,
  order: PlacedOrder,
  ended: Reached,
  rival?: PlacedQuote,
): Promise<void> {
  await cancelCall(trial, order);
  if (rival) await acceptCall(trial, order, rival);
  if (trial.target.parties.sender_custodian) {
    await trial.party('sender_custodian').call('proposal.accept', { params: paramsOf(order) });
  }
  await trial.target.timeline.sleep(6_000);
  const later = await readOrder(trial, order);
  const stays =
    ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
  judgeState(trial, stays, later, [ended.status], `after having been ${ended.status}`);
}

/** A settlement that fails has begun: 3.1 leads to FAILED from EXECUTING, and each change is told. */
function judgeBegun(trial: Trial, order: PlacedOrder, opened: string): void {
  const { events } = trial.party('sender');
  if (!events.isOpen || events.opened.id !== opened) return;
  const told = events.frames.flatMap((frame) => stateTold(frame, order) ?? []);
  if (!told.includes('QUOTED') || !told.includes('FAILED')) return;
  trial.judge('order.state.executing-to-failed', told.includes('EXECUTING'), {
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
      async run(trial) {
        const { id } = trial.party('sender').events.opened;
        const order = await disturbedOrder(trial, 'fail_settlement');
        const placed = await quote(trial, 'maker_a', order);
        const rival = rivals ? await quote(trial, 'maker_b', order) : undefined;
        await accept(trial, order, placed, by);
        const requirement = 'order.state.executing-to-failed';
        const when = 'though its settlement was made to fail';
        const ended = await mustReach(
          trial,
          requirement,
          order,
          ['FAILED'],
          settlementPatienceMs,
          when,
        );
        if (!ended) return;
        await awaitTold(trial, 'sender', order, ['FAILED'], settlementPatienceMs);
        judgeBegun(trial, order, id);
        judgeTerms(trial, { order, quote: placed }, ended);
        judgeReason(trial, 'order.failure-reason.revert', ended, ['REVERT']);
        judgeAdmissible(trial, ended);
        await judgeAtomic(trial, order, ended);
        const unusable = 'quote.state.listed-transitions-only';
        const over = 'once its settlement had failed';
        await judgeQuote(trial, unusable, order, placed, ['ACCEPTED', 'REJECTED', 'EXPIRED'], over);
        if (rival) {
          const lost = 'quote.state.pending-to-rejected';
          await judgeQuote(
            trial,
            lost,
            order,
            rival,
            ['REJECTED'],
            "after another's settlement had failed",
          );
        }
        await judgeAbsorbed(trial, order, ended, rival);
        await live(trial, { acceptedBy: 'sender' });
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
  async run(trial) {
    const order = await disturbedOrder(trial, 'fail_settlement');
    await accept(trial, order, await quote(trial, 'maker_a', order));
    const running = await awaitStatus(trial, order, ['EXECUTING'], settlementPatienceMs);
    const no = await cancelCall(trial, order);
    if (!running || !isRefusal(no)) return trial.giveUp('no cancel of it was refused', [no]);
    const ended = await awaitStatus(trial, order, ['FAILED'], settlementPatienceMs);
    if (!ended) return trial.giveUp('its settlement did not fail');
    return judgeReason(trial, 'order.failure-reason.revert', ended, ['REVERT']);
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
  async run(trial) {
    const order = await disturbedOrder(trial, 'stall_settlement');
    const placed = await quote(trial, 'maker_a', order);
    await accept(trial, order, placed);
    const ended = await awaitStatus(trial, order, unsettled, settlementWindowMs);
    if (!ended) {
      const longest = `${settlementWindowMs / 1_000} s`;
      return trial.giveUp(`the settlement window here is longer than ${longest}`);
    }
    judgeReason(trial, 'order.failure-reason.timeout', ended, ['TIMEOUT']);
    await judgeAtomic(trial, order, ended);
    return judgeAbsorbed(trial, order, ended);
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
  async run(trial) {
    const order = await disturbedOrder(trial, 'withdraw_order');
    const ended = await awaitStatus(trial, order, unsettled, settlementPatienceMs);
    if (!ended) return trial.giveUp('the order was not withdrawn while it was PENDING');
    judgeReason(trial, 'order.failure-reason.operator-withdrawn', ended, ['OPERATOR_WITHDRAWN']);
    await judgeAtomic(trial, order, ended);
    return judgeAbsorbed(trial, order, ended);
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
  async run(trial) {
    // Where it is withdrawn soon by itself, it may be too late for either.
    const order = await disturbedOrder(trial, 'withdraw_order', {}, async (placed) => {
      await accept(trial, placed, await quote(trial, 'maker_a', placed));
    });
    const ended = await awaitStatus(trial, order, terminal, settlementPatienceMs);
    if (!ended) return trial.giveUp('the order neither settled nor was withdrawn');
    if (ended.status === 'SETTLED') return undefined;
    await judgeAtomic(trial, order, ended);
    return judgeAbsorbed(trial, order, ended);
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
  async run(trial) {
    const order = await disturbedOrder(trial, 'fail_validation');
    const requirement = 'order.state.pending-to-failed';
    const when = 'though its validation was made to fail';
    const ended = await mustReach(
      trial,
      requirement,
      order,
      ['FAILED'],
      settlementPatienceMs,
      when,
    );
    if (!ended) return;
    const set = acceptanceFields.filter((name) => isSet(ended.data, name));
    trial.judge('order.quote-id.not-before-acceptance', !set.includes('quote_id'), {
      message: `An order that failed before any acceptance showed ${set.join(', ')}.`,
      seen: [ended.exchange],
    });
    await judgeAtomic(trial, order, ended);
    await judgeAbsorbed(trial, order, ended);
  },
});

export const failureChecks: readonly Check[] = [
  ...reverts,
  refusedCancel,
  stalls,
  withdrawals,
  withdrawnLate,
  validation,
];
