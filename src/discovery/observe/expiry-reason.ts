import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import {
  type Fields,
  fieldsOf,
  itemsOf,
  sentBody,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { compare, equalNumbers, type ExactDecimal, parseDecimal } from '../../protocol/decimal.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import { callsAbout, callsTo, ordersIn, type Observations, observed } from './exchange-index.ts';

/** Quotes on an order when it expired; the failure reason may depend on them. */
const situations = ['with no quote', 'with quotes', 'with quotes above the maximum'] as const;
type Situation = (typeof situations)[number];

/** Reasons of an expiry. Any other reason shows another kind of end, in any state (gap `withdrawn.state`). */
const ofExpiry = ['unset', 'NO_QUOTE', 'SLIPPAGE'];

/** An order that expired, and the reason that it was first shown with. */
interface Expired {
  readonly situation: Situation;
  readonly reason: string;
  readonly exchange: Exchange;
}

/** Failure reason of expired orders: one answer of the register for all of them (gap `expiry.reason`). */
export function* observeExpiry(exchanges: readonly Exchange[]): Observations {
  const expired = strangersQuote(exchanges) ? [] : expiredIn(exchanges);
  const usual = new Map<Situation, string>();
  for (const { situation, reason } of expired) {
    if (!usual.has(situation)) usual.set(situation, reason);
  }
  const whole = answerOf(usual);
  for (const { situation, reason, exchange } of expired) {
    const answer = reason === usual.get(situation) ? whole : `${reason} ${situation}`;
    yield observed('expiry.reason', answer, [exchange], situation);
  }
}

function answerOf(usual: ReadonlyMap<Situation, string>): string {
  const [none, within, above] = situations.map((situation) => usual.get(situation));
  if (none === 'NO_QUOTE' && within === 'unset') {
    if (above === 'SLIPPAGE') return 'by-quotes';
    if (above === 'unset') return 'no-quote-only';
  }
  if (none === 'unset' && within === 'unset' && above !== 'SLIPPAGE') return 'unset';
  return situations
    .flatMap((situation) => (usual.has(situation) ? `${usual.get(situation)} ${situation}` : []))
    .join(', ');
}

/**
 * True if an order of this history lists a quote that nobody here submitted: a maker outside the cast may then have
 * quoted any other order too.
 */
function strangersQuote(exchanges: readonly Exchange[]): boolean {
  const idsFrom = (shown: readonly Exchange[], field: string) =>
    new Set(shown.map((one) => textOf(fieldsOf(one), field)?.toLowerCase()));
  const orders = idsFrom(callsTo(exchanges, 'order.create'), 'intent_id');
  const quotes = idsFrom(callsTo(exchanges, 'quote.submit'), 'quote_id');
  return callsTo(exchanges, 'order.quotes')
    .filter(({ params }) => orders.has(params.intent_id?.toLowerCase()))
    .some((list) =>
      itemsOf(list).some((one) => !quotes.has(textOf(one, 'quote_id')?.toLowerCase())),
    );
}

/** Orders that this history saw created, so that it knows of their quotes, and that nobody ended. */
function expiredIn(exchanges: readonly Exchange[]): readonly Expired[] {
  const cancels = groupBy(callsTo(exchanges, 'order.cancel'), ({ params }) => params.intent_id);
  return [...ordersIn(exchanges)].flatMap(([id, shown]): Expired[] => {
    if (shown[0]?.exchange.endpoint !== 'order.create' || cancels.has(id)) return [];
    const ended = shown.find(({ order }) => order['status'] === 'EXPIRED');
    if (!ended || textOf(ended.order, 'quote_id') !== undefined) return [];
    const situation = situationOf(exchanges, id, ended.order);
    const wasQuoted = shown.some(({ order }) => order['status'] === 'QUOTED');
    if (situation === undefined || (wasQuoted && situation === 'with no quote')) return [];
    const reason = failureReasonIn(ended.order) ?? 'unset';
    return ofExpiry.includes(reason) ? [{ situation, reason, exchange: ended.exchange }] : [];
  });
}

function situationOf(exchanges: readonly Exchange[], id: string, order: Fields) {
  const placed = callsAbout(exchanges, 'quote.submit', id).filter(succeeded);
  if (placed.length === 0) return 'with no quote';
  const most = parseDecimal(order['source_amount_max']);
  if (!most) return 'with quotes';
  const above = placed.map(costAtPar).map((cost) => cost && compare(cost, most) > 0);
  if (above.includes(false)) return 'with quotes';
  return above.includes(undefined) ? undefined : 'with quotes above the maximum';
}

/** Cost of a quote for the sender; undefined unless the rate is 1, at which both rate orientations agree. */
function costAtPar(submission: Exchange): ExactDecimal | undefined {
  const { fx_rate, target_amount } = sentBody(submission);
  return equalNumbers(fx_rate, '1') ? parseDecimal(target_amount) : undefined;
}
