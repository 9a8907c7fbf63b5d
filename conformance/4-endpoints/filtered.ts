import type { Trial } from '../../src/conformance/check.ts';
import {
  awaitStatus,
  findInList,
  isOrder,
  type PlacedOrder,
  readOrder,
  type Walk,
} from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { lagMs, settlementPatienceMs, stateOf, terminal } from '../3-states/words.ts';
import {
  farEnough,
  idOf,
  idsOf,
  type Listing,
  shownOf,
  statusOf,
  totalOf,
  walkOf,
  whileSteady,
} from './walks.ts';

/** What the filter of one list is held to: that it holds nothing else, that it holds all, that it counts right. */
interface Held {
  readonly only: RequirementId;
  readonly all: RequirementId;
  readonly totals?: RequirementId;
}

export const held = {
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
} as const satisfies Record<string, Held>;

export const requirementsOf = ({ only, all, totals }: Held): readonly RequirementId[] => [
  ...new Set([only, all, ...(totals ? [totals] : [])]),
];

/** Judges the filters of a list by the list itself: what it shows in a state is what that state's filter must hold. */
export async function judgeFilters(
  trial: Trial,
  listing: Listing,
  states: readonly string[],
  requirements: Held,
  mostPages = farEnough,
): Promise<void> {
  const found = await whileSteady(trial, listing, mostPages, async () => {
    const walks: { readonly status: string; readonly walk: Walk }[] = [];
    for (const status of states) {
      const filtered = { ...listing, query: { status } };
      walks.push({ status, walk: await walkOf(trial, filtered, { mostPages: farEnough }) });
    }
    return walks;
  });
  if (!found) return trial.giveUp(`${listing.endpoint} kept changing while it was filtered`);
  for (const { status, walk } of found.seen) {
    judgeFilter(trial, { listing, status, requirements }, found.before, walk);
  }
}

interface Filter {
  readonly listing: Listing;
  readonly status: string;
  readonly requirements: Held;
}

function judgeFilter(trial: Trial, filter: Filter, whole: Walk, walk: Walk): void {
  const { listing, status, requirements } = filter;
  if (walk.ended === 'refused') {
    trial.judge(requirements.all, false, {
      message: `${listing.endpoint} could not be filtered by ${status}.`,
      expected: 'a list',
      actual: walk.pages.at(-1)?.response?.status,
      seen: walk.pages.slice(-1),
    });
    return;
  }
  const ids = new Set(idsOf(listing, walk.items));
  const others = walk.items.filter((item) => statusOf(item) !== status);
  trial.judge(requirements.only, others.length === 0, {
    message: `${listing.endpoint} filtered by ${status} held items in other states.`,
    expected: status,
    actual: [...new Set(others.map(statusOf))],
    seen: shownOf(walk),
  });
  if (walk.ended !== 'whole') return;
  const due = whole.items.filter((item) => statusOf(item) === status);
  const missing = due.filter((item) => !ids.has(idOf(listing, item)));
  if (due.length > 0) {
    trial.judge(requirements.all, missing.length === 0, {
      message: `${listing.endpoint} filtered by ${status} left out what the whole list shows in it.`,
      expected: `${due.length} items`,
      actual: { missing: missing.map((item) => idOf(listing, item)) },
      seen: [...shownOf(whole), ...shownOf(walk)],
    });
  }
  const total = totalOf(walk);
  if (!requirements.totals || whole.ended !== 'whole' || total === undefined) return;
  trial.judge(requirements.totals, total === due.length, {
    message: `The total of ${listing.endpoint} filtered by ${status} did not count what is in it.`,
    expected: due.length,
    actual: total,
    seen: shownOf(walk),
  });
}

export const ends = async (trial: Trial, orders: readonly PlacedOrder[]): Promise<void> => {
  await trial.target.timeline.together(
    orders.map((order, index) => [
      `settlement ${index + 1}`,
      async () => {
        await awaitStatus(trial, order, terminal, settlementPatienceMs, order.by);
      },
    ]),
  );
};

/** Judges that one order stands under the filter of its state, wherever in a long list. */
export async function judgeUnder(
  trial: Trial,
  by: CastName,
  order: PlacedOrder,
  requirement: RequirementId,
): Promise<void> {
  const { data } = await readOrder(trial, order, order.by);
  const status = stateOf(data);
  if (status === undefined) return;
  const query = { query: { status } };
  const look = () => findInList(trial, trial.party(by), 'order.list', isOrder(order), query);
  let found = await look();
  if (!found.item) {
    await trial.target.timeline.sleep(lagMs);
    found = await look();
  }
  const now = await readOrder(trial, order, order.by);
  if (stateOf(now.data) !== status || (!found.item && found.ended !== 'whole')) return;
  trial.judge(requirement, found.item !== undefined, {
    message: `An order that is ${status} was not in the list filtered by it.`,
    expected: order.intentId,
    seen: [now.exchange, ...found.pages.slice(-3)],
  });
}
