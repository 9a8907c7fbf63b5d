import type { Exchange, HistoryRecord } from '../../history/records.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { ActionContext } from './action-context.ts';
import { fieldsOf, isRefusal, sentBody, succeeded } from '../../protocol/answers.ts';
import { targetTime } from './target-time.ts';

/** A target may limit one party to so many open orders, or quotes. A lower limit leaves no room for a run at all. */
const many = 10;

/** What a party may have too many of: what they are called, on which terms one is asked for, and how long it is open. */
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

/** What is asked for, without what is new with each. */
function termsOf(exchange: Exchange, terms: readonly string[]): string {
  const body = sentBody(exchange);
  return JSON.stringify([Object.keys(body).sort(), terms.map((name) => body[name])]);
}

/**
 * Why a refused creation or submission may have come of the number of orders or quotes that its party had open: how
 * many that may be is not shown (gap `limits.open_orders`). Undefined where it had few, or where nothing on the same
 * terms was taken before: then it may have come of what was asked for.
 * @param least how many are not few: fewer where the creation is known to be like one that was taken.
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
  // What has become of each meanwhile is not looked at: some of what has ended may be counted as well.
  const open = taken.filter((one) => {
    const end = parseTimestamp(fieldsOf(one)[deadline]);
    return end === undefined || end > earliest;
  });
  const isUsual = taken.some((one) => termsOf(one, terms) === termsOf(exchange, terms));
  if (open.length < least || !isUsual) return undefined;
  return `${party} may have as many ${what} open as it may (gap limits.open_orders)`;
}
