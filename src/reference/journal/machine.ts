import type { Command, Deadline, OutgoingEvent, Reply } from '../core/contract.ts';
import {
  initialState,
  type Policy,
  restoreState,
  type State,
  step,
  type StepOutcome,
  type WorldConfig,
} from '../core/index.ts';
import { PendingDeadlines } from './pending-deadlines.ts';
import type { Snapshot } from './records.ts';

/** What bends the core on its way; all of it absent in a sound backend. */
export interface MachineHooks {
  readonly policy?: Policy;
  readonly command?: (command: Command) => Command | undefined;
  readonly outcome?: (outcome: StepOutcome, command: Command) => StepOutcome;
  readonly deadline?: (deadline: Deadline) => Deadline | undefined;
}

/** What came of a command. */
export interface Carried {
  readonly reply: Reply;
  readonly events: readonly OutgoingEvent[];
  /** Those to keep, as the hooks want them. */
  readonly deadlines: readonly Deadline[];
  /** Whether anything is otherwise than before; a journal may leave out what is not. */
  readonly effect: 'some' | 'none';
}

/** As much of a world as its commands alone decide: a world and the recovery of its journal run the same one. */
export interface Machine {
  state: State;
  /** The moment as of which the core was last asked. */
  carriedOut: number;
  apply(command: Command, at: number): Carried;
}

export interface MachineOptions {
  readonly config: WorldConfig;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly hooks?: MachineHooks;
  /** What it goes on from. */
  readonly snapshot?: Snapshot | undefined;
  /** Where deadlines are kept in mind for whoever needs them all: those of the snapshot are put there, too. */
  readonly pending?: PendingDeadlines | undefined;
}

const withheld: Reply = {
  ok: false,
  error: { code: 'not_found', detail: 'there is no such thing' },
};
const done: Reply = { ok: true, status: 200 };

export function createMachine(options: MachineOptions): Machine {
  const { config, startedAt, snapshot, pending, hooks = {} } = options;
  const { policy } = hooks;
  for (const deadline of snapshot?.deadlines ?? []) pending?.add(deadline);

  function apply(command: Command, at: number): Carried {
    if (command.type === 'due') pending?.remove(command.deadline);
    const effect = command.type === 'due' ? 'some' : 'none';
    const altered = hooks.command ? hooks.command(command) : command;
    if (!altered) return { reply: withheld, events: [], deadlines: [], effect };
    machine.carriedOut = at;
    let outcome = step(machine.state, altered, at);
    if (hooks.outcome) outcome = hooks.outcome(outcome, altered);
    const { state, events, reply = done } = outcome;
    const same = state === machine.state && events.length === 0;
    machine.state = state;
    const deadlines = hooks.deadline
      ? outcome.deadlines.flatMap((asked) => hooks.deadline?.(asked) ?? [])
      : outcome.deadlines;
    if (pending) for (const deadline of deadlines) pending.add(deadline);
    return { reply, events, deadlines, effect: same && deadlines.length === 0 ? effect : 'some' };
  }

  const machine: Machine = {
    state: snapshot ? restoreState(snapshot.state, policy) : initialState(config, policy),
    carriedOut: snapshot?.carriedOut ?? startedAt,
    apply,
  };
  return machine;
}
