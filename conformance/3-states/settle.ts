import type { Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  awaitStatus,
  fieldsOf,
  insist,
  paramsOf,
  type PlacedOrder,
  type Reached,
  readOrder,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { judgeQuote } from './quotes-seen.ts';
import { type Deal, judgeTerms } from './terms.ts';
import { awaitTold, stateTold } from './told.ts';
import { judgeState } from './verdicts.ts';
import { isSet, settlementPatienceMs, terminal } from './words.ts';

const toldWithinMs = 6_000;

/** Follows an accepted order to its settlement and judges what it, its quote and its maker then show. */
export async function judgeSettlement(
  trial: Trial,
  deal: Deal,
  acceptance: Exchange,
): Promise<void> {
  const { order, quote: placed, acceptedBy } = deal;
  const { opened } = trial.party(order.by).events;
  const first = await awaitStatus(
    trial,
    order,
    ['EXECUTING', 'SETTLED'],
    settlementPatienceMs,
    order.by,
  );
  // Told where its stream tells, so that it need not be asked for over and over.
  if (first?.status !== 'SETTLED') await awaitTold(trial, order.by, order, terminal, toldWithinMs);
  const settled =
    first?.status === 'SETTLED'
      ? first
      : await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs, order.by);
  const end = settled ?? (await readOrder(trial, order, order.by));
  for (const requirement of [
    'order.state.executing-to-settled',
    'service.order-to-settlement',
    ...(acceptedBy === 'sender_custodian'
      ? (['quote.accept.custodian-order-settles'] as const)
      : []),
  ] as const) {
    judgeState(trial, requirement, end, ['SETTLED'], '15 s after its quote was accepted');
  }
  if (!settled) return;
  const heardAll = opened.received < acceptance.sent ? opened.id : undefined;
  await judgeExecuting(trial, deal, first, heardAll);
  const missing = ['transaction_hash', 'settled_at'].filter((name) => !isSet(settled.data, name));
  trial.judge('order.settled.sets-hash', missing.length === 0, {
    message: `A SETTLED order lacked ${missing.join(' and ')}.`,
    seen: [settled.exchange],
  });
  judgeTerms(trial, deal, settled);
  judgeDuration(trial, order, acceptance, settled);
  const kept = 'quote.state.accepted-stays-through-settlement';
  await judgeQuote(
    trial,
    kept,
    order,
    placed,
    ['ACCEPTED'],
    'after its order had settled',
    order.by,
  );
  await judgeQuote(
    trial,
    kept,
    order,
    placed,
    ['ACCEPTED'],
    'after its order had settled',
    'its maker',
  );
  await judgeWon(trial, deal);
}

/**
 * A state may be too short to be read; an event tells of it all the same, where the stream was open throughout.
 * @param heardAll the stream that was open before the acceptance, if any: it may have ended since, and another begun
 */
async function judgeExecuting(
  trial: Trial,
  { order }: Deal,
  first: Reached | undefined,
  heardAll: string | undefined,
): Promise<void> {
  const requirement = 'order.state.quoted-to-executing';
  if (first?.status === 'EXECUTING') {
    trial.judge(requirement, true, { message: '' });
    return;
  }
  const settledTold = await awaitTold(trial, order.by, order, ['SETTLED'], 5_000);
  const executingTold = await awaitTold(trial, order.by, order, ['EXECUTING'], 1_000);
  if (executingTold) trial.judge(requirement, true, { message: '' });
  else if (settledTold && settledTold.stream === heardAll) {
    trial.judge(requirement, false, {
      message:
        'An order went to SETTLED without ever being EXECUTING, by its reads and its events.',
      expected: 'QUOTED, then EXECUTING, then SETTLED',
      seen: [settledTold],
    });
  }
}

const longestMs = 8_000;

const shortestMs = 1_500;

function judgeDuration(
  trial: Trial,
  order: PlacedOrder,
  acceptance: Exchange,
  { frame }: Reached,
): void {
  // What was told first may be another state, and the read that found this one much later.
  if (!frame || stateTold(frame, order) !== 'SETTLED') return;
  const least = (frame.after ?? frame.received) - acceptance.received;
  const most = frame.received - acceptance.sent;
  trial.judge('limit.settlement-duration', least <= longestMs && most >= shortestMs, {
    message: `An order was told SETTLED ${most / 1000} s after its quote was accepted.`,
    expected: 'about 4 s',
    actual: most / 1000,
    seen: [acceptance, frame],
  });
}

/** The winner can read the settlement; what it shows is for the rules to compare. */
async function judgeWon(trial: Trial, { order, quote: { maker } }: Deal): Promise<void> {
  const party = trial.party(maker);
  const exchange = await insist(trial, () =>
    party.call('settlement.read', { params: paramsOf(order) }),
  );
  const what = `${maker} reading the settlement that it won`;
  const requirement = 'settlement.read.returns-that-settlement';
  if (!allowed(trial, requirement, exchange, what) || !succeeded(exchange)) return;
  const shown = textOf(fieldsOf(exchange), 'intent_id');
  trial.judge(requirement, shown === order.intentId, {
    message: 'A settlement was read that is not that of the order asked for.',
    expected: order.intentId,
    actual: shown ?? null,
    seen: [exchange],
  });
}
