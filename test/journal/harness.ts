import { random } from '../../src/random/random.ts';
import {
  standardOperator,
  standardParties,
  worldConfigOf,
} from '../../src/reference/http/index.ts';
import { saveState } from '../../src/reference/core/index.ts';
import {
  journalHead,
  type JournalHead,
  type MemoryStore,
  memoryStore,
  type MemoryStoreOptions,
  type OpenJournal,
  openJournal,
  type OpenJournalOptions,
  recover,
} from '../../src/reference/journal/index.ts';
import { type Assignment, referenceAnswers } from '../../src/spec/gaps/index.ts';
import { virtualClock, type VirtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import {
  startMs,
  type TestServer,
  testServer,
  type TestServerOptions,
} from '../reference/harness.ts';

/** The head of a journal of the servers below. */
export function testHead(answers: Partial<Assignment> = {}): JournalHead {
  const drawn = random(7n, 'test');
  const assignment = { ...referenceAnswers, ...answers };
  const parties = standardParties(drawn.fork('parties'));
  const operator = standardOperator(drawn.fork('parties'));
  const config = worldConfigOf({ assignment, parties, operator });
  return journalHead({ seed: '0x7', clock: 'virtual' }, config, startMs);
}

/** Opens a journal whose store answers at once. */
export function opened(
  store: MemoryStore,
  more: Partial<OpenJournalOptions> & { readonly answers?: Partial<Assignment> } = {},
): OpenJournal {
  const { answers, ...options } = more;
  let journal: OpenJournal | undefined;
  openJournal({ store, head: testHead(answers), at: startMs, ...options }, (opening) => {
    if (opening.kind !== 'open') throw new Error(JSON.stringify(opening));
    journal = opening.journal;
  });
  if (!journal) throw new Error('the journal opens later');
  return journal;
}

export interface Life {
  readonly store: MemoryStore;
  readonly clock: VirtualClock;
  readonly server: TestServer;
  readonly journal: OpenJournal;
}

export interface LifeOptions extends Omit<TestServerOptions, 'journal'> {
  readonly store?: MemoryStoreOptions;
  readonly journal?: Partial<OpenJournalOptions>;
}

/** A server with a journal in memory. */
export function lifeOf(options: LifeOptions = {}): Life {
  const store = memoryStore(options.store);
  const clock = options.clock ?? virtualClock(startMs);
  const { answers } = options;
  const journal = opened(store, { ...options.journal, ...(answers && { answers }) });
  const server = testServer({ ...options, clock, journal });
  return { store, clock, server, journal };
}

/** Kills a server and starts the next on what its disk holds; time goes on where it was. */
export function restarted(
  { store, clock, server }: Life,
  options: LifeOptions & { readonly survives?: number } = {},
): Life {
  const files = store.kill(options.survives);
  server.world.close();
  return lifeOf({ ...options, clock, store: { ...options.store, files } });
}

/** Result of recovering a store's files, in a form that can be compared. */
export function recoveredOf(files: Parameters<typeof recover>[0]) {
  const recovery = recover(files);
  if (!recovery?.ok) throw new Error(JSON.stringify(recovery));
  const { state, deadlines, tails } = recovery.recovered;
  return { state: saveState(state), deadlines, tails };
}
