import type { Row } from '../records.ts';

/** Records of one kind, by sequence number and by id. */
export class Rows<R extends Row> {
  readonly #rows: R[] = [];
  readonly #seqs = new Map<string, number>();

  get size(): number {
    return this.#rows.length;
  }

  at(seq: number): R {
    const row = this.#rows[seq];
    if (row === undefined) throw new Error(`no record has number ${seq}`);
    return row;
  }

  get(id: string): R | undefined {
    const seq = this.#seqs.get(id);
    return seq === undefined ? undefined : this.#rows[seq];
  }

  all(): readonly R[] {
    return this.#rows;
  }

  /** Creations append, and are taken back in reverse order. */
  change(before: R | undefined, after: R | undefined): void {
    if (after === undefined) {
      if (before === undefined || before.seq !== this.#rows.length - 1) {
        throw new Error('only the newest record can be taken back');
      }
      this.#rows.pop();
      this.#seqs.delete(before.id);
      return;
    }
    if (before === undefined) {
      if (after.seq !== this.#rows.length || this.#seqs.has(after.id)) {
        throw new Error(`record ${after.id} exists already, or is out of turn`);
      }
      this.#seqs.set(after.id, after.seq);
    }
    this.#rows[after.seq] = after;
  }
}
