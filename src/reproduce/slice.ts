import type { Exchange, Frame, History } from '../history/records.ts';
import { tokenOf } from '../history/token-label.ts';
import { dataIn, isObject } from '../history/json.ts';
import { endpoints } from '../spec/endpoints.ts';
import { groupBy } from '../history/group-by.ts';
import { castNames } from '../spec/requirements/requirement.ts';

/**
 * Part of a check's exchanges that is kept. `story`: the evidence, and the changes to the orders that it is about.
 * `orders`: everything about these orders. `neighbours`: the story of these and of neighbouring orders. `all`:
 * everything.
 */
type Extent = 'story' | 'orders' | 'neighbours' | 'all';
/** Page on which a flow looks for evidence that was on a later page of a longer list. */
export type Paging = 'as it was' | 'on one page' | 'on two pages';
/**
 * Start time of a flow. The hour may matter, as at the turn of a day; so may the date, as at the turn of a month or
 * year.
 */
export type Beginning = 'at once' | 'at the same hour' | 'on the same date';

/** One way to make a flow of a history: its extent, its paging and its start time. */
export interface Strategy {
  readonly extent: Extent;
  readonly paging: Paging;
  readonly begins: Beginning;
}

const asItWas = { paging: 'as it was', begins: 'at once' } as const;

export const strategies: readonly Strategy[] = [
  { ...asItWas, extent: 'story' },
  { ...asItWas, extent: 'orders' },
  { ...asItWas, extent: 'story', paging: 'on one page' },
  { ...asItWas, extent: 'orders', paging: 'on one page' },
  { ...asItWas, extent: 'story', paging: 'on two pages' },
  { ...asItWas, extent: 'neighbours' },
  { ...asItWas, extent: 'all' },
  { ...asItWas, extent: 'story', begins: 'at the same hour' },
  { ...asItWas, extent: 'all', begins: 'at the same hour' },
  { ...asItWas, extent: 'story', begins: 'on the same date' },
  { ...asItWas, extent: 'all', begins: 'on the same date' },
];

export interface Slice {
  /** In the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  /** Ids of the exchanges and frames without which the failure does not show. */
  readonly needed: ReadonlySet<string>;
  /** A party that created one of its orders and cannot be named in a scenario. */
  readonly unnamed?: string;
  /** For resumed streams: the opening of the earlier stream, and its end. */
  readonly resumed: ReadonlyMap<string, Resumed>;
}

export interface Resumed {
  readonly stream: string;
  readonly endedAt: number;
  /** Number of records in the history by then. */
  readonly endedAfter: number;
}

/** Finds resumed streams, each with the stream that it resumes. */
function resumedIn({ records }: History): Map<string, Resumed> {
  const lastOf = new Map<string, string>();
  const ends = new Map<string, Omit<Resumed, 'stream'>>();
  const resumed = new Map<string, Resumed>();
  for (const [index, record] of records.entries()) {
    if (record.kind === 'end') ends.set(record.stream, { endedAt: record.at, endedAfter: index });
    if (record.kind === 'frame' && record.eventId !== undefined)
      lastOf.set(`${record.party} ${record.eventId}`, record.stream);
    if (record.kind !== 'exchange') continue;
    const stream = lastOf.get(`${record.party} ${record.request.headers['last-event-id']}`);
    const end = stream === undefined ? undefined : ends.get(stream);
    if (stream !== undefined && end) resumed.set(record.id, { stream, ...end });
  }
  return resumed;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.toLowerCase() : undefined;

/** The order that a JSON object names, if it does. */
export const orderNamedIn = (value: unknown): string | undefined =>
  isObject(value) ? text(value['intent_id']) : undefined;

export const quoteNamedIn = (value: unknown): string | undefined =>
  isObject(value) ? text(value['quote_id']) : undefined;

/** A world may have more parties than a scenario can name. */
const isNameable = (party: string): boolean => castNames.some((name) => name === party);

const ordersMadeBy = (exchange: Exchange): readonly string[] => {
  const made = exchange.endpoint === 'order.create' ? orderNamedIn(dataIn(exchange)) : undefined;
  return made === undefined ? [] : [made];
};

/** The orders that an exchange is about by its path, its filter or its single answer; lists are about none. */
export function ordersOf(exchange: Exchange): readonly string[] {
  const { params, query } = exchange;
  const asked = text(params.intent_id) ?? text(query['intent_id']);
  return [...(asked === undefined ? [] : [asked]), ...ordersMadeBy(exchange)];
}

/** True for a request for a stream, opened or refused. */
export const isStream = ({ endpoint, opensStream }: Exchange): boolean =>
  opensStream === true || (endpoint !== undefined && endpoints[endpoint].result === 'stream');

const asksForToken = ({ endpoint }: Exchange): boolean => endpoint === 'token.create';

/** Orders of the check that the evidence is about: those that it names, else those that it contains, else all. */
function concerned(own: readonly Exchange[], evidence: readonly (Exchange | Frame)[]): Set<string> {
  const made = new Set(own.flatMap(ordersOf));
  const named = evidence.flatMap((one) =>
    one.kind === 'frame' ? (orderNamedIn(one.data) ?? []) : ordersOf(one),
  );
  if (named.some((id) => made.has(id))) return new Set(named);
  const shown = JSON.stringify(evidence).toLowerCase();
  const told = own.flatMap((exchange) => {
    const quote = quoteNamedIn(dataIn(exchange));
    const ids = ordersOf(exchange);
    return quote !== undefined && shown.includes(quote)
      ? ids
      : ids.filter((id) => shown.includes(id));
  });
  return told.length > 0 ? new Set(told) : made;
}

/** Maximum number of neighbouring orders: more are unpleasant to read, and rarely matter. */
const mostNeighbours = 8;

/** Other orders of the same parties at the same time; those with the nearest last change first. */
function neighboursOf(
  about: ReadonlySet<string>,
  exchanges: readonly Exchange[],
): readonly string[] {
  const changes = exchanges
    .filter(({ request }) => request.method !== 'GET')
    .flatMap((exchange, index) => ordersOf(exchange).map((id) => ({ id, exchange, index })));
  const lives = [...groupBy(changes, ({ id }) => id)].map(([id, own]) => ({
    id,
    party: own.find(({ exchange }) => exchange.endpoint === 'order.create')?.exchange.party,
    from: own[0]?.index ?? 0,
    until: own.at(-1)?.index ?? 0,
  }));
  const mine = lives.filter(({ id }) => about.has(id));
  const end = Math.max(...mine.map(({ until }) => until));
  return lives
    .filter(({ id, party, from }) => {
      if (about.has(id) || party === undefined || from > end) return false;
      return mine.some((one) => one.party === party);
    })
    .map(({ id, until }) => ({ id, away: Math.abs(end - until) }))
    .toSorted((a, b) => a.away - b.away)
    .slice(0, mostNeighbours)
    .map(({ id }) => id);
}

/**
 * Drivers of the exchanges that a failure may rest on: one driver, such as a check, or all that a predicate accepts.
 */
export type Drivers = string | ((by: string) => boolean);

/** Selects the exchanges of the drivers that are kept to show a failure. */
export function sliceOf(
  { records }: History,
  drivers: Drivers,
  evidence: readonly string[],
  extent: Extent,
): Slice {
  const isDriver = typeof drivers === 'string' ? (by: string) => by === drivers : drivers;
  const isEvidence = new Set(evidence);
  const recorded = records.filter((record) => record.kind === 'exchange');
  const exchanges = recorded
    .filter(({ party }) => isNameable(party))
    .filter(({ by, id }) => isDriver(by) || isEvidence.has(id))
    .toSorted(bySending);
  const frames = records
    .filter((record) => record.kind === 'frame')
    .filter(({ id }) => isEvidence.has(id));
  const resumed = resumedIn({ records });
  const openings = exchanges.filter((one) => isEvidence.has(one.id) && isStream(one));
  const streams = new Set([...frames.map(({ stream }) => stream), ...openings.map(({ id }) => id)]);
  // The iteration of a set includes members that are added during it.
  for (const stream of streams) {
    const before = resumed.get(stream);
    if (before) streams.add(before.stream);
  }
  const opened = recorded.filter(
    ({ id, by }) => streams.has(id) && !isDriver(by) && !isEvidence.has(id),
  );
  const proof = [...exchanges.filter(({ id }) => isEvidence.has(id)), ...frames];
  const about = concerned(exchanges, proof);
  const orders =
    extent === 'neighbours' ? new Set([...about, ...neighboursOf(about, exchanges)]) : about;
  // A virtual clock may stand still for many requests: for requests of the same moment, their order decides.
  const lastShown = exchanges.findLastIndex(({ id }) => isEvidence.has(id));
  const lastHeard = Math.max(...frames.map(({ received }) => received));
  const usesIssued = new Set(
    exchanges.flatMap(({ auth, id, party }) =>
      tokenOf(auth).kind === 'issued' && isEvidence.has(id) ? [party] : [],
    ),
  );
  const kept = exchanges.filter((one, index) => {
    if (isEvidence.has(one.id) || streams.has(one.id)) return true;
    if (asksForToken(one) && usesIssued.has(one.party)) return true;
    if (extent === 'all') return !isStream(one) || isDriver(one.by);
    if (!ordersOf(one).some((id) => orders.has(id))) return false;
    if (extent === 'orders') return true;
    return one.request.method !== 'GET' && (index < lastShown || one.sent <= lastHeard);
  });
  const unnamed = recorded.find(
    (one) => !isNameable(one.party) && ordersMadeBy(one).some((id) => orders.has(id)),
  );
  return {
    exchanges: [...opened, ...kept],
    needed: new Set([...isEvidence, ...streams]),
    ...(unnamed && { unnamed: unnamed.party }),
    resumed,
  };
}

/** Sorts by sending: the history keeps exchanges in the order of their answers. */
export const bySending = (a: Exchange, b: Exchange): number =>
  a.sent - b.sent || (a.precededBy ?? 0) - (b.precededBy ?? 0);

/**
 * Changes the page of list requests. Evidence may be the sixth page of a list to which a whole run added, but a flow of
 * a few orders has fewer pages: its items are on its only page, and failures of later pages show on the second of two.
 * Undefined if no evidence is a later page.
 */
export function repaged(
  slice: Slice,
  evidence: readonly string[],
  paging: Paging,
): Slice | undefined {
  if (paging === 'as it was') return slice;
  const items = slice.exchanges.filter(({ endpoint }) => endpoint === 'order.create').length;
  let isChanged = false;
  const exchanges = slice.exchanges.map((exchange) => {
    const asked = evidence.includes(exchange.id) ? laterPageOf(exchange) : undefined;
    if (!asked) return exchange;
    isChanged = true;
    const half = String(Math.max(1, Math.ceil(items / 2)));
    return paging === 'on one page'
      ? askedAgain(exchange, { [asked.page]: '1' })
      : askedAgain(exchange, { [asked.page]: '2', [asked.size]: half });
  });
  return isChanged ? { ...slice, exchanges } : undefined;
}

/** The document leaves the names of list parameters open. They are found by their values, which the answer repeats. */
function laterPageOf({
  query,
  response,
}: Exchange): { readonly page: string; readonly size: string } | undefined {
  const pagination = isObject(response?.body) ? response.body['pagination'] : undefined;
  if (!isObject(pagination)) return undefined;
  const named = (value: unknown, but = ''): string | undefined =>
    Object.keys(query).find((name) => name !== but && query[name] === String(value));
  const page = named(pagination['page']);
  const size = named(pagination['page_size'], page);
  // If page and page size are equal, their parameters cannot be told apart.
  const isLater = Number(pagination['page']) > 1 && pagination['page'] !== pagination['page_size'];
  return isLater && page !== undefined && size !== undefined ? { page, size } : undefined;
}

function askedAgain(exchange: Exchange, changed: Readonly<Record<string, string>>): Exchange {
  const [path = '', search = ''] = exchange.request.path.split('?');
  const words = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changed)) words.set(name, value);
  return {
    ...exchange,
    query: { ...exchange.query, ...changed },
    request: { ...exchange.request, path: `${path}?${words.toString()}` },
  };
}
