import type { Deadline } from '../core/contract.ts';

interface Entry {
  readonly deadline: Deadline;
  /** Position among all deadlines that were ever added. */
  readonly sequence: number;
}

const keyOf = ({ kind, intentId, quoteId, leg, at }: Deadline): string =>
  `${kind}/${intentId}/${quoteId ?? ''}/${leg ?? ''}/${at}`;

/**
 * Pending deadlines of a world: added, and not carried out yet. Changes can be undone until they are made permanent.
 */
export class PendingDeadlines {
  readonly #entries = new Map<string, Entry[]>();
  #sequence = 0;
  #changes: { readonly kind: 'added' | 'removed'; readonly entry: Entry }[] = [];

  add(deadline: Deadline): void {
    this.#sequence += 1;
    const entry = { deadline, sequence: this.#sequence };
    this.#put(entry);
    this.#changes.push({ kind: 'added', entry });
  }

  /** Removes a deadline that is carried out. Does nothing if it is missing. */
  remove(deadline: Deadline): void {
    const entry = this.#entries.get(keyOf(deadline))?.[0];
    if (!entry) return;
    this.#take(entry);
    this.#changes.push({ kind: 'removed', entry });
  }

  /** In the order in which they are carried out: by moment, and at one moment as they were added. */
  list(): readonly Deadline[] {
    return [...this.#entries.values()]
      .flat()
      .sort((one, other) => one.deadline.at - other.deadline.at || one.sequence - other.sequence)
      .map(({ deadline }) => deadline);
  }

  /** Number of changes that can be undone. */
  get changes(): number {
    return this.#changes.length;
  }

  /** Makes the earliest changes permanent, as many as given. */
  keep(changes: number): void {
    this.#changes = this.#changes.slice(changes);
  }

  /** Undoes all changes that are not permanent. */
  rollBack(): void {
    for (const { kind, entry } of this.#changes.reverse())
      if (kind === 'added') this.#take(entry);
      else this.#put(entry);
    this.#changes = [];
  }

  #put(entry: Entry): void {
    const key = keyOf(entry.deadline);
    const same = this.#entries.get(key);
    if (same) same.push(entry);
    else this.#entries.set(key, [entry]);
  }

  #take(entry: Entry): void {
    const key = keyOf(entry.deadline);
    const same = this.#entries.get(key) ?? [];
    if (same.length === 1) this.#entries.delete(key);
    else
      this.#entries.set(
        key,
        same.filter((one) => one !== entry),
      );
  }
}
