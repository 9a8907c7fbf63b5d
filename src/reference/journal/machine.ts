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

/** Hooks that alter the core. In a correct backend, all are absent but the policy. */
export interface MachineHooks {
  readonly policy?: Policy;
  readonly command?: (command: Command) => Command | undefined;
  readonly outcome?: (outcome: StepOutcome, command: Command) => StepOutcome;
  readonly deadline?: (deadline: Deadline) => Deadline | undefined;
}

/** Result of a command. */
export interface Carried {
  readonly reply: Reply;
  readonly events: readonly OutgoingEvent[];
  /** Deadlines to keep, as the hooks changed them. */
  readonly deadlines: readonly Deadline[];
  /** `none` if the command changed nothing: a journal may leave it out. */
  readonly effect: 'some' | 'none';
}

/** The part of a world that its commands alone decide: a world and the recovery of its journal run the same machine. */
export interface Machine {
  state: State;
  /** Moment of the last command that reached the core. */
  carriedOut: number;
  apply(command: Command, at: number): Carried;
}

export interface MachineOptions {
  readonly config: WorldConfig;
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly hooks?: MachineHooks;
  /** Snapshot to continue from. */
  readonly snapshot?: Snapshot | undefined;
  /** Collects all pending deadlines, those of the snapshot included. */
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
