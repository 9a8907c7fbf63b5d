import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { formatSeed } from '../../random/seed.ts';
import {
  type Damage,
  type JournalHead,
  type OpenJournal,
  openJournal,
  type Opening,
  readJournal,
} from '../../reference/journal/index.ts';
import { reasonOf } from '../../run/read-text.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import { referenceHead } from '../../target/embedded/create-reference.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import { CommandFailure, usageFailure } from '../command.ts';
import { within } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { fileStore } from './file-store.ts';
import { claimWriter, isClaim } from './writer-claim.ts';

/** Settings of a backend. An existing journal decides them. */
export interface Making {
  readonly seed: bigint;
  readonly assignment: Assignment;
  readonly clock: 'system' | 'virtual';
  readonly mutation?: string | undefined;
}

export type ClaimedJournal = ReturnType<typeof claimJournal>;

/** Settings of tests in the environment of the command: size at which a snapshot is written, and disk capacity. */
interface TestSettings {
  readonly snapshotAfterBytes?: number;
  readonly capacity?: number;
}

/** Takes a directory for this process alone and reads the journal in it. */
export function claimJournal(name: string, terminal: Terminal) {
  const directory = within(terminal.cwd, name);
  makeDirectory(directory, name);
  const claim = orUnwritable(name, () => claimWriter(directory));
  if (claim.kind === 'refused') {
    const { pid, file, sure } = claim;
    const [why, next] =
      sure === 'running'
        ? ['writes it, and one can at a time', 'end that one first, or name another directory']
        : [
            'of another system or container has claimed it, and it cannot be seen from here whether it still runs',
            `if it has ended, remove ${file} from the directory`,
          ];
    throw usageFailure(`--journal ${name}: process ${pid} ${why}`, next);
  }
  const settings = JSON.parse(terminal.env['ASSAY_TEST_JOURNAL'] ?? '{}') as TestSettings;
  const store = fileStore(directory, () => settings.capacity ?? Number.POSITIVE_INFINITY);
  const close = (): void => {
    store.close();
    claim.release();
  };
  let read: ReturnType<typeof readJournal>;
  try {
    read = orUnwritable(name, () => readJournal(store));
    if (read.kind === 'damaged') throw damageFailure(name, read.damage);
  } catch (error) {
    close();
    throw error;
  }
  const contents = read.kind === 'read' ? read.contents : undefined;
  let broken: (reason: string) => void = () => undefined;
  return {
    /** Head of the existing journal; undefined if there is none. */
    head: contents?.head,
    /** Last moment in the journal. */
    at: contents?.at,
    /** Begins to write, at a moment of the backend's clock. */
    async open(making: Making, nowMs: number): Promise<OpenJournal> {
      const head = referenceHead({ ...making, startedAt: nowMs });
      if (contents && JSON.stringify(contents.head.config) !== JSON.stringify(head.config))
        throw usageFailure(
          `--journal ${name}: it was begun by another version of assay, whose backend starts otherwise`,
          'go on with that version, or name another directory',
        );
      const opening = await new Promise<Opening>((resolve) => {
        openJournal(
          {
            store,
            head,
            read,
            at: nowMs,
            defer: (work) => void eventLoopTurn().then(work),
            onBroken: ({ message }) => broken(message),
            ...(settings.snapshotAfterBytes !== undefined && {
              snapshotAfterBytes: settings.snapshotAfterBytes,
            }),
          },
          resolve,
        );
      });
      if (opening.kind === 'open') return opening.journal;
      if (opening.kind === 'damaged') throw damageFailure(name, opening.damage);
      throw unwritable(name, opening.failure.message);
    },
    /** Called once if nothing more can be written: the command has to end. */
    onBroken(stop: (reason: string) => void): void {
      broken = stop;
    },
    close,
  };
}

const unwritable = (name: string, reason: string): CommandFailure =>
  new CommandFailure(
    `assay: --journal ${name}: ${reason}\n  next: make room on that disk, and start again`,
    3,
  );

/** A disk may still be full when the backend starts again. */
function orUnwritable<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unwritable(name, reasonOf(error));
    throw error;
  }
}

/** A damaged journal is no wrong usage: its content is lost. */
export const damageFailure = (name: string, { file, offset, reason }: Damage): CommandFailure =>
  new CommandFailure(
    `assay: --journal ${name}: ${file}, byte ${offset}: ${reason}\n  next: bring the file back from a copy, or name another directory; nothing was changed`,
    3,
  );

/** Contradictions between the command line and the settings that a journal was begun with. */
export function contradictions(
  { origin, config }: JournalHead,
  asked: Partial<Making>,
): readonly string[] {
  const { seed, clock, mutation } = asked;
  const answers: Readonly<Record<string, string>> = asked.assignment ?? {};
  const settings = [
    ['seed', seed === undefined ? undefined : formatSeed(seed), origin.seed],
    ['clock', clock, origin.clock],
    ['mutation', mutation, origin.mutation],
  ] as const;
  const before = config.assignment as Readonly<Record<string, string>>;
  return [
    ...settings
      .filter(([, wanted, own]) => wanted !== undefined && wanted !== own)
      .map(([name, wanted, own]) => `--${name} is ${wanted}, and the journal's ${own ?? 'none'}`),
    ...Object.entries(answers)
      .filter(([gap, answer]) => before[gap] !== answer)
      .map(
        ([gap, answer]) =>
          `--gaps has ${gap}: ${answer}, and the journal ${before[gap] ?? 'no answer'}`,
      ),
  ];
}

/** Makes the directory unless it is there; one with other files in it is no place for a journal. */
function makeDirectory(directory: string, name: string): void {
  refuseFile(directory, name);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const next = 'name a directory that can be written';
    throw usageFailure(`--journal ${name}: ${reasonOf(error)}`, next);
  }
  const names = readdirSync(directory).filter((one) => one !== 'lost+found' && !isClaim(one));
  if (names.length > 0 && !names.some((one) => /^(segment|snapshot)-\d{8}\.log/.test(one)))
    throw usageFailure(
      `--journal ${name}: the directory holds other files and no journal`,
      'name an empty directory, or one that does not exist yet',
    );
}

const oldFormat = '{"format":"assay.journal/1"';

/** Earlier versions wrote one file. */
export function refuseFile(path: string, name: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return;
  const old = readFileSync(path).subarray(0, oldFormat.length).toString() === oldFormat;
  throw usageFailure(
    old
      ? `--journal ${name}: a file that an earlier version of assay wrote; a journal is a directory now`
      : `--journal ${name}: a file, and a journal is a directory`,
    'name a directory that does not exist yet: it is made; the version that wrote the file can read it',
  );
}
