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
  #undos: (() => void)[] = [];

  add(deadline: Deadline): void {
    const entry = { deadline, sequence: (this.#sequence += 1) };
    this.#put(entry);
    this.#undos.push(() => this.#take(entry));
  }

  /** Takes out one that is carried out; harmless where there is none. */
  remove(deadline: Deadline): void {
    const entry = this.#entries.get(keyOf(deadline))?.[0];
    if (!entry) return;
    this.#take(entry);
    this.#undos.push(() => this.#put(entry));
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
    return this.#undos.length;
  }

  /** So many of the changes are for good. */
  keep(changes: number): void {
    this.#undos.splice(0, changes);
  }

  /** Takes back all that is not for good. */
  rollBack(): void {
    for (const undo of this.#undos.reverse()) undo();
    this.#undos = [];
  }

  #put(entry: Entry): void {
    const key = keyOf(entry.deadline);
    const same = this.#entries.get(key);
    if (same) same.push(entry);
    else this.#entries.set(key, [entry]);
  }

  #take(entry: Entry): void {
    const key = keyOf(entry.deadline);
    const left = (this.#entries.get(key) ?? []).filter((one) => one !== entry);
    if (left.length > 0) this.#entries.set(key, left);
    else this.#entries.delete(key);
  }
}
