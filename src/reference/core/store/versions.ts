import type { Change, Tables } from './tables.ts';
import { inverseOf } from './tables.ts';

type Place =
  | { readonly kind: 'here'; readonly tables: Tables }
  | { readonly kind: 'from'; readonly next: Version; readonly changes: readonly Change[] };

/**
 * One version of the data, after Baker's rerooting: the version used last owns the one mutable heap; every other
 * knows its neighbour towards it and the changes that lead there. Stepping the newest version costs nothing extra,
 * an older one stays valid, and one that nobody holds is collected with its changes.
 */
export class Version {
  #place: Place;

  constructor(tables: Tables) {
    this.#place = { kind: 'here', tables };
  }

  /** The heap as of this version; good until another version is read. */
  read(): Tables {
    if (this.#place.kind === 'here') return this.#place.tables;
    const way: { readonly to: Version; readonly changes: readonly Change[] }[] = [
      { to: this, changes: this.#place.changes },
    ];
    let owner = this.#place.next;
    while (owner.#place.kind === 'from') {
      way.push({ to: owner, changes: owner.#place.changes });
      owner = owner.#place.next;
    }
    const { tables } = owner.#place;
    for (const { to, changes } of way.reverse()) {
      const back = undoOf(changes);
      for (const change of back) tables.apply(change);
      owner.#place = { kind: 'from', next: to, changes: back };
      owner = to;
    }
    this.#place = { kind: 'here', tables };
    return tables;
  }

  /** Changes from this version to a later one; undefined if the other version does not follow from this one. */
  changesTo(later: Version): readonly Change[] | undefined {
    const found: Change[] = [];
    let place = this.#place;
    for (let isThere = this === later; !isThere; ) {
      if (place.kind === 'here') return undefined;
      found.push(...place.changes);
      isThere = place.next === later;
      place = place.next.#place;
    }
    return found;
  }

  /**
   * The version after this one. The body changes the heap through `apply` alone; when it throws, everything it
   * applied is taken back, and without a change the version stays the same.
   */
  next<T>(body: (tables: Tables, apply: (change: Change) => void) => T): {
    readonly version: Version;
    readonly result: T;
  } {
    const tables = this.read();
    const changes: Change[] = [];
    const apply = (change: Change): void => {
      tables.apply(change);
      changes.push(change);
    };
    let result: T;
    try {
      result = body(tables, apply);
    } catch (error) {
      for (const change of undoOf(changes)) tables.apply(change);
      throw error;
    }
    if (changes.length === 0) return { version: this, result };
    const version = new Version(tables);
    this.#place = { kind: 'from', next: version, changes };
    return { version, result };
  }
}

const undoOf = (changes: readonly Change[]): readonly Change[] => changes.map(inverseOf).reverse();
