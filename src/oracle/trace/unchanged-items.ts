import type { ResourceName } from '../../spec/resources.ts';
import { isObject, type JsonObject, sameJson, textOf } from '../../protocol/json.ts';
import type { Call } from './calls.ts';
import { listIn, type Snapshot, snapshotOfItem } from './snapshots.ts';

/** The latest of several showings of an item that stayed as it was. */
interface LatestShowing {
  call: Call;
  item: JsonObject;
  index: number;
  /** Its resource: a snapshot has another field for that. */
  readonly of: ResourceName;
}

/** One item as one list showed it, again and again alike. */
interface Run {
  readonly value: JsonObject;
  /** `latest` is set from the second showing on. `place` is the index of the last showing in `kept`. */
  latest?: LatestShowing;
  place: number;
  /** The answer that showed it last, and the number of showings in that answer. */
  call: Call;
  timesInCall: number;
}

/** Maximum showings of one thing that are kept of one answer. Repeats themselves are judged on the page. */
const mostInOneAnswer = 20;

/** True if two items have the same members with the same values, in any order. */
function isAlike(one: JsonObject, other: JsonObject): boolean {
  if (one === other) return true;
  let members = 0;
  for (const name in one) {
    const [a, b] = [one[name], other[name]];
    const nested = typeof a === 'object' && a !== null;
    if (nested ? !sameJson(a, b) : a !== b) return false;
    members += 1;
  }
  for (const _ in other) members -= 1;
  return members === 0;
}

/** Key of a list: answers with the same key are readings of the same list. */
const listOf = (call: Call, resource: ResourceName): string =>
  `${resource} ${call.party} ${call.endpoint} ${call.exchange.params.intent_id}`;

const unnamed = 'undefined undefined';

/** Sightings in the order in which they are added. */
export interface Sightings {
  add(snapshot: Snapshot): void;
  /** The items of the list that an answer shows, if it shows one. */
  addItems(call: Call): void;
  all(): Snapshot[];
}

/**
 * Leaves out an item of a list if the same list, filtered or not, showed it unchanged before and shows it unchanged
 * after: a showing in between proves nothing that the first and the last do not. Page walks read the calls themselves,
 * so no page loses an item. No snapshot is made of an item that is left out, and most items are.
 */
export function createSightings(): Sightings {
  const kept: (Snapshot | LatestShowing | undefined)[] = [];
  const lists = new Map<string, Map<string, Run>>();
  const names = new Map<JsonObject, string>();

  /** Names the thing that an item shows, once: items of lists come again and again as the same object. */
  function nameOf(item: JsonObject): string {
    const name = names.get(item) ?? `${textOf(item, 'intent_id')} ${textOf(item, 'quote_id')}`;
    names.set(item, name);
    return name;
  }

  function addItem(
    runs: Map<string, Run>,
    call: Call,
    resource: ResourceName,
    item: JsonObject,
    index: number,
  ): void {
    const name = nameOf(item);
    const run = runs.get(name);
    const timesInCall = run?.call === call ? run.timesInCall + 1 : 1;
    if (run) {
      run.call = call;
      run.timesInCall = timesInCall;
      // Rules compare all sightings of a thing.
      if (timesInCall > mostInOneAnswer && name !== unnamed) return;
    }
    const place = kept.length;
    if (!run || !isAlike(run.value, item)) {
      runs.set(name, { value: item, place, call, timesInCall });
      kept.push(snapshotOfItem(call, resource, item, index));
      return;
    }
    if (run.latest) {
      kept[run.place] = undefined;
      run.latest.call = call;
      run.latest.item = item;
      run.latest.index = index;
    } else run.latest = { call, item, index, of: resource };
    run.place = place;
    kept.push(run.latest);
  }

  return {
    add: (snapshot) => void kept.push(snapshot),
    addItems(call) {
      const shown = listIn(call);
      if (!shown) return;
      const list = listOf(call, shown.resource);
      const runs = lists.get(list) ?? new Map<string, Run>();
      lists.set(list, runs);
      shown.items.forEach((item, index) => {
        if (isObject(item)) addItem(runs, call, shown.resource, item, index);
      });
    },
    all: () =>
      kept.flatMap((one) =>
        one && 'of' in one ? snapshotOfItem(one.call, one.of, one.item, one.index) : (one ?? []),
      ),
  };
}
