import { Decimal as Base } from 'decimal.js';
import type { EndpointName } from '../spec/endpoints.ts';
import { hasForm } from '../spec/forms.ts';
import { groupBy } from '../history/group-by.ts';
import { isObject, type JsonObject as Fields } from '../history/json.ts';
import type { Exchange, Frame, History } from '../history/records.ts';

export { isObject, type JsonObject as Fields } from '../history/json.ts';

/** Small readings of a history that several observers share. */

/** Where in its history each exchange stands. */
const positions = new WeakMap<Exchange, number>();

export function exchangesOf(history: History): readonly Exchange[] {
  return history.records.filter((record, index) => {
    if (record.kind === 'exchange') positions.set(record, index);
    return record.kind === 'exchange';
  });
}

/** Whether an exchange was begun for certain only after another was over. Whole milliseconds alone cannot tell. */
export function follows(later: Exchange, earlier: Exchange): boolean {
  const [one, two] = [positions.get(earlier) ?? 0, positions.get(later) ?? 0];
  if (later.precededBy !== undefined) return one < later.precededBy;
  return two > one && later.sent >= earlier.received;
}

export const framesOf = (history: History): readonly Frame[] =>
  history.records.filter((record) => record.kind === 'frame');

export const succeeded = (exchange: Exchange): boolean =>
  exchange.response !== undefined &&
  exchange.response.status >= 200 &&
  exchange.response.status < 300;

/** Refused for what was asked: not for the pace of asking, and not for the token where the token was the party's own. */
export const refused = (exchange: Exchange): boolean => {
  const status = exchange.response?.status ?? 0;
  return (
    status >= 400 && status < 500 && status !== 429 && (status !== 401 || exchange.auth !== 'own')
  );
};

/** `data` of a successful answer. */
export function dataOf(exchange: Exchange): unknown {
  const body = exchange.response?.body;
  return succeeded(exchange) && isObject(body) ? body['data'] : undefined;
}

export function itemsOf(exchange: Exchange): readonly Fields[] {
  const data = dataOf(exchange);
  return Array.isArray(data) ? data.filter(isObject) : [];
}

export interface Paging {
  readonly page: number;
  readonly page_size: number;
  readonly total_items: number;
  readonly total_pages: number;
}

export function pagingOf(exchange: Exchange): Paging | undefined {
  const body = exchange.response?.body;
  const paging = succeeded(exchange) && isObject(body) ? body['pagination'] : undefined;
  if (!isObject(paging)) return undefined;
  const { page, page_size, total_items, total_pages } = paging;
  const all = [page, page_size, total_items, total_pages];
  return all.every((one) => Number.isSafeInteger(one)) ? (paging as unknown as Paging) : undefined;
}

/** Whether an answer is a whole list: all on one page, and nothing filtered out. */
export function isWholeList(exchange: Exchange): boolean {
  const total = pagingOf(exchange)?.total_items;
  const unfiltered = exchange.query['status'] === undefined;
  return succeeded(exchange) && unfiltered && (total ?? 0) <= itemsOf(exchange).length;
}

export const bodyOf = (exchange: Exchange): Fields =>
  isObject(exchange.request.body) ? exchange.request.body : {};

/** What was looked up in a list of exchanges; of no use once the list has grown. */
interface Index {
  readonly length: number;
  readonly byNames: Map<string, readonly Exchange[]>;
  readonly byOrder: Map<EndpointName, ReadonlyMap<string, readonly Exchange[]>>;
  orders?: ReadonlyMap<string, readonly OrderSnapshot[]>;
}

/** Many observers look the same things up, again and again. */
const indexes = new WeakMap<readonly Exchange[], Index>();

function indexOf(exchanges: readonly Exchange[]): Index {
  const known = indexes.get(exchanges);
  if (known?.length === exchanges.length) return known;
  const index = { length: exchanges.length, byNames: new Map(), byOrder: new Map() };
  indexes.set(exchanges, index);
  return index;
}

export function callsTo(
  exchanges: readonly Exchange[],
  ...names: readonly EndpointName[]
): readonly Exchange[] {
  const { byNames } = indexOf(exchanges);
  const key = names.join();
  let found = byNames.get(key);
  if (!found) {
    const expected = new Set<string | undefined>(names);
    found = exchanges.filter(({ endpoint }) => expected.has(endpoint));
    byNames.set(key, found);
  }
  return found;
}

/** Those to one endpoint about one order. */
export function callsAbout(
  exchanges: readonly Exchange[],
  name: EndpointName,
  intentId: string | undefined,
): readonly Exchange[] {
  const { byOrder } = indexOf(exchanges);
  let found = byOrder.get(name);
  if (!found) {
    found = groupBy(callsTo(exchanges, name), ({ params }) => params.intent_id);
    byOrder.set(name, found);
  }
  return found.get(intentId ?? '') ?? [];
}

/** An order as one answer showed it. */
export interface OrderSnapshot {
  readonly id: string;
  readonly order: Fields;
  readonly exchange: Exchange;
}

/** Every whole order in every answer by its id, those of one id in the order of the history. */
export function ordersIn(
  exchanges: readonly Exchange[],
): ReadonlyMap<string, readonly OrderSnapshot[]> {
  const index = indexOf(exchanges);
  index.orders ??= groupBy(findOrders(exchanges), ({ id }) => id);
  return index.orders;
}

function findOrders(exchanges: readonly Exchange[]): readonly OrderSnapshot[] {
  const own = callsTo(
    exchanges,
    'order.create',
    'order.read',
    'order.list',
    'quote.accept',
    'order.cancel',
  );
  return own.flatMap((exchange) => {
    const data = dataOf(exchange);
    const items = Array.isArray(data) ? data : [data];
    return items.filter(isObject).flatMap((order) => {
      const id = order['intent_id'];
      const whole = typeof id === 'string' && typeof order['created_at'] === 'string';
      return whole ? [{ id, order, exchange }] : [];
    });
  });
}

/** How far the backends of two parties may lag behind each other, in milliseconds (gap `views.lag`). */
export const lagMs = 2_000;

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

export const Decimal = Base.clone({ precision: 40 });

/** A decimal string as a number to reckon with; undefined for anything else. */
export const amount = (value: unknown): Base | undefined =>
  hasForm('decimal', value) && value.length <= 40 ? new Decimal(value) : undefined;

/** A span as the register writes it: whole seconds stay seconds, to a tenth of one otherwise. */
export const spanOf = (ms: number): string => `${Math.round(ms / 100) / 10}s`;

/** `meta.timestamp` of a successful answer (2.1); undefined where it has none. */
export function responseTimestamp(exchange: Exchange): string | undefined {
  const body = exchange.response?.body;
  const meta = isObject(body) && dataOf(exchange) !== undefined ? body['meta'] : undefined;
  return isObject(meta) && typeof meta['timestamp'] === 'string' ? meta['timestamp'] : undefined;
}
