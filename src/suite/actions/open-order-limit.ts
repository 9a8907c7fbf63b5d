import type { Exchange, HistoryRecord } from '../../history/records.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { ActionContext } from './action-context.ts';
import { fieldsOf, isRefusal, sentBody, succeeded } from '../../protocol/answers.ts';
import { targetTime } from './target-time.ts';

/** A target may limit the open orders or quotes of one party. A lower limit than this leaves no room for a run. */
const many = 10;

/** Resources that may be limited: their name, the fields with their terms, and the field with their deadline. */
const bounded = {
  'order.create': {
    what: 'orders',
    terms: ['source_currency', 'target_currency', 'target_amount', 'source_amount_max'],
    deadline: 'expires_at',
  },
  'quote.submit': { what: 'quotes', terms: ['fx_rate'], deadline: 'valid_until' },
} as const;

const isBounded = (name: string | undefined): name is keyof typeof bounded =>
  name !== undefined && Object.hasOwn(bounded, name);

/** Terms of a request, without the fields that differ in each request. */
function termsOf(exchange: Exchange, terms: readonly string[]): string {
  const body = sentBody(exchange);
  return JSON.stringify([Object.keys(body).sort(), terms.map((name) => body[name])]);
}

/**
 * Excuse for a refused creation or submission: its party may have had too many orders or quotes open. The limit is not
 * documented (gap `limits.open_orders`). Undefined if the party had few open, or if none on the same terms was taken
 * before: then the terms themselves may be the reason.
 * @param least number from which they are many: lower if the creation is known to be like one that was taken.
 */
export function openLimitExcuse(
  t: ActionContext,
  exchange: Exchange,
  least = many,
): string | undefined {
  const { endpoint, party } = exchange;
  if (!isBounded(endpoint) || !isRefusal(exchange)) return undefined;
  const { what, terms, deadline } = bounded[endpoint];
  const { earliest } = targetTime(t, exchange);
  const isTaken = (record: HistoryRecord): record is Exchange =>
    record.kind === 'exchange' &&
    record.endpoint === endpoint &&
    record.party === party &&
    succeeded(record);
  const taken = t.target.history.records.filter(isTaken);
  // The current state is not read, so some that have ended may be counted as well.
  const open = taken.filter((one) => {
    const end = parseTimestamp(fieldsOf(one)[deadline]);
    return end === undefined || end > earliest;
  });
  const isUsual = taken.some((one) => termsOf(one, terms) === termsOf(exchange, terms));
  if (open.length < least || !isUsual) return undefined;
  return `${party} may have as many ${what} open as it may (gap limits.open_orders)`;
}
