import { type JsonObject, textOf } from '../../protocol/json.ts';
import type { Snapshot } from './snapshots.ts';

/** One item as one list showed it, again and again alike: where it was first and last seen so. */
interface Run {
  readonly value: JsonObject;
  last: number;
  length: number;
}

/** Whether two items show the same members with the same values, in whatever order. */
function isAlike(one: JsonObject, other: JsonObject): boolean {
  if (one === other) return true;
  let members = 0;
  for (const name in one) {
    const [a, b] = [one[name], other[name]];
    const nested = typeof a === 'object' && a !== null;
    if (nested ? JSON.stringify(a) !== JSON.stringify(b) : a !== b) return false;
    members += 1;
  }
  for (const _ in other) members -= 1;
  return members === 0;
}

/** What has to be the same for one list to be another, read again. */
const listOf = ({ resource, party, via, call }: Snapshot): string =>
  `${resource} ${party} ${via} ${call?.exchange.params.intent_id}`;

const itemOf = ({ value }: Snapshot): string =>
  `${textOf(value, 'intent_id')} ${textOf(value, 'quote_id')}`;

/**
 * Leaves out an item of a list that the same list showed the same way before and shows the same way after, filtered or
 * not: that it was so in between proves nothing that its first and its last showing do not. Walks over pages read the
 * calls themselves, so no page loses an item.
 */
export function withoutUnchangedItems(snapshots: readonly Snapshot[]): Snapshot[] {
  const lists = new Map<string, Map<string, Run>>();
  const dropped = new Set<number>();
  let lastCall: Snapshot['call'];
  let runs = new Map<string, Run>();
  snapshots.forEach((snapshot, index) => {
    if (!snapshot.call || !snapshot.path.startsWith('data[')) return;
    if (snapshot.call !== lastCall) {
      const list = listOf(snapshot);
      runs = lists.get(list) ?? new Map<string, Run>();
      lists.set(list, runs);
      lastCall = snapshot.call;
    }
    const item = itemOf(snapshot);
    const { value } = snapshot;
    const run = runs.get(item);
    if (!run || !isAlike(run.value, value)) {
      runs.set(item, { value, last: index, length: 1 });
      return;
    }
    if (run.length > 1) dropped.add(run.last);
    run.last = index;
    run.length += 1;
  });
  return snapshots.filter((_, index) => !dropped.has(index));
}
