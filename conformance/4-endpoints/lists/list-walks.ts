import type { CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  type Fields,
  findInList,
  type FoundItem,
  type ListQuery,
  paginationOf,
  type PageWalk,
  type PlacedOrder,
  pollUntil,
  walkAllPages,
} from '../../../src/suite/actions/index.ts';
import type { CastName, GuardedEndpoint } from '../../../src/spec/requirements/index.ts';
import { settlementTimeoutMs } from '../../shared/waits.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';

/** One list of one party. */
export interface Listing extends Pick<ListQuery, 'params' | 'query'> {
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
}

/** A list of ten thousand is walked over as far as this: it costs a moment, and no flood. */
const pagesExamined = 6;

/** Walks over the pages of a list while no other check of this run calls. */
export const walkUnchanged = (
  t: CheckContext,
  { by, endpoint, params, query }: Listing,
  how: Pick<ListQuery, 'pageSize' | 'mostPages'> = {},
): Promise<PageWalk> =>
  t.whileUnchanged(() =>
    walkAllPages(t, t.party(by), endpoint, {
      ...(params && { params }),
      ...(query && { query }),
      mostPages: pagesExamined,
      ...how,
    }),
  );

/** Looks for an item until it is there, or its list has had its time to catch up (gap `views.lag`). */
export const pollList = (
  t: CheckContext,
  { by, endpoint, query }: Listing,
  isIt: (item: Fields) => boolean,
): Promise<FoundItem> =>
  pollUntil(
    t,
    () => findInList(t, t.party(by), endpoint, isIt, query ? { query } : {}),
    ({ item }) => item !== undefined,
  );

export const totalItemsOf = ({ pages }: PageWalk): number =>
  (pages[0] && paginationOf(pages[0])?.total_items) ?? 0;

/** Waits until each of some orders has ended, or long enough for it. */
export async function awaitOrderEnds(t: CheckContext, orders: readonly PlacedOrder[]) {
  for (const order of orders) {
    await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs, order.by);
  }
}
