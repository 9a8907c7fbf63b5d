import type { Exchange, Frame, History } from '../history/records.ts';
import { dataIn, isObject } from '../history/json.ts';
import { endpoints } from '../spec/endpoints.ts';
import { groupBy } from '../history/group-by.ts';
import { castNames } from '../spec/requirements/requirement.ts';

/**
 * How much of what a check did is kept. `story`: what changed the orders that the evidence is about, and the evidence.
 * `orders`: everything about these orders. `neighbours`: the story of these and of the orders beside them. `all`:
 * everything.
 */
type Extent = 'story' | 'orders' | 'neighbours' | 'all';
/** Where in its list a flow looks for what a later page of a longer one showed. */
export type Paging = 'as it was' | 'on one page' | 'on two pages';
/** The hour may matter, as where a day turns; so may the date, as where a month or a year does. */
export type Beginning = 'at once' | 'at the same hour' | 'on the same date';

/** How much is kept, where in their lists later pages are looked for, and when it begins. */
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
  /** Ids of those without which nothing is shown. */
  readonly needed: ReadonlySet<string>;
  /** Who made an order that it is about and cannot be named in a scenario, if anybody. */
  readonly unnamed?: string;
  /** Of streams that took up another one again: the id of that one's opening, and where that ended. */
  readonly resumed: ReadonlyMap<string, Resumed>;
}

export interface Resumed {
  readonly stream: string;
  readonly endedAt: number;
  /** How many records the history had by then. */
  readonly endedAfter: number;
}

/** Which streams took up which. */
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
const orderNamedIn = (value: unknown): string | undefined =>
  isObject(value) ? text(value['intent_id']) : undefined;

const quoteNamedIn = (value: unknown): string | undefined =>
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

/** Whether it asks for a stream, opened or refused. */
export const isStream = ({ endpoint, opensStream }: Exchange): boolean =>
  opensStream === true || (endpoint !== undefined && endpoints[endpoint].result === 'stream');

const asksForToken = ({ endpoint }: Exchange): boolean => endpoint === 'token.create';

/** The orders of the check that evidence is about: those it names, or all that it shows. */
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

/** More orders than so many a person does not want to read, nor need it be so many that matter. */
const mostNeighbours = 8;

/** Other orders of the same parties that lived at the same time: those that changed last before these did. */
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

/** Whose exchanges a failure may rest on: those of one driver, such as a check, or of all that it says yes to. */
export type Drivers = string | ((by: string) => boolean);

/** What is kept of what somebody did to show a failure. */
export function sliceOf(
  { records }: History,
  drivers: Drivers,
  evidence: readonly string[],
  extent: Extent,
): Slice {
  const isDriver = typeof drivers === 'string' ? (by: string) => by === drivers : drivers;
  const isEvidence = new Set(evidence);
  const exchanges = records
    .filter((record) => record.kind === 'exchange')
    .filter(({ party }) => isNameable(party))
    .filter(({ by, id }) => isDriver(by) || isEvidence.has(id))
    .toSorted(bySending);
  const frames = records
    .filter((record) => record.kind === 'frame')
    .filter(({ id }) => isEvidence.has(id));
  const resumed = resumedIn({ records });
  const openings = exchanges.filter((one) => isEvidence.has(one.id) && isStream(one));
  const streams = new Set([...frames.map(({ stream }) => stream), ...openings.map(({ id }) => id)]);
  // In a set that grows while it is gone through, each added one is gone through as well.
  for (const stream of streams) {
    const before = resumed.get(stream);
    if (before) streams.add(before.stream);
  }
  const opened = records
    .filter((record) => record.kind === 'exchange')
    .filter(({ id, by }) => streams.has(id) && !isDriver(by) && !isEvidence.has(id));
  const proof = [...exchanges.filter(({ id }) => isEvidence.has(id)), ...frames];
  const about = concerned(exchanges, proof);
  const orders =
    extent === 'neighbours' ? new Set([...about, ...neighboursOf(about, exchanges)]) : about;
  // Time may stand still while many requests are answered: of what was sent in the same moment their order tells.
  const lastShown = exchanges.findLastIndex(({ id }) => isEvidence.has(id));
  const lastHeard = Math.max(...frames.map(({ received }) => received));
  const usesIssued = new Set(
    exchanges.flatMap(({ auth, id, party }) =>
      auth.startsWith('issued') && isEvidence.has(id) ? [party] : [],
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
  const unnamed = records
    .filter((record) => record.kind === 'exchange')
    .find((one) => !isNameable(one.party) && ordersMadeBy(one).some((id) => orders.has(id)));
  return {
    exchanges: [...opened, ...kept],
    needed: new Set([...isEvidence, ...streams]),
    ...(unnamed && { unnamed: unnamed.party }),
    resumed,
  };
}

/** The history keeps exchanges where they were answered. */
export const bySending = (a: Exchange, b: Exchange): number =>
  a.sent - b.sent || (a.precededBy ?? 0) - (b.precededBy ?? 0);
