import {
  type JournalHead,
  memoryStore,
  type OpenJournal,
  openJournal,
} from '../../reference/journal/index.ts';

/** Small, so that a restart often begins from a snapshot, and often from records alone. */
const snapshotAfterBytes = 8 * 1024;

/** Disk of a target: it holds the journal and outlasts the target. */
export class Disk {
  readonly #head: JournalHead;
  #store = memoryStore();
  #fills = 0;
  #inWrite: (() => void) | undefined;

  /** @param head of the journal that the first life begins */
  constructor(head: JournalHead) {
    this.#head = head;
  }

  /** Reads the journal for the life that begins at a moment. Undefined if there is no room to begin. */
  open(at: number): OpenJournal | undefined {
    const store = this.#store;
    store.later = (work, name) => {
      const strike = name.endsWith('.draft') ? undefined : this.#inWrite;
      if (!strike) return work();
      this.#inWrite = undefined;
      strike();
    };
    let journal: OpenJournal | undefined;
    openJournal({ store, head: this.#head, at, snapshotAfterBytes }, (opening) => {
      if (opening.kind === 'damaged')
        throw new Error(`a journal was damaged: ${opening.damage.reason}`);
      if (opening.kind === 'open') journal = opening.journal;
    });
    return journal;
  }

  /** Calls back in the middle of the next write, before the write is on the disk. */
  strikeInWrite(strike: () => void): void {
    this.#inWrite = strike;
  }

  /** Cancels the strike on the next write. */
  calm(): void {
    this.#inWrite = undefined;
  }

  /** Cuts the writer off: it can do nothing more. `lostBytes` of its unsynced bytes are lost. */
  cutOff(lostBytes: number): void {
    const { unsynced } = this.#store;
    const files = this.#store.kill(Math.max(0, unsynced - lostBytes));
    this.#store = memoryStore({ files });
    this.#setRoom();
  }

  fill(): void {
    this.#fills += 1;
    this.#setRoom();
  }

  makeRoom(): void {
    this.#fills -= 1;
    this.#setRoom();
  }

  #setRoom(): void {
    this.#store.capacity = this.#fills > 0 ? 0 : Number.POSITIVE_INFINITY;
  }
}
