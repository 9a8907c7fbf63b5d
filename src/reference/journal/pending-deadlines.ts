import type { Deadline } from '../core/contract.ts';

interface Entry {
  readonly deadline: Deadline;
  /** Place among all that were ever asked for. */
  readonly sequence: number;
}

const keyOf = ({ kind, intentId, quoteId, leg, at }: Deadline): string =>
  `${kind}/${intentId}/${quoteId ?? ''}/${leg ?? ''}/${at}`;

/**
 * What a world waits for: every deadline that was asked for and has not been carried out. Its
 * changes can be taken back until they are for good.
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

  /** Takes out one that is carried out; harmless where there is none. */
  remove(deadline: Deadline): void {
    const entry = this.#entries.get(keyOf(deadline))?.[0];
    if (!entry) return;
    this.#take(entry);
    this.#changes.push({ kind: 'removed', entry });
  }

  /** In the order in which they are carried out: by moment, and at one moment as they were asked for. */
  list(): readonly Deadline[] {
    return [...this.#entries.values()]
      .flat()
      .sort((one, other) => one.deadline.at - other.deadline.at || one.sequence - other.sequence)
      .map(({ deadline }) => deadline);
  }

  /** How many changes there are that can be taken back. */
  get changes(): number {
    return this.#changes.length;
  }

  /** So many of the changes, the earliest, are for good. */
  keep(changes: number): void {
    this.#changes = this.#changes.slice(changes);
  }

  /** Takes back all that is not for good. */
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
