import type { DrivenLife } from '../../src/combinations/factors.ts';
import {
  assertAllowed,
  awaitStatus,
  fieldsOf,
  isRefusal,
  openForQuotes,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  pollUntil,
  readOrder,
  retryWhileRefused,
  succeeded,
  targetNow,
  untilExpired,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { tolerance } from '../../src/protocol/tolerances.ts';
import { terminalOrderStates, unsettledStates } from '../../src/spec/states.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import { assertReason, assertState } from '../shared/order-assertions.ts';
import { cancelOrder, tryAccept, tryCancel } from '../shared/order-calls.ts';
import { createWith, otherContent } from '../shared/order-content.ts';
import { ownQuotesOf, quotesOf } from '../shared/listed-quotes.ts';
import { acceptQuote } from '../shared/order-life.ts';
import { stateOf } from '../shared/order-fields.ts';
import {
  expiryLagMs,
  settlementTimeoutMs,
  untilBefore,
  viewLagMs,
  waits,
} from '../shared/waits.ts';
import { awaitsExpiry, isInTime, isTooLate, momentsOf } from './plan.ts';
import { placeLapsing, placeLasting, placeWinner, quoteLate, winner } from './quotes.ts';
import { listenTo, resume } from './streams.ts';

/** After this time most settlements of "about four seconds" are complete. No read before, since each read is a call. */
const usualSettlementMs = 4_500;

/** "About four seconds", read widely, with room for the following calls. */
const outlastsSettlementMs = tolerance.settlementMaxMs + 500;

const money = {
  usual: { currencies: 'usual', size: 'usual' },
  'no-minor-unit': { currencies: 'to-yen', size: 'usual' },
  small: { currencies: 'usual', size: 'small' },
  large: { currencies: 'usual', size: 'large' },
} as const;

/** Plays one life to its end, and reads the results: the rules judge them. */
export async function live(t: CheckContext, life: DrivenLife): Promise<void> {
  const control = life.ending === 'failed' ? t.target.controls.fail_settlement : undefined;
  const { order, refused } = await createWith(t, {
    creator: 'sender',
    money: money[life.money],
    ...(control?.order && { fields: control.order }),
  });
  if (control) t.markDisturbed(order.intentId);
  await control?.call?.(order.intentId);
  if (awaitsExpiry(life)) announceExpiry(t, order);
  const stream = await listenTo(t, order, life);
  await openForQuotes(t, order);
  if (life.proposal === 'accepted') {
    const custodian = t.party('sender_custodian');
    await retryWhileRefused(t, () =>
      custodian.call('proposal.accept', { params: paramsOf(order) }),
    );
  }
  const lapsed = life.lapsed === 'yes' ? await placeLapsing(t, order, life) : undefined;
  const momentsNow = () => momentsOf(life, targetNow(t).latest, order.expiresAt ?? 0);
  const { quoteAt } = momentsNow();
  if (quoteAt !== undefined) await untilBefore(t, quoteAt, 0);
  const rivals = lapsed ?? (await placeLasting(t, order, life));
  const moments = momentsNow();
  const chosen = await placeWinner(t, order, moments, rivals);
  if (life.streams === 'resumed') await stream?.close();
  // An expired order sends no more events.
  const isEarly = life['expires-at'] === 'after';
  if (isEarly && life.streams === 'resumed' && stream) await resume(t, order, life, stream);
  if (moments.acceptAt !== undefined) await untilBefore(t, moments.acceptAt, 0);
  const acceptance =
    life.accepter === 'nobody' ? undefined : await acceptIn(t, order, chosen, life);
  if (life.beside === 'late-quote') await quoteLate(t, order);
  if (!isEarly && life.streams === 'resumed' && stream) await resume(t, order, life, stream);
  const outlasts =
    acceptance !== undefined &&
    chosen.validUntil >= acceptance.received + t.target.clock.offset.most + outlastsSettlementMs;
  await end(t, order, life, outlasts ? 'outlasts settlement' : 'may lapse');
  await look(t, order, life);
  if (refused) t.notExercised(`${otherContent}: its other factors were tried`, [refused]);
}

function announceExpiry(t: CheckContext, order: PlacedOrder): void {
  const { expiresAt } = order;
  if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
  const left = expiresAt - targetNow(t).earliest;
  t.allowWait(left + waits.settlement, "this target's orders' life");
}

/** Accepts as the life has it, and answers with the last attempt. */
async function acceptIn(t: CheckContext, order: PlacedOrder, quote: PlacedQuote, life: DrivenLife) {
  const by = life.accepter === 'custodian' ? 'sender_custodian' : 'sender';
  if (isTooLate(life)) {
    return tryAccept(t, order, quote, by);
  }
  if (life.ending === 'cancelled') {
    return acceptAndCancel(t, order, quote, by);
  }
  if (isInTime(life)) {
    return acceptQuote(t, { order, quote, acceptedBy: by });
  }
  const acceptance = await t.promptly(() => tryAccept(t, order, quote, by));
  // Rules judge if it came in time, and its consequences.
  if (isRefusal(acceptance)) {
    await readOrder(t, order, order.by);
    t.notExercised('the acceptance came too late, or was refused', [acceptance]);
  }
  return acceptance;
}

/**
 * An acceptance in time and a cancel with nothing in between, once the acceptance is granted. How long an order is
 * QUOTED is open.
 */
async function acceptAndCancel(
  t: CheckContext,
  order: PlacedOrder,
  quote: PlacedQuote,
  by: 'sender' | 'sender_custodian',
): Promise<Exchange> {
  const both = async (): Promise<{ accepted: Exchange; cancelled?: Exchange }> => {
    const accepted = await tryAccept(t, order, quote, by);
    return isRefusal(accepted) ? { accepted } : { accepted, cancelled: await tryCancel(t, order) };
  };
  const { accepted, cancelled } = await pollUntil(
    t,
    () => t.exclusively(both),
    (one) => !isRefusal(one.accepted),
  );
  if (isRefusal(accepted)) {
    const deadline = Math.min(quote.validUntil, order.expiresAt ?? Number.POSITIVE_INFINITY);
    if (accepted.received + t.target.clock.offset.most < deadline) {
      const accepts =
        by === 'sender' ? 'service.sender-accepts' : 'service.sender-custodian-accepts';
      assertAllowed(t, accepts, accepted, `${by} accepting a valid quote of ${quote.maker}`);
    }
    await readOrder(t, order, order.by);
    t.notExercised('the quote that was to be cancelled was not accepted', [accepted]);
  }
  if (cancelled && isRefusal(cancelled)) {
    await readOrder(t, order, order.by);
    t.notExercised('the order was QUOTED too shortly for a cancel to meet it', [cancelled]);
  }
  return accepted;
}

/** Goes on to the end of a life. */
async function end(t: CheckContext, order: PlacedOrder, life: DrivenLife, validity: Validity) {
  const { timeline } = t.target;
  switch (life.ending) {
    case 'settled':
      await timeline.sleep(usualSettlementMs);
      await reach(t, order, life['valid-until'] === 'last' ? terminalOrderStates : ['SETTLED']);
      return;
    case 'failed':
      await fail(t, order, validity);
      return;
    case 'cancelled':
      if (life.accepter === 'nobody' || isTooLate(life)) await cancelOrder(t, order);
      await timeline.sleep(life.accepter === 'nobody' ? viewLagMs + 1 : 8_000);
      await reach(t, order, unsettledStates);
      return;
    case 'expired':
      if (life['valid-until'] === 'last' && !isTooLate(life)) {
        // It expires with its quote if settlement has not begun by then.
        await timeline.sleep(expiryLagMs + usualSettlementMs);
        await reach(t, order, terminalOrderStates);
        return;
      }
      await untilExpired(t, order, expiryLagMs);
      await reach(t, order, ['EXPIRED']);
  }
}

/** `outlasts settlement`: the quote's deadline cannot pass before the settlement ends. */
type Validity = 'outlasts settlement' | 'may lapse';

/** Waits for the expected end of a life. If it ends otherwise, the rules judge if that is admissible. */
async function reach(t: CheckContext, order: PlacedOrder, states: readonly OrderState[]) {
  const reached = await awaitStatus(t, order, states, settlementTimeoutMs);
  if (reached) return;
  const { data, exchange } = await readOrder(t, order, order.by);
  t.notExercised(`the order came to another end: ${stateOf(data) ?? 'none'}`, [exchange]);
}

/** 3.1: a settlement that is made to fail ends its order FAILED; that it was made to only the check knows. */
async function fail(t: CheckContext, order: PlacedOrder, validity: Validity): Promise<void> {
  const ended = await awaitStatus(t, order, ['FAILED'], settlementTimeoutMs);
  if (validity === 'may lapse')
    t.notExercised("the quote's deadline may have ended the order before its settlement failed");
  const seen = ended ?? (await readOrder(t, order, order.by));
  const when = 'though its settlement was made to fail';
  assertState(t, 'order.state.executing-to-failed', seen, ['FAILED'], when);
  if (ended) assertReason(t, 'order.failure-reason.revert', ended, ['REVERT']);
}

/** Reads the results of a life as every party sees them. */
async function look(t: CheckContext, order: PlacedOrder, life: DrivenLife): Promise<void> {
  const { exchange } = await readOrder(t, order, 'sender_custodian');
  await quotesOf(t, order, life.accepter === 'custodian' ? 'sender' : 'sender_custodian');
  await ownQuotesOf(t, order, winner);
  if (succeeded(exchange) && stateOf(fieldsOf(exchange)) === 'SETTLED') {
    const maker = t.party(winner);
    await retryWhileRefused(t, () => maker.call('settlement.read', { params: paramsOf(order) }));
  }
}
