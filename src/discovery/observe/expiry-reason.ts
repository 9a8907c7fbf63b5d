import type { Exchange } from '../../history/records.ts';
import type { Decimal } from 'decimal.js';
import { groupBy } from '../../history/group-by.ts';
import {
  callsAbout,
  amount,
  bodyOf,
  type Fields,
  ordersIn,
  succeeded,
  text,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import { failureReasonIn } from '../../protocol/failure-reason.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

/** What had been offered for an order when it expired; a reason may depend on it. */
const situations = ['with no quote', 'with quotes', 'with quotes above the maximum'] as const;
type Situation = (typeof situations)[number];

/** Other reasons tell that an order ended in another way, whatever its state is called (gap `withdrawn.state`). */
const ofExpiry = ['unset', 'NO_QUOTE', 'SLIPPAGE'];

/** An order that expired, and the reason that it was first shown with. */
interface Expired {
  readonly situation: Situation;
  readonly reason: string;
  readonly exchange: Exchange;
}

/** Which failure reason orders expire with: one answer of the register for all of them (gap `expiry.reason`). */
export function observeExpiry(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const expired = expiredIn(exchanges);
  const usual = new Map<Situation, string>();
  for (const { situation, reason } of expired) {
    if (!usual.has(situation)) usual.set(situation, reason);
  }
  const whole = answerOf(usual);
  return expired.map(({ situation, reason, exchange }) => ({
    gap: 'expiry.reason',
    answer: reason === usual.get(situation) ? whole : `${reason} ${situation}`,
    subject: situation,
    evidence: [exchange.id],
  }));
}

function answerOf(usual: ReadonlyMap<Situation, string>): string {
  const [none, within, above] = situations.map((situation) => usual.get(situation));
  if (none === 'NO_QUOTE' && within === 'unset') {
    if (above === 'SLIPPAGE') return 'by-quotes';
    if (above === 'unset') return 'no-quote-only';
  }
  if (none === 'unset' && within === 'unset' && above !== 'SLIPPAGE') return 'unset';
  return situations
    .flatMap((situation) => {
      const reason = usual.get(situation);
      return reason === undefined ? [] : [`${reason} ${situation}`];
    })
    .join(', ');
}

/** Orders that this history saw created, so that it knows of their quotes, and that nobody ended. */
function expiredIn(exchanges: readonly Exchange[]): readonly Expired[] {
  const cancels = groupBy(callsTo(exchanges, 'order.cancel'), ({ params }) => params.intent_id);
  return [...ordersIn(exchanges)].flatMap(([id, shown]): Expired[] => {
    if (shown[0]?.exchange.endpoint !== 'order.create' || cancels.has(id)) return [];
    const ended = shown.find(({ order }) => order['status'] === 'EXPIRED');
    if (!ended || text(ended.order['quote_id']) !== undefined) return [];
    const situation = situationOf(exchanges, id, ended.order);
    if (situation === undefined) return [];
    const wasQuoted = shown.some(({ order }) => order['status'] === 'QUOTED');
    if (wasQuoted && situation === 'with no quote') return [];
    const reason = failureReasonIn(ended.order) ?? 'unset';
    return ofExpiry.includes(reason) ? [{ situation, reason, exchange: ended.exchange }] : [];
  });
}

function situationOf(
  exchanges: readonly Exchange[],
  id: string,
  order: Fields,
): Situation | undefined {
  const placed = callsAbout(exchanges, 'quote.submit', id).filter(succeeded);
  if (placed.length === 0) return 'with no quote';
  const most = amount(order['source_amount_max']);
  const costs = placed.map(costAtPar);
  if (!most || costs.some((cost) => cost?.lte(most))) return 'with quotes';
  return costs.every((cost) => cost?.gt(most)) ? 'with quotes above the maximum' : undefined;
}

/** What a quote costs the sender, where that is plain whichever way rates are written. */
function costAtPar(submission: Exchange): Decimal | undefined {
  const { fx_rate, target_amount } = bodyOf(submission);
  return amount(fx_rate)?.eq(1) ? amount(target_amount) : undefined;
}
