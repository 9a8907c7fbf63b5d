import type { CheckContext } from '../../../src/suite/engine/check.ts';
import {
  type Fields,
  walkAllPages,
  type ListQuery,
  paginationOf,
  textOf,
  type PageWalk,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';

export type ListEndpoint =
  | 'order.list'
  | 'order.quotes'
  | 'rfq.list'
  | 'rfq.quotes'
  | 'quote.list'
  | 'settlement.list';

/** One list of one party. */
export interface Listing extends Pick<ListQuery, 'params' | 'query'> {
  readonly by: CastName;
  readonly endpoint: ListEndpoint;
}

const ofQuotes: readonly ListEndpoint[] = ['order.quotes', 'rfq.quotes', 'quote.list'];

/** What tells the items of a list apart, as it does whichever way the target spells it. */
export const idOf = ({ endpoint }: Listing, item: Fields): string =>
  (textOf(item, ofQuotes.includes(endpoint) ? 'quote_id' : 'intent_id') ?? '').toLowerCase();

export const idsOf = (listing: Listing, items: readonly Fields[]): readonly string[] =>
  items.map((item) => idOf(listing, item));

export const statusOf = (item: Fields): string => textOf(item, 'status') ?? '';

export const walkOf = (
  t: CheckContext,
  { by, endpoint, params, query }: Listing,
  how: Pick<ListQuery, 'pageSize' | 'mostPages'> = {},
): Promise<PageWalk> =>
  walkAllPages(t, t.party(by), endpoint, {
    ...(params && { params }),
    ...(query && { query }),
    ...how,
  });

/** A list of ten thousand is looked at as far as this: it costs a moment, and no flood. */
export const pagesExamined = 6;
const attempts = 3;
const pauseMs = 1_500;

const faceOf = (listing: Listing, { items }: PageWalk): string =>
  items.map((item) => `${idOf(listing, item)} ${statusOf(item)}`).join('\n');

export interface Unchanged<T> {
  readonly before: PageWalk;
  readonly seen: T;
}

/**
 * Looks at a list in whatever way, between two walks that show the same items in the same states: then nothing moved
 * in between, whoever else shares the target. Undefined where it kept moving.
 */
export async function whileUnchanged<T>(
  t: CheckContext,
  listing: Listing,
  mostPages: number,
  look: (before: PageWalk) => Promise<T>,
): Promise<Unchanged<T> | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const found = await t.exclusively(async () => {
      const before = await walkOf(t, listing, { mostPages });
      if (before.ended === 'refused') return before;
      const seen = await look(before);
      const after = await walkOf(t, listing, { mostPages });
      const still = before.steady && after.steady && totalItemsOf(before) === totalItemsOf(after);
      return still && faceOf(listing, before) === faceOf(listing, after)
        ? { before, seen }
        : undefined;
    });
    if (found && 'ended' in found) {
      t.notExercised(`${listing.endpoint} could not be walked over`, found.pages.slice(-1));
    }
    if (found) return found;
    await t.target.timeline.sleep(pauseMs);
  }
  return undefined;
}

export const totalItemsOf = ({ pages }: PageWalk): number | undefined => {
  const [first] = pages;
  return first && paginationOf(first)?.total_items;
};

/** Exchanges to show: the walk itself, cut to what a reader can take in. */
export const evidencePages = (walk: PageWalk): readonly Exchange[] => walk.pages.slice(0, 8);

/** Successful calls of one kind that a party made in this run and that were answered before a moment. */
export const callsAnsweredBefore = (
  t: CheckContext,
  by: CastName,
  endpoint: string,
  before: number,
): readonly Exchange[] =>
  t.target.history.records.filter(
    (record): record is Exchange =>
      record.kind === 'exchange' &&
      record.endpoint === endpoint &&
      record.party === by &&
      record.auth === 'own' &&
      record.received < before &&
      (record.response?.status ?? 0) >= 200 &&
      (record.response?.status ?? 0) < 300,
  );
