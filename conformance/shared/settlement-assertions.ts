import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  awaitStatus,
  fieldsOf,
  retryWhileRefused,
  paramsOf,
  type PlacedOrder,
  type ReachedState,
  readOrder,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { assertQuoteState } from './listed-quotes.ts';
import { type Deal, assertAcceptedTerms } from './accepted-terms.ts';
import { awaitUpdate, stateInUpdate } from './order-updates.ts';
import { assertState } from './order-assertions.ts';
import { isSet, settlementTimeoutMs, terminalStates } from './order-calls.ts';

const toldWithinMs = 6_000;

/** Follows an accepted order to its settlement and judges what it, its quote and its maker then show. */
export async function assertSettlement(
  t: CheckContext,
  deal: Deal,
  acceptance: Exchange,
): Promise<void> {
  const { order, quote: placed, acceptedBy } = deal;
  const { opened } = t.party(order.by).events;
  const first = await awaitStatus(
    t,
    order,
    ['EXECUTING', 'SETTLED'],
    settlementTimeoutMs,
    order.by,
  );
  // Told where its stream tells, so that it need not be asked for over and over.
  if (first?.status !== 'SETTLED')
    await awaitUpdate(t, order.by, order, terminalStates, toldWithinMs);
  const settled =
    first?.status === 'SETTLED'
      ? first
      : await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs, order.by);
  const end = settled ?? (await readOrder(t, order, order.by));
  for (const requirement of [
    'order.state.executing-to-settled',
    'service.order-to-settlement',
    ...(acceptedBy === 'sender_custodian'
      ? (['quote.accept.custodian-order-settles'] as const)
      : []),
  ] as const) {
    assertState(t, requirement, end, ['SETTLED'], '15 s after its quote was accepted');
  }
  if (!settled) return;
  const heardAll = opened.received < acceptance.sent ? opened.id : undefined;
  await assertExecuting(t, deal, first, heardAll);
  const missing = ['transaction_hash', 'settled_at'].filter((name) => !isSet(settled.data, name));
  t.assert('order.settled.sets-hash', missing.length === 0, {
    message: `A SETTLED order lacked ${missing.join(' and ')}.`,
    seen: [settled.exchange],
  });
  assertAcceptedTerms(t, deal, settled);
  assertDuration(t, order, acceptance, settled);
  const kept = 'quote.state.accepted-stays-through-settlement';
  await assertQuoteState(
    t,
    kept,
    order,
    placed,
    ['ACCEPTED'],
    'after its order had settled',
    order.by,
  );
  await assertQuoteState(
    t,
    kept,
    order,
    placed,
    ['ACCEPTED'],
    'after its order had settled',
    'its maker',
  );
  await assertSettlementReadable(t, deal);
}

/**
 * A state may be too short to be read; an event tells of it all the same, where the stream was open throughout.
 * @param heardAll the stream that was open before the acceptance, if any: it may have ended since, and another begun
 */
async function assertExecuting(
  t: CheckContext,
  { order }: Deal,
  first: ReachedState | undefined,
  heardAll: string | undefined,
): Promise<void> {
  const requirement = 'order.state.quoted-to-executing';
  if (first?.status === 'EXECUTING') {
    t.assert(requirement, true, { message: '' });
    return;
  }
  const settledTold = await awaitUpdate(t, order.by, order, ['SETTLED'], 5_000);
  const executingTold = await awaitUpdate(t, order.by, order, ['EXECUTING'], 1_000);
  if (executingTold) t.assert(requirement, true, { message: '' });
  else if (settledTold && settledTold.stream === heardAll) {
    t.assert(requirement, false, {
      message:
        'An order went to SETTLED without ever being EXECUTING, by its reads and its events.',
      expected: 'QUOTED, then EXECUTING, then SETTLED',
      seen: [settledTold],
    });
  }
}

const longestMs = 8_000;

const shortestMs = 1_500;

function assertDuration(
  t: CheckContext,
  order: PlacedOrder,
  acceptance: Exchange,
  { frame }: ReachedState,
): void {
  // What was told first may be another state, and the read that found this one much later.
  if (!frame || stateInUpdate(frame, order) !== 'SETTLED') return;
  const least = (frame.after ?? frame.received) - acceptance.received;
  const most = frame.received - acceptance.sent;
  t.assert('limit.settlement-duration', least <= longestMs && most >= shortestMs, {
    message: `An order was told SETTLED ${most / 1000} s after its quote was accepted.`,
    expected: 'about 4 s',
    actual: most / 1000,
    seen: [acceptance, frame],
  });
}

/** The winner can read the settlement; what it shows is for the rules to compare. */
async function assertSettlementReadable(
  t: CheckContext,
  { order, quote: { maker } }: Deal,
): Promise<void> {
  const party = t.party(maker);
  const exchange = await retryWhileRefused(t, () =>
    party.call('settlement.read', { params: paramsOf(order) }),
  );
  const what = `${maker} reading the settlement that it won`;
  const requirement = 'settlement.read.returns-that-settlement';
  if (!assertAllowed(t, requirement, exchange, what) || !succeeded(exchange)) return;
  const shown = textOf(fieldsOf(exchange), 'intent_id');
  t.assert(requirement, shown === order.intentId, {
    message: 'A settlement was read that is not that of the order asked for.',
    expected: order.intentId,
    actual: shown ?? null,
    seen: [exchange],
  });
}
