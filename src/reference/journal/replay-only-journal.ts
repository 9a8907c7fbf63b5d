import type { JournalContents } from './read-journal.ts';
import type { OpenJournal } from './open-journal.ts';
import type { JournalStore } from './store.ts';

/** Stores nothing: the replayed records are in a journal already. */
const nowhere: JournalStore = {
  list: () => [],
  read: () => new Uint8Array(),
  append: () => undefined,
  sync: (_, done) => done(),
  truncate: () => undefined,
  rename: () => undefined,
  remove: () => undefined,
};

/** Journal for a world that starts at the beginning of another journal and replays the same commands. */
export const retelling = (contents: JournalContents): OpenJournal => ({
  store: nowhere,
  head: contents.head,
  contents: {
    ...contents,
    records: [],
    at: contents.snapshot?.at ?? contents.head.startedAt,
  },
  epoch: contents.snapshot?.epoch ?? 1,
  place: { segment: 1, bytes: 0, records: 0 },
  notices: [],
  defer: (work) => work(),
  snapshotAfterBytes: Number.POSITIVE_INFINITY,
  onBroken: (failure) => {
    throw failure;
  },
});
