import type { Exchange, HistoryRecord } from '../../history/records.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { Trial } from '../check.ts';
import { type Fields, fieldsOf, isRefusal, succeeded } from './answers.ts';
import { targetTime } from './moments.ts';

/** So many open orders may be more than one party may have: fewer a run needs anyhow. */
const many = 10;

const bodyOf = ({ request }: Exchange): Fields => (request.body ?? {}) as Fields;

/** What a creation asks for, without what is new with each. */
function termsOf(exchange: Exchange): string {
  const body = bodyOf(exchange);
  const money = ['source_currency', 'target_currency', 'target_amount', 'source_amount_max'];
  return JSON.stringify([Object.keys(body).sort(), money.map((name) => body[name])]);
}

/**
 * Why a refused creation may have come of the number of orders that its party had open: how many that may be is not
 * shown (gap `limits.open_orders`). Undefined where it had few, or where nothing on the same terms was taken before:
 * then it may have come of what was asked for.
 * @param least how many are not few: fewer where the creation is known to be like one that was taken.
 */
export function crowdedOut(trial: Trial, exchange: Exchange, least = many): string | undefined {
  if (exchange.endpoint !== 'order.create' || !isRefusal(exchange)) return undefined;
  const { earliest } = targetTime(trial, exchange);
  const isTaken = (record: HistoryRecord): record is Exchange =>
    record.kind === 'exchange' &&
    record.endpoint === 'order.create' &&
    record.party === exchange.party &&
    succeeded(record);
  const taken = trial.target.history.records.filter(isTaken);
  const open = taken.filter((one) => {
    const expiry = parseTimestamp(fieldsOf(one)['expires_at']);
    return expiry === undefined || expiry > earliest;
  });
  if (open.length < least || !taken.some((one) => termsOf(one) === termsOf(exchange)))
    return undefined;
  return `${exchange.party} may have as many orders open as it may (gap limits.open_orders)`;
}
