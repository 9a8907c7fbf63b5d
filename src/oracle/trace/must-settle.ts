import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { compare, equalNumbers, parseDecimal } from '../../protocol/decimal.ts';
import { isSet } from '../../protocol/json.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { Call } from './calls.ts';
import type { HistoryView } from './history-view.ts';
import { certainSelection } from './selected-quote.ts';
import { timestampIn } from './snapshots.ts';
import { isReplacedInPlace } from './submitted-quotes.ts';
import { type OrderTrace, possiblyEffective, type QuoteTrace } from './traces.ts';

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
