import type { Command } from '../../core/contract.ts';
import { saveState } from '../../core/index.ts';
import {
  createWriter,
  eventTails,
  type Machine,
  type OpenJournal,
  type PendingDeadlines,
  retainedEvents,
} from '../../journal/index.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import type { WorldTime } from './world-time.ts';

interface DurabilityOptions {
  readonly journal: OpenJournal;
  readonly machine: Machine;
  readonly pending: PendingDeadlines;
  readonly time: WorldTime;
  /** True with a tamper, which may remember a command that had no effect: such commands are recorded too. */
  readonly recordWithoutEffect: boolean;
  /** Called after state and deadlines were rolled back to what is on disk. */
  readonly onRolledBack: () => void;
}

/** Wait before the next try after a deadline could not be written. */
const retryMs = 1000;

/** Keeps a world in its journal: records its commands, and rolls back to the state on disk if a write fails. */
export function createDurability(options: DurabilityOptions) {
  const { journal, machine, pending, time, recordWithoutEffect, onRolledBack } = options;
  const tails = eventTails(retainedEvents, journal.contents?.snapshot?.tails);
  const momentOf = ({ state, carriedOut }: Machine) => ({ state, carriedOut });
  let durable = momentOf(machine);
  let retryAt = Number.NEGATIVE_INFINITY;

  const writer = createWriter(journal, {
    seal(purpose) {
      const moment = momentOf(machine);
      const { changes } = pending;
      const snapshot = purpose === 'snapshot' && {
        at: time.latest,
        carriedOut: moment.carriedOut,
        epoch: journal.epoch,
        state: saveState(moment.state),
        deadlines: pending.list(),
      };
      return {
        keep() {
          durable = moment;
          pending.keep(changes);
          retryAt = Number.NEGATIVE_INFINITY;
        },
        ...(snapshot && { snapshot: () => ({ ...snapshot, tails: tails.all() }) }),
      };
    },
    rollBack() {
      pending.rollBack();
      Object.assign(machine, durable);
      retryAt = time.now() + retryMs;
      onRolledBack();
    },
  });

  return {
    tails,
    writer,
    /** Marks everything up to now as on disk. */
    markDurable(): void {
      durable = momentOf(machine);
      pending.keep(pending.changes);
    },
    /** Moment of the next try after a rollback; minus infinity if there was none. */
    retryAt: () => retryAt,
    record(command: Command, at: number, events: number, effect: 'some' | 'none'): void {
      if (isRead(command) || (effect === 'none' && !recordWithoutEffect)) return;
      writer.append({ kind: 'command', at, command, events });
    },
  };
}

/** Reads leave the state as it was. */
const isRead = (command: Command): boolean =>
  command.type === 'request' && endpoints[command.endpoint].method === 'GET';
