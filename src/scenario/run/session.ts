import type { Party, Target } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import type { Random } from '../../random/random.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import type { ReferenceFault, RestartPlan } from '../../faults/faults.ts';
import type { Template } from '../language/scenario-file.ts';
import type { Plan } from '../plan.ts';
import type { Budget } from './budget.ts';
import type { EvalContext, Scope } from './evaluate.ts';
import type { PartyStream } from './streams.ts';
import type { Value } from './values.ts';
import { formatDuration, type SourceLocation } from '../../yaml/index.ts';

/** One line of the log, in the order of completion. */
export interface LogLine {
  /** Milliseconds since the scenario began, on the timeline. */
  readonly atMs: number;
  readonly party?: string;
  readonly says: string;
  readonly outcome?: string;
  readonly exchange?: string;
  readonly line?: number;
}

/** Access to the inside of a reference, beyond its interface; a real target offers none. */
export interface Reference {
  fault(order: 'next' | (string & {}), fault: ReferenceFault): Promise<void>;
  dropStreams(party: CastName): Promise<void>;
  delayAnswers(party: CastName, ms: number): Promise<void>;
  holdings(): unknown;
  /** Lets its host stand still. Resolves at once, to true if it may be away for this long. */
  pauseHost?(ms: number): Promise<boolean>;
  /** Absent: the reference stores nothing that it could restart from. */
  readonly lives?: ReferenceLives;
  /** Inspects the reference between two steps. */
  readonly look?: () => void;
}

/** A reference that restarts from its journal. Each method returns true if it may be away for this long. */
export interface ReferenceLives {
  /** Resolves when the reference is up again; or at once, if the fault waits for its next write. */
  restart(plan: RestartPlan): Promise<boolean>;
  fillDisk(ms: number): Promise<boolean>;
}

/** State of one run of one scenario. */
export interface Session {
  readonly id: string;
  readonly target: Target;
  readonly reference?: Reference;
  readonly random: Random;
  readonly templates: ReadonlyMap<string, Template>;
  readonly startedAt: number;
  readonly log: LogLine[];
  /** Checks of what must hold from a step on until the scenario ends. */
  readonly watches: (() => void)[];
  /** Orders that this scenario created, with their creator: events of other orders on a shared target are ignored. */
  readonly orders: Map<string, CastName>;
  readonly listening: Map<CastName, PartyStream>;
  readonly receivers: Plan['receivers'];
  /** True if proposals are accepted on behalf of the scenario, since no step accepts any. */
  readonly opensRequests: boolean;
  /** Orders that a fault may have affected. */
  readonly disturbed: Set<string>;
  /** Streams opened by steps, to be closed at the end. */
  readonly extra: PartyStream[];
  /** The drawn order of each `together`. */
  readonly drawn: string[];
  /** Faults that wait for the next order to be created. */
  readonly pending: PendingControl[];
  /** Saved answers that were refusals, as `refused: maybe` admits. */
  readonly refusals: Set<Value>;
  /** One function for each fault of a network so far: ends it, if it is not over. */
  readonly begun: (() => void)[];
  /** Time at which the last restart was over. Infinite: the restart may still come. Absent: nothing was restarted. */
  upAt?: number;
  /** Remaining budget; the steps under `always` have their own. */
  budget: Budget;
  /** Duration of the slowest exchange so far, in milliseconds: an estimate of a round trip on this target. */
  slowestMs: number;
  readonly evalContext: EvalContext;
  party(name: CastName): Party;
}

interface PendingControl {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly call?: (intentId: string) => Promise<Exchange>;
}

/** Context of a step. */
export interface StepContext extends Scope {
  readonly session: Session;
  /** Other steps run at the same time, so a change need not come from this step. */
  readonly concurrent: boolean;
}

export function note(
  session: Session,
  line: Omit<LogLine, 'atMs'> & { readonly at?: SourceLocation },
): void {
  const { at, ...rest } = line;
  session.log.push({
    atMs: session.target.timeline.now() - session.startedAt,
    ...rest,
    ...(at && { line: at.line }),
  });
}

/** Allowance for late observations, in milliseconds: two round trips, and the uncertainty of the clock offset. */
export function allowanceMs({ target, slowestMs }: Session): number {
  if (target.clock.kind === 'virtual') return 0;
  const { least, most } = target.clock.offset;
  return Math.ceil(Math.max(0, most - least) + 2 * slowestMs);
}

/** Message for a wait longer than `max_wait` of the target; undefined if it is not longer. */
export function tooLong(ms: number, { maxWaitMs }: Target['clock']): string | undefined {
  if (ms <= maxWaitMs) return undefined;
  return `it waits ${formatDuration(ms)}, longer than max_wait ${formatDuration(maxWaitMs)}`;
}
