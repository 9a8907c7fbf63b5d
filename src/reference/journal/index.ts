export { eventTails } from './event-tails.ts';
export { type Carried, createMachine, type Machine, type MachineHooks } from './machine.ts';
export { type MemoryStore, memoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { PendingDeadlines } from './pending-deadlines.ts';
export {
  type OpenJournal,
  openJournal,
  type OpenJournalOptions,
  type Opening,
  retelling,
} from './open-journal.ts';
export {
  type Damage,
  type JournalContents,
  type PlacedRecord,
  readJournal,
  type ReadResult,
} from './read-journal.ts';
export type * from './records.ts';
export { journalHead } from './records.ts';
export {
  recover,
  recoverContents,
  type Recovered,
  type Recovery,
  replayRecords,
  retainedEvents,
} from './recover.ts';
export { type JournalStore, StoreFailure } from './store.ts';
export { createWriter, type JournalOwner } from './writer.ts';
