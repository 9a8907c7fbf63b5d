import type { DeadlineEffect } from './clock.ts';

/** Something that wants to be called at a moment. */
export interface Deadline {
  readonly instant: number;
  readonly fire: () => void;
  /** Absent: it may have any effect. */
  readonly effect: DeadlineEffect | undefined;
}

interface Entry extends Deadline {
  readonly sequence: number;
  /** Its place in the heap; -1 once it is out. Removal needs no search that way. */
  place: number;
}

const before = (a: Entry, b: Entry): boolean =>
  a.instant < b.instant || (a.instant === b.instant && a.sequence < b.sequence);

/**
 * Deadlines ordered by moment; those of one moment in the order in which they were added. A binary heap: the cost of
 * adding, taking and removing is logarithmic in its size.
 */
export function deadlines() {
  const heap: Entry[] = [];
  let sequence = 0;

  const put = (entry: Entry, place: number): void => {
    heap[place] = entry;
    entry.place = place;
  };

  function rise(entry: Entry, from: number): void {
    let place = from;
    while (place > 0) {
      const above = heap[(place - 1) >> 1];
      if (!above || !before(entry, above)) break;
      put(above, place);
      place = (place - 1) >> 1;
    }
    put(entry, place);
  }

  function sink(entry: Entry, from: number): void {
    let place = from;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const least = left && right && before(right, left) ? right : left;
      if (!least || !before(least, entry)) break;
      const next = least.place;
      put(least, place);
      place = next;
    }
    put(entry, place);
  }

  /** Takes one out before it is due; harmless when it is out already. */
  function remove(deadline: Deadline): void {
    const entry = deadline as Entry;
    const { place } = entry;
    if (place < 0) return;
    entry.place = -1;
    const last = heap.pop();
    if (!last || last === entry) return;
    if (before(last, entry)) rise(last, place);
    else sink(last, place);
  }

  return {
    get size(): number {
      return heap.length;
    },
    add(instant: number, fire: () => void, effect?: DeadlineEffect): Deadline {
      const entry: Entry = { instant, fire, effect, sequence: sequence++, place: heap.length };
      heap.push(entry);
      rise(entry, entry.place);
      return entry;
    },
    remove,
    /** The earliest deadline, without taking it out. */
    peek: (): Deadline | undefined => heap[0],
    take(): Deadline | undefined {
      const [first] = heap;
      if (first) remove(first);
      return first;
    },
  };
}
