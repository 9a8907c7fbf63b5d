import type { Deadline } from '../core/contract.ts';
import type { State } from '../core/index.ts';
import { eventTails } from './event-tails.ts';
import { type Carried, createMachine, type Machine, type MachineHooks } from './machine.ts';
import { PendingDeadlines } from './pending-deadlines.ts';
import {
  type Damage,
  type JournalContents,
  type JournalFiles,
  type PlacedRecord,
  readJournal,
  unreadable,
} from './read-journal.ts';
import type { CommandRecord, EventTail, JournalHead } from './records.ts';

/** Number of events kept for each party, for streams that are resumed; as many as a feed keeps. */
export const retainedEvents = 2048;

/** World recovered from its journal. */
export interface Recovered {
  readonly head: JournalHead;
  readonly state: State;
  /** Future and overdue deadlines, in their order. */
  readonly deadlines: readonly Deadline[];
  /** Epoch of the last writer. */
  readonly epoch: number;
  /** The last moment that was recovered. */
  readonly at: number;
  readonly tails: readonly EventTail[];
  /** Sentences for a person. */
  readonly notices: readonly string[];
}

export type Recovery =
  | { readonly ok: true; readonly recovered: Recovered }
  | { readonly ok: false; readonly damage: Damage };

export interface RecoverOptions {
  /** Last moment to recover, in milliseconds since the epoch. */
  readonly until?: number;
  /** Hooks that altered the core when the journal was written; they may read the current state. */
  readonly hooks?: (state: () => State) => MachineHooks;
  /** Called for every command after it was carried out. */
  readonly onCommand?: (record: CommandRecord, carried: Carried, machine: Machine) => void;
}

/** Rebuilds a world from the files of its journal. Only reads the files. Undefined if there is no journal. */
export function recover(files: JournalFiles, options: RecoverOptions = {}): Recovery | undefined {
  const read = readJournal(files);
  if (read.kind === 'none') return undefined;
  if (read.kind === 'damaged') return { ok: false, damage: read.damage };
  return recoverContents(read.contents, options);
}

export function recoverContents(
  contents: JournalContents,
  { until = Number.POSITIVE_INFINITY, hooks, onCommand }: RecoverOptions = {},
): Recovery {
  const { head, snapshot, records } = contents;
  const { config, startedAt } = head;
  const pending = new PendingDeadlines();
  const bent = hooks?.(() => machine.state);
  let machine: Machine;
  try {
    machine = createMachine({ config, startedAt, snapshot, pending, ...(bent && { hooks: bent }) });
  } catch (error) {
    return { ok: false, damage: unreadable(contents.first, 0, error) };
  }
  const tails = eventTails(retainedEvents, snapshot?.tails);
  const upTo = records.filter(({ record }) => record.at <= until);
  const damage = replayRecords(upTo, machine, {
    after(record, carried) {
      for (const event of carried.events) tails.push(event);
      onCommand?.(record, carried, machine);
    },
  });
  if (damage) return { ok: false, damage };
  return {
    ok: true,
    recovered: {
      head,
      state: machine.state,
      deadlines: pending.list(),
      epoch: contents.epoch,
      at: upTo.at(-1)?.record.at ?? snapshot?.at ?? startedAt,
      tails: tails.all(),
      notices: noticesOf(contents),
    },
  };
}

/**
 * Carries out the commands of records. A command that now sends another number of events than when it was written
 * comes from another version of the core: to continue would contradict the answers given then.
 */
export function replayRecords(
  records: readonly PlacedRecord[],
  machine: Machine,
  told: {
    readonly before?: (record: CommandRecord) => void;
    readonly after: (record: CommandRecord, carried: Carried) => void;
  },
): Damage | undefined {
  for (const { record, file, offset } of records) {
    if (record.kind !== 'command') continue;
    told.before?.(record);
    let carried: Carried;
    try {
      carried = machine.apply(record.command, record.at);
    } catch (error) {
      return unreadable(file, offset, error);
    }
    const { length } = carried.events;
    if (length !== record.events) {
      const reason = `the command sent ${record.events} events when it was written, and sends ${length} now: another version of assay wrote it`;
      return { file, offset, reason };
    }
    told.after(record, carried);
  }
  return undefined;
}

export function noticesOf({ torn }: JournalContents): readonly string[] {
  if (!torn) return [];
  const { file, offset, bytes } = torn;
  return [
    `${file} breaks off in the middle of its last record, at byte ${offset}: the ${bytes} bytes of it are cut, and nothing in them was ever answered`,
  ];
}
