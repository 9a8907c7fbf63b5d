import type { Exchange, Frame, History } from '../../history/records.ts';
import { isDenied, succeeded, dataOf, type Fields, isObject } from '../../protocol/answers.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import type { GapObservation } from '../../target/gap-observations.ts';
import { groupBy } from '../../history/group-by.ts';
import { shownText } from '../../protocol/json.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { terminalOrderStates } from '../../spec/states.ts';

export type Observations = Iterable<GapObservation>;

/** An answer to a gap, by the exchanges and frames that show it. */
export const observed = (
  gap: GapId,
  answer: string,
  shownBy: readonly { readonly id: string }[],
  subject?: string,
): GapObservation => ({
  gap,
  answer,
  ...(subject !== undefined && { subject }),
  evidence: shownBy.map(({ id }) => id),
});

/** One word for a request that was granted, another for one that was denied; undefined for anything else. */
export function outcomeOf(exchange: Exchange, granted: string, denied = 'refuse') {
  if (succeeded(exchange)) return granted;
  return isDenied(exchange) ? denied : undefined;
}

/** Index of each exchange in its history. */
const positions = new WeakMap<Exchange, number>();

export function exchangesOf(history: History): readonly Exchange[] {
  return history.records.filter((record, index) => {
    if (record.kind === 'exchange') positions.set(record, index);
    return record.kind === 'exchange';
  });
}

export const framesOf = (history: History): readonly Frame[] =>
  history.records.filter((record) => record.kind === 'frame');

/** True if `later` certainly began after `earlier` was over. Whole milliseconds alone cannot show that. */
export function follows(later: Exchange, earlier: Exchange): boolean {
  const [one, two] = [positions.get(earlier) ?? 0, positions.get(later) ?? 0];
  if (later.precededBy !== undefined) return one < later.precededBy;
  return two > one && later.sent >= earlier.received;
}

/** Cached lookups in a list of exchanges; stale once the list has grown. */
interface Index {
  readonly length: number;
  readonly byNames: Map<string, readonly Exchange[]>;
  readonly byOrder: Map<EndpointName, ReadonlyMap<string, readonly Exchange[]>>;
  orders?: ReadonlyMap<string, readonly OrderSnapshot[]>;
}

/** Cache, because many observers do the same lookups. */
const indexes = new WeakMap<readonly Exchange[], Index>();

function indexOf(exchanges: readonly Exchange[]): Index {
  const known = indexes.get(exchanges);
  if (known?.length === exchanges.length) return known;
  const index = { length: exchanges.length, byNames: new Map(), byOrder: new Map() };
  indexes.set(exchanges, index);
  return index;
}

/** Calls to some endpoints. */
export function callsTo(exchanges: readonly Exchange[], ...names: readonly EndpointName[]) {
  const { byNames } = indexOf(exchanges);
  const key = names.join();
  const expected = new Set<string | undefined>(names);
  const found = byNames.get(key) ?? exchanges.filter(({ endpoint }) => expected.has(endpoint));
  byNames.set(key, found);
  return found;
}

/** Calls to some endpoints with the party's own token. */
export const ownCallsTo = (exchanges: readonly Exchange[], ...names: readonly EndpointName[]) =>
  callsTo(exchanges, ...names).filter(({ auth }) => auth === 'own');

/** Calls to one endpoint about one order. */
export function callsAbout(
  exchanges: readonly Exchange[],
  name: EndpointName,
  intentId: string | undefined,
): readonly Exchange[] {
  const { byOrder } = indexOf(exchanges);
  const found =
    byOrder.get(name) ?? groupBy(callsTo(exchanges, name), ({ params }) => params.intent_id);
  byOrder.set(name, found);
  return found.get(intentId ?? '') ?? [];
}

/** An order as one answer showed it. */
export interface OrderSnapshot {
  readonly id: string;
  readonly order: Fields;
  readonly exchange: Exchange;
}

/** True if an answer shows an order with all its fields, not its id and status alone. */
export const isWholeOrder = (data: unknown): data is Fields =>
  isObject(data) && [data['intent_id'], data['created_at']].every((id) => typeof id === 'string');

/** Every whole order in every answer by its id, those of one id in the order of the history. */
export function ordersIn(exchanges: readonly Exchange[]) {
  const index = indexOf(exchanges);
  index.orders ??= groupBy(
    callsTo(
      exchanges,
      'order.create',
      'order.read',
      'order.list',
      'quote.accept',
      'order.cancel',
    ).flatMap((exchange) =>
      [dataOf(exchange)]
        .flat()
        .filter(isWholeOrder)
        .map((order): OrderSnapshot => ({ id: shownText(order['intent_id']), order, exchange })),
    ),
    ({ id }) => id,
  );
  return index.orders;
}

/** The first sight of an order in a state that it cannot leave. */
export const endOf = (shown: readonly OrderSnapshot[] | undefined): OrderSnapshot | undefined =>
  shown?.find(({ order }) => terminalOrderStates.some((state) => state === order['status']));
