import { endpoints, type EndpointName } from '../../../spec/endpoints.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import type { Violation } from '../../findings.ts';
import { type Call, countBelow, precedes } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { OrderTrace } from '../../trace/traces.ts';
import { type Walk, walksOf } from './page-walk.ts';

/** A list as it was shown while nothing moved, with every page that can hold things that the history created. */
export interface WholeList {
  readonly walk: Walk;
  readonly party: string;
  readonly ids: ReadonlySet<string>;
}

/** True if the endpoint is for the role that asked it. Answers to other roles are judged elsewhere. */
export function isForRole({ endpoint, exchange }: Call): boolean {
  const roles: readonly string[] = endpoint ? endpoints[endpoint].roles : [];
  return roles.includes(exchange.role);
}

/** The whole lists of an endpoint that were shown to roles that it is for. */
export const wholeLists = (view: HistoryView, endpoint: EndpointName): readonly WholeList[] =>
  view.once(walksOf).flatMap((walk) => {
    const { first, holdsOwn, stable } = walk;
    return first.endpoint === endpoint && holdsOwn && stable && isForRole(first)
      ? [{ walk, party: first.party, ids: new Set(walk.ids) }]
      : [];
  });

/** The answers that showed a list: one, or all of a walk. */
export type Look = Pick<Walk, 'first' | 'last'>;

/** True if the effect of a call can be expected on a list of the same party or of another (gap `views.lag`). */
export const isPastLag = (cause: Call, { first }: Look): boolean =>
  precedes(cause, first) &&
  first.exchange.sent >= cause.exchange.received + tolerance.replicationLagMs;

/** Number of latest orders that a list is compared with: enough for any page, and linear in the history. */
const maxOrders = 1_000;

/** The orders that had been created before a list was looked at, the latest of them. */
export function latestOrders(view: HistoryView): (look: Look) => readonly OrderTrace[] {
  const created = [...view.orders.values()]
    .filter((trace) => trace.creation !== undefined)
    .toSorted((a, b) => (a.creation?.close ?? 0) - (b.creation?.close ?? 0));
  const closes = created.map((trace) => trace.creation?.close ?? 0);
  return ({ first }) => {
    const end = countBelow(closes, first.open);
    return created.slice(Math.max(0, end - maxOrders), end);
  };
}

/**
 * True if a party saw a thing in one state before and after it read the list of that state; before is enough if the
 * state lasts. A sighting on the same list without a filter counts at once; one from elsewhere after the replication
 * lag.
 */
export function stayedIn(
  snapshots: readonly Snapshot[],
  { first, last }: Walk,
  isInState: (snapshot: Snapshot) => boolean,
  lasts: boolean,
): boolean {
  const since = first.exchange.sent - tolerance.replicationLagMs;
  const isOwn = (seen: Snapshot): boolean =>
    seen.party === first.party && !seen.frame && isInState(seen);
  const before = (seen: Snapshot): boolean =>
    precedes(seen, first) && (seen.to <= since || seen.via === first.endpoint);
  // Cheap test first: most orders come after most walks.
  if (!snapshots.some((seen) => before(seen) && isOwn(seen))) return false;
  return lasts || snapshots.some((seen) => seen.open > last.close && isOwn(seen));
}

export const leftOut =
  ({ walk, party, ids }: WholeList, id: string, cause: string) =>
  (): Violation => ({
    message: `${walk.first.endpoint} of ${party} left out an item that must be there`,
    expected: id,
    actual: `${ids.size} others`,
    evidence: [cause, ...walk.pages.map(({ call }) => call.id)],
  });
