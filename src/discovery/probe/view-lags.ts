import type { Exchange, Frame } from '../../history/records.ts';
import {
  fieldsOf,
  isDenied,
  itemsOf,
  matchesOrder,
  matchesQuote,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { terminalOrderStates } from '../../spec/states.ts';
import type { Lateness, Measuring, View, ViewLags } from '../../target/clock/view-lags.ts';
import { cancelOptions, paramsOf, type PlacedOrder } from '../../suite/actions/orders.ts';
import { concurrentlyEach } from '../../suite/actions/context.ts';
import { discoveryActor, placeOrder, type ProbeContext, submitQuote } from './probe-context.ts';

/** A host is busy now and then, but hardly twice in this many attempts. Fewer are enough if views lag by much. */
const attempts = { most: 5, least: 2, withinMs: 3_000 } as const;

const orderSide = ['sender', 'sender_custodian', 'receiver_custodian'] as const;
const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** A view that must come to show something. `isThere` is polled until it is true. Undefined: it never will be. */
interface Place {
  readonly party: CastName;
  readonly view: View;
  readonly isThere: () => Promise<boolean | undefined>;
}

/** Views that showed nothing at the first look: they need not show it. */
type Silent = Set<string>;
type Found = Map<string, { readonly place: Place; readonly times: Lateness[] }>;

const nameOf = ({ party, view }: Pick<Place, 'party' | 'view'>): string => `${party} ${view}`;

const isEnd = (state: string | undefined): boolean =>
  terminalOrderStates.some((one) => one === state);

const listed = [
  ...(['sender', 'sender_custodian'] as const).map((party) => [party, 'order.list'] as const),
  ...makers.map((party) => [party, 'rfq.list'] as const),
  ['maker_a', 'quote.list'],
] as const;

/** `total_items` of each list, because the first page need not show a new item. */
async function totalsOf(t: ProbeContext): Promise<ReadonlyMap<string, number>> {
  const totals = new Map<string, number>();
  const count = async ([party, view]: (typeof listed)[number]): Promise<void> => {
    const total = paginationOf(await t.party(party).call(view))?.total_items;
    if (total !== undefined) totals.set(nameOf({ party, view }), total);
  };
  await concurrentlyEach(
    t,
    listed.filter(([party]) => t.has(party)),
    count,
  );
  return totals;
}

/** Views that are to show an order and its consequences. */
function placesOf(t: ProbeContext, order: PlacedOrder, totals: ReadonlyMap<string, number>) {
  const call = (party: CastName, endpoint: EndpointName): Promise<Exchange> =>
    t.party(party).call(endpoint, { params: paramsOf(order) });
  const names = ({ data }: Frame): boolean =>
    JSON.stringify(data ?? null)
      .toLowerCase()
      .includes(order.intentId.toLowerCase());
  return {
    read: (
      party: CastName,
      view: EndpointName,
      shows: (exchange: Exchange) => boolean = succeeded,
    ): Place => ({ party, view, isThere: async () => shows(await call(party, view)) }),
    list: (party: CastName, view: EndpointName, isIt: (item: unknown) => boolean): Place => ({
      party,
      view,
      async isThere() {
        const exchange = await call(party, view);
        if (itemsOf(exchange).some(isIt)) return true;
        const { total_items: total, total_pages: pages } = paginationOf(exchange) ?? {};
        if (total === undefined || pages === undefined) return undefined;
        const before = totals.get(nameOf({ party, view }));
        return pages <= 1 || before === undefined ? false : total > before;
      },
    }),
    stream: (party: CastName, isIt: (frame: Frame) => boolean): Place => ({
      party,
      view: 'stream',
      async isThere() {
        const { events } = t.party(party);
        if (!events.isOpen) return undefined;
        return events.frames.some((frame) => isIt(frame) && names(frame));
      },
    }),
  };
}

/** Submits a quote; tries again if it may have waited for the acceptance of the order's proposal. */
async function tryQuote(t: ProbeContext, order: PlacedOrder): Promise<string | undefined> {
  if (!t.has('maker_a')) return undefined;
  const { exchange, id } = await submitQuote(t, order);
  if (!isDenied(exchange) || !t.has('sender_custodian')) return id;
  const params = paramsOf(order);
  await t.party('sender_custodian').call('proposal.accept', { params });
  return (await submitQuote(t, order)).id;
}

/** Polls all views side by side until each shows its item; the clock stands still meanwhile. */
async function measure(
  t: ProbeContext,
  lateness: Measuring,
  places: readonly Place[],
  { found, silent }: { readonly found: Found; readonly silent: Silent },
): Promise<void> {
  const { timeline } = t.target;
  const there = places.filter((place) => t.has(place.party) && !silent.has(nameOf(place)));
  await timeline.together(
    there.map((place) => {
      const wait = async (): Promise<void> => {
        const kind = place.view === 'stream' ? 'stream' : 'read';
        const known = found.get(nameOf(place)) ?? { place, times: [] };
        const rest = (pause: () => Promise<void>) => timeline.turn(pause);
        const late = await lateness(kind, place.isThere, rest, known.times.at(-1));
        found.set(nameOf(place), known);
        if (late === undefined) silent.add(nameOf(place));
        else known.times.push(late);
      };
      return [`${discoveryActor} ${nameOf(place)}`, wait] as const;
    }),
  );
}

/** Measures the lag of every view for one order, its quote and its end. */
async function measureOrder(
  t: ProbeContext,
  views: ViewLags,
  kept: { readonly found: Found; readonly silent: Silent },
): Promise<void> {
  const totals = await totalsOf(t);
  const created = views.measuring();
  const order = await placeOrder(t);
  const looks = placesOf(t, order, totals);
  const isIt = matchesOrder(order);
  await measure(
    t,
    created,
    [
      ...orderSide.map((party) => looks.read(party, 'order.read')),
      ...orderSide.slice(0, 2).map((party) => looks.list(party, 'order.list', isIt)),
      ...makers.map((party) => looks.read(party, 'rfq.read')),
      ...makers.map((party) => looks.list(party, 'rfq.list', isIt)),
      ...makers.map((party) => looks.stream(party, ({ event }) => event === 'quote_request_new')),
    ],
    kept,
  );
  const quoted = views.measuring();
  const quoteId = await tryQuote(t, order);
  if (quoteId !== undefined) {
    const isQuote = matchesQuote({ quoteId });
    await measure(
      t,
      quoted,
      [
        ...orderSide.slice(0, 2).map((party) => looks.list(party, 'order.quotes', isQuote)),
        looks.list('maker_a', 'rfq.quotes', isQuote),
        looks.list('maker_a', 'quote.list', isQuote),
      ],
      kept,
    );
  }
  const cancelled = views.measuring();
  const cancel = await t.party('sender').call('order.cancel', cancelOptions(t, order));
  if (!succeeded(cancel)) return;
  const showsEnd = (exchange: Exchange): boolean => isEnd(textOf(fieldsOf(exchange), 'status'));
  const tellsEnd = ({ event, data }: Frame): boolean =>
    event === 'order_updated' &&
    terminalOrderStates.some((state) => JSON.stringify(data ?? null).includes(`"${state}"`));
  await measure(
    t,
    cancelled,
    [
      ...orderSide.map((party) => looks.read(party, 'order.read', showsEnd)),
      ...orderSide.map((party) => looks.stream(party, tellsEnd)),
    ],
    kept,
  );
}

/**
 * A target whose clock is driven may still carry out the effects of a request in host time: its events come from a
 * queue, and parties and lists read from views that follow later. Measures the lag of each view, for each party.
 */
export async function probeViewLags(t: ProbeContext, views: ViewLags): Promise<void> {
  views.setUnknown(true);
  await measureAll(t, views).finally(() => views.setUnknown(false));
}

async function measureAll(t: ProbeContext, views: ViewLags): Promise<void> {
  const kept = { found: new Map() as Found, silent: new Set<string>() };
  let spentMs = 0;
  for (let tries = 0; tries < attempts.most; tries += 1) {
    if (tries >= attempts.least && spentMs > attempts.withinMs) break;
    const before = [...kept.found.values()].map(({ times }) => times.length);
    await measureOrder(t, views, kept);
    const latest = [...kept.found.values()].flatMap(({ times }, index) =>
      times.slice(before[index] ?? 0),
    );
    if (latest.every(({ mostMs }) => mostMs === 0)) break;
    spentMs += 3 * Math.max(...latest.map(({ mostMs }) => mostMs));
  }
  for (const { place, times } of kept.found.values()) {
    if (times.length === 0) continue;
    const [mostMs, waitMs] = (['mostMs', 'waitMs'] as const).map((one) =>
      usualMost(times.map((time) => time[one])),
    );
    views.learn(place.party, place.view, mostMs ?? 0, waitMs);
  }
}

/**
 * Usual maximum of measured lags. A view that waits for a timer lags the same each time; a view that polls a queue
 * lags anything up to the polling pause. The extremes show nothing, since the host may have been busy.
 */
function usualMost(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return at(0.5) + at(0.75) - at(0.25);
}
