import { compare, equalNumbers, parseDecimal } from '../../protocol/decimal.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { isSet, type JsonObject, textOf } from '../../protocol/json.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { type Call, precedes } from './calls.ts';
import type { HistoryView } from './history-view.ts';
import { type Snapshot, timestampIn } from './snapshots.ts';
import {
  isIn,
  isUnsettled,
  mayHaveChanged,
  type OrderTrace,
  possiblyEffective,
  quoteStateOf,
  type QuoteTrace,
  touchesOf,
} from './traces.ts';

/**
 * Bodies of the submissions that were answered with this quote, in their order. There are several if a later quote
 * replaced the first and kept its id (gap `quote.twice`); it is then unknown which of them was in force at a moment.
 */
export function submittedBodies(
  quote: QuoteTrace,
  order: OrderTrace | undefined,
): readonly JsonObject[] {
  const bodies = (order?.submissions ?? []).flatMap((call) =>
    call.ok && call.sent && textOf(call.data, 'quote_id') === quote.id ? [call.sent] : [],
  );
  return bodies.length > 0 || !quote.sent ? bodies : [quote.sent];
}

export const isReplacedInPlace = (quote: QuoteTrace, order: OrderTrace | undefined): boolean =>
  submittedBodies(quote, order).length > 1;

/**
 * True if a later quote of the same maker may have taken the place of this one (gap `quote.twice`). False if this target
 * is known to take several, or if this quote was read PENDING when the later one must have shown.
 */
export function mayHaveGivenWay(
  view: HistoryView,
  { maker, submission, snapshots }: QuoteTrace,
  order: OrderTrace | undefined,
): boolean {
  if (maker === undefined || !submission || !order) return true;
  const later = possiblyEffective(order.submissions).filter(
    (call) => call.party === maker && call !== submission && !precedes(call, submission),
  );
  if (later.length === 0 || view.context.answers('quote.twice') === 'allow') return false;
  const shown =
    Math.max(...later.map(({ exchange }) => exchange.received)) + tolerance.replicationLagMs;
  return !snapshots.some((seen) => seen.from > shown && quoteStateOf(seen) === 'PENDING');
}

/** True if the terms of the quote may be those of another: one in its place, with its id or with an id of its own. */
export const mayBeReplaced = (
  view: HistoryView,
  quote: QuoteTrace,
  order: OrderTrace | undefined,
): boolean => isReplacedInPlace(quote, order) || mayHaveGivenWay(view, quote, order);

/** The acceptance that certainly selected a quote, with that quote; undefined if there is none. */
export function certainSelection(
  view: HistoryView,
  trace: OrderTrace,
): [Call, QuoteTrace] | undefined {
  const took = possiblyEffective(trace.acceptances);
  const [call] = took;
  const quoteId = call?.exchange.params.quote_id;
  if (!call?.ok || quoteId === undefined) return undefined;
  if (took.some((other) => other.exchange.params.quote_id !== quoteId)) return undefined;
  // An acceptance above the maximum may fail the order instead (gap `quote.above_max`).
  if (textOf(call.data, 'status') !== 'QUOTED') return undefined;
  const quote = view.quotes.get(quoteId);
  return quote?.maker === undefined ? undefined : [call, quote];
}

/** Submissions of a maker to an order, without the refused ones. */
export const submissionsBy = (trace: OrderTrace, maker: string): readonly Call[] =>
  possiblyEffective(trace.submissions).filter((call) => call.party === maker);

/** The first snapshot in which the order side is shown the price of a quote. */
export const priceShown = ({ snapshots }: QuoteTrace): Snapshot | undefined =>
  snapshots.find(({ resource, value }) => resource === 'quote' && isSet(value['source_amount']));

export function winnerOf(trace: OrderTrace): QuoteTrace | undefined {
  const id = trace.snapshots.map(({ value }) => value['quote_id']).find(isSet);
  return trace.quotes.find((quote) => quote.id === id);
}

/**
 * True if a settlement was started and failed. After a cancel, a deadline or a withdrawal, the state of the accepted
 * quote is open; after a failed settlement it is not.
 */
export const settlementFailed = ({ cancels, snapshots }: OrderTrace): boolean =>
  possiblyEffective(cancels).length === 0 &&
  snapshots.some(({ value }) => ['REVERT', 'TIMEOUT'].includes(failureReasonIn(value) ?? '')) &&
  !snapshots.some(isIn('EXPIRED'));

/** Validation may fail a PENDING order whenever it likes (gap `validation.when`), and so end its quotes. */
const mayHaveFailedAnyTime = (trace: OrderTrace): boolean =>
  touchesOf(trace).length === 0 && trace.snapshots.some(isIn('FAILED'));

/** True if the order was before its deadline at the snapshot, and nobody had accepted, cancelled or disturbed it. */
export function isOpenAndUntouched(
  view: HistoryView,
  trace: OrderTrace,
  snapshot: Snapshot,
): boolean {
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  return (
    trace.creation !== undefined &&
    !view.disturbed(trace.id) &&
    expiry !== undefined &&
    view.clock.before(snapshot, expiry) &&
    !mayHaveChanged(touchesOf(trace), snapshot) &&
    !mayHaveFailedAnyTime(trace)
  );
}

/** True if all that ended the order, or a quote on it, came when this deadline of a quote must have taken effect. */
export function lapsedWhileOpen(
  view: HistoryView,
  trace: OrderTrace,
  quoteDeadline: number,
): boolean {
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  return (
    trace.creation !== undefined &&
    !mayBeWithdrawn(view, trace) &&
    !mayHaveFailedAnyTime(trace) &&
    expiry !== undefined &&
    quoteDeadline + tolerance.deadlineLateMs < expiry &&
    touchesOf(trace).every((call) => view.clock.wellAfter(call, quoteDeadline))
  );
}

/** True if the order may have ended without settling. The state of its accepted quote is then open. */
export const mayEndUnsettled = (view: HistoryView, trace: OrderTrace | undefined): boolean =>
  !trace ||
  view.disturbed(trace.id) ||
  possiblyEffective(trace.cancels).length > 0 ||
  trace.snapshots.some(isUnsettled);

/** Validity after acceptance that outlasts any settlement of "about 4 seconds", in milliseconds. */
const outlastsSettlementMs = tolerance.settlementMaxMs + 500;

/** By source contract, the creations that sent it: one contract may not pay twice (gap `order.contract_reuse`). */
const contractsSent = (view: HistoryView): ReadonlyMap<unknown, number> => {
  const times = new Map<unknown, number>();
  for (const { sent } of view.endpoint('order.create')) {
    const contract = sent?.['source_contract_id'];
    times.set(contract, (times.get(contract) ?? 0) + 1);
  }
  return times;
};

/** An acceptance above the maximum may fail the order a little later (gap `quote.above_max`). */
function isAffordable({ snapshots, sent }: OrderTrace, quote: QuoteTrace): boolean {
  const shown =
    quote.snapshots.map(({ value }) => value['source_amount']).find(isSet) ??
    snapshots.map(({ value }) => value['source_amount_actual']).find(isSet) ??
    (equalNumbers(quote.sent?.['fx_rate'], '1') ? sent?.['target_amount'] : undefined);
  const [price, most] = [parseDecimal(shown), parseDecimal(sent?.['source_amount_max'])];
  return price !== undefined && most !== undefined && compare(price, most) <= 0;
}

/** True if an operator or a control may have ended the order, at any time. */
export const mayBeWithdrawn = (view: HistoryView, trace: OrderTrace): boolean =>
  view.disturbed(trace.id) ||
  trace.snapshots.some(({ value }) => failureReasonIn(value) === 'OPERATOR_WITHDRAWN');

/** The acceptance after which nothing stands in the way of an order's settlement, if there is one. */
export function mustSettleAfter(view: HistoryView, trace: OrderTrace): Call | undefined {
  const [call, quote] = certainSelection(view, trace) ?? [];
  if (!trace.creation || !call || !quote) return undefined;
  const contract = trace.sent?.['source_contract_id'];
  const validity = timestampIn(quote.snapshots, 'valid_until') ?? Number.NEGATIVE_INFINITY;
  const needed = call.exchange.received + view.context.offset.most + outlastsSettlementMs;
  const isFree =
    possiblyEffective(trace.cancels).length === 0 &&
    !mayBeWithdrawn(view, trace) &&
    !isReplacedInPlace(quote, trace) &&
    validity >= needed &&
    isAffordable(trace, quote) &&
    (contract === undefined || (view.once(contractsSent).get(contract) ?? 0) <= 1);
  return isFree ? call : undefined;
}
