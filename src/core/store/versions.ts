import type { Change, Heap } from './heap.ts';
import { reversed } from './heap.ts';

type Place =
  | { readonly kind: 'here'; readonly heap: Heap }
  | { readonly kind: 'from'; readonly next: Version; readonly changes: readonly Change[] };

/**
 * One version of the data, after Baker's rerooting: the version used last owns the one mutable heap; every other
 * knows its neighbour towards it and the changes that lead there. Stepping the newest version costs nothing extra,
 * an older one stays valid, and one that nobody holds is collected with its changes.
 */
export class Version {
  #place: Place;

  constructor(heap: Heap) {
    this.#place = { kind: 'here', heap };
  }

  /** The heap as of this version; good until another version is read. */
  read(): Heap {
    if (this.#place.kind === 'here') return this.#place.heap;
    const way: { readonly to: Version; readonly changes: readonly Change[] }[] = [
      { to: this, changes: this.#place.changes },
    ];
    let owner = this.#place.next;
    while (owner.#place.kind === 'from') {
      way.push({ to: owner, changes: owner.#place.changes });
      owner = owner.#place.next;
    }
    const { heap } = owner.#place;
    for (const { to, changes } of way.reverse()) {
      const back = turnedAround(changes);
      for (const change of back) heap.apply(change);
      owner.#place = { kind: 'from', next: to, changes: back };
      owner = to;
    }
    this.#place = { kind: 'here', heap };
    return heap;
  }

  /**
   * The version after this one. The body changes the heap through `apply` alone; when it throws, everything it
   * applied is taken back, and without a change the version stays the same.
   */
  next<T>(body: (heap: Heap, apply: (change: Change) => void) => T): {
    readonly version: Version;
    readonly result: T;
  } {
    const heap = this.read();
    const changes: Change[] = [];
    const apply = (change: Change): void => {
      heap.apply(change);
      changes.push(change);
    };
    let result: T;
    try {
      result = body(heap, apply);
    } catch (error) {
      for (const change of turnedAround(changes)) heap.apply(change);
      throw error;
    }
    if (changes.length === 0) return { version: this, result };
    const version = new Version(heap);
    this.#place = { kind: 'from', next: version, changes };
    return { version, result };
  }
}

const turnedAround = (changes: readonly Change[]): readonly Change[] =>
  changes.map(reversed).reverse();
