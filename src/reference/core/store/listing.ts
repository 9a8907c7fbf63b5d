import type { Row } from '../records.ts';
import { SortedKeys } from './sorted-keys.ts';

/** Groups and labels under which a record is listed. Its groups never change; its labels follow its state. */
export interface ListingKeys<R extends Row> {
  readonly groups: (record: R) => readonly string[];
  readonly labels: (record: R) => readonly string[];
}

const empty = new SortedKeys();
const none: readonly string[] = [];

/** Ordered sets of records by group and label, kept in step with every change of a record. */
export class Listing<R extends Row> {
  readonly #placing: ListingKeys<R>;
  readonly #lists = new Map<string, Map<string, SortedKeys>>();

  constructor(placing: ListingKeys<R>) {
    this.#placing = placing;
  }

  of(group: string, label: string): SortedKeys {
    return this.#lists.get(group)?.get(label) ?? empty;
  }

  change(before: R | undefined, after: R | undefined): void {
    const record = after ?? before;
    if (record === undefined) return;
    const old = before === undefined ? none : this.#placing.labels(before);
    const now = after === undefined ? none : this.#placing.labels(after);
    if (old === now) return;
    for (const group of this.#placing.groups(record)) {
      for (const label of old) if (!now.includes(label)) this.#remove(group, label, record.seq);
      for (const label of now) if (!old.includes(label)) this.#list(group, label).add(record.seq);
    }
  }

  #list(group: string, label: string): SortedKeys {
    let labels = this.#lists.get(group);
    if (labels === undefined) {
      labels = new Map();
      this.#lists.set(group, labels);
    }
    let list = labels.get(label);
    if (list === undefined) {
      list = new SortedKeys();
      labels.set(label, list);
    }
    return list;
  }

  #remove(group: string, label: string, seq: number): void {
    const labels = this.#lists.get(group);
    const list = labels?.get(label);
    list?.remove(seq);
    if (list?.size === 0) labels?.delete(label);
    if (labels?.size === 0) this.#lists.delete(group);
  }
}
