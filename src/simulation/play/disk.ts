import {
  type JournalHead,
  memoryStore,
  type OpenJournal,
  openJournal,
} from '../../reference/journal/index.ts';

/** Small, so that a restart goes on from a snapshot as often as from records alone. */
const snapshotAfterBytes = 8 * 1024;

/** What a target writes to: its journal, which outlasts it. */
export class Disk {
  readonly #head: JournalHead;
  #store = memoryStore();
  #fills = 0;
  #inWrite: (() => void) | undefined;

  /** @param head of the journal that the first life begins */
  constructor(head: JournalHead) {
    this.#head = head;
  }

  /** Reads what is there, for the life that begins at a moment. Undefined where there is no room to begin. */
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

  /** Calls back in the middle of the next write: it is not on the disk yet. */
  strikeInWrite(strike: () => void): void {
    this.#inWrite = strike;
  }

  /** No write is struck any more. */
  calm(): void {
    this.#inWrite = undefined;
  }

  /** Whoever writes can do nothing more. Of what it had not brought to the disk, so many bytes are lost. */
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
