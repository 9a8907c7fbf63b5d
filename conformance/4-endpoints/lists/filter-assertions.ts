import type { CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  findInList,
  matchesOrder,
  type PlacedOrder,
  readOrder,
  type PageWalk,
} from '../../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { viewLagMs, settlementTimeoutMs } from '../../shared/waits.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import {
  pagesExamined,
  idOf,
  idsOf,
  type Listing,
  evidencePages,
  statusOf,
  totalItemsOf,
  walkOf,
  whileUnchanged,
} from './list-walks.ts';

/** What the filter of one list is held to: that it holds nothing else, that it holds all, that it counts right. */
interface FilterRequirements {
  readonly only: RequirementId;
  readonly all: RequirementId;
  readonly totals?: RequirementId;
}

export const filterRequirements = {
  institution: {
    only: 'order.list.status-filter',
    all: 'order.list.status-filter.complete',
    totals: 'order.list.status-filter.totals',
  },
  custodian: {
    only: 'order.list.custodian-status-filter',
    all: 'order.list.custodian-status-filter',
    totals: 'order.list.status-filter.totals',
  },
  maker: { only: 'quote.list.status-filter', all: 'quote.list.status-filter.complete' },
} as const satisfies Record<string, FilterRequirements>;

export const requirementsOf = ({
  only,
  all,
  totals,
}: FilterRequirements): readonly RequirementId[] => [
  ...new Set([only, all, ...(totals ? [totals] : [])]),
];

/** Judges the filters of a list by the list itself: what it shows in a state is what that state's filter must hold. */
export async function assertFilters(
  t: CheckContext,
  listing: Listing,
  states: readonly string[],
  requirements: FilterRequirements,
  mostPages = pagesExamined,
): Promise<void> {
  const found = await whileUnchanged(t, listing, mostPages, async () => {
    const walks: { readonly status: string; readonly walk: PageWalk }[] = [];
    for (const status of states) {
      const filtered = { ...listing, query: { status } };
      walks.push({ status, walk: await walkOf(t, filtered, { mostPages: pagesExamined }) });
    }
    return walks;
  });
  if (!found) return t.notExercised(`${listing.endpoint} kept changing while it was filtered`);
  for (const { status, walk } of found.seen) {
    assertFilter(t, { listing, status, requirements }, found.before, walk);
  }
}

interface Filter {
  readonly listing: Listing;
  readonly status: string;
  readonly requirements: FilterRequirements;
}

function assertFilter(t: CheckContext, filter: Filter, whole: PageWalk, walk: PageWalk): void {
  const { listing, status, requirements } = filter;
  if (walk.ended === 'refused') {
    t.assert(requirements.all, false, {
      message: `${listing.endpoint} could not be filtered by ${status}.`,
      expected: 'a list',
      actual: walk.pages.at(-1)?.response?.status,
      seen: walk.pages.slice(-1),
    });
    return;
  }
  const ids = new Set(idsOf(listing, walk.items));
  const others = walk.items.filter((item) => statusOf(item) !== status);
  t.assert(requirements.only, others.length === 0, {
    message: `${listing.endpoint} filtered by ${status} held items in other states.`,
    expected: status,
    actual: [...new Set(others.map(statusOf))],
    seen: evidencePages(walk),
  });
  if (walk.ended !== 'whole') return;
  const due = whole.items.filter((item) => statusOf(item) === status);
  const missing = due.filter((item) => !ids.has(idOf(listing, item)));
  if (due.length > 0) {
    t.assert(requirements.all, missing.length === 0, {
      message: `${listing.endpoint} filtered by ${status} left out what the whole list shows in it.`,
      expected: `${due.length} items`,
      actual: { missing: missing.map((item) => idOf(listing, item)) },
      seen: [...evidencePages(whole), ...evidencePages(walk)],
    });
  }
  const total = totalItemsOf(walk);
  if (!requirements.totals || whole.ended !== 'whole' || total === undefined) return;
  t.assert(requirements.totals, total === due.length, {
    message: `The total of ${listing.endpoint} filtered by ${status} did not count what is in it.`,
    expected: due.length,
    actual: total,
    seen: evidencePages(walk),
  });
}

export const awaitOrderEnds = async (
  t: CheckContext,
  orders: readonly PlacedOrder[],
): Promise<void> => {
  await t.target.timeline.together(
    orders.map((order, index) => [
      `settlement ${index + 1}`,
      async () => {
        await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs, order.by);
      },
    ]),
  );
};

/** Judges that one order stands under the filter of its state, wherever in a long list. */
export async function assertUnderFilter(
  t: CheckContext,
  by: CastName,
  order: PlacedOrder,
  requirement: RequirementId,
): Promise<void> {
  const { data } = await readOrder(t, order, order.by);
  const status = stateOf(data);
  if (status === undefined) return;
  const query = { query: { status } };
  const look = () => findInList(t, t.party(by), 'order.list', matchesOrder(order), query);
  let found = await look();
  if (!found.item) {
    await t.target.timeline.sleep(viewLagMs);
    found = await look();
  }
  const now = await readOrder(t, order, order.by);
  if (stateOf(now.data) !== status || (!found.item && found.ended !== 'whole')) return;
  t.assert(requirement, found.item !== undefined, {
    message: `An order that is ${status} was not in the list filtered by it.`,
    expected: order.intentId,
    seen: [now.exchange, ...found.pages.slice(-3)],
  });
}
