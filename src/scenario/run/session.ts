import type { Party, Target } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import type { Random } from '../../random/random.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import type { OrderFault, RestartPlan, Template } from '../language/model.ts';
import type { Plan } from '../plan.ts';
import { formatDuration } from '../../yaml/index.ts';
import type { SourceLocation } from '../language/source-location.ts';
import type { Budget } from './budget.ts';
import type { EvalContext, Scope } from './evaluate.ts';
import type { PartyStream } from './streams.ts';

/** One line of what happened, in the order in which it was over. */
export interface LogLine {
  /** Milliseconds since the scenario began, on the timeline. */
  readonly atMs: number;
  readonly party?: string;
  readonly says: string;
  readonly outcome?: string;
  readonly exchange?: string;
  readonly line?: number;
}

/** Ways to reach into a reference that no interface shows; a real target has none of them. */
export interface Reference {
  fault(order: 'next' | (string & {}), fault: OrderFault): Promise<void>;
  dropStreams(party: CastName): Promise<void>;
  delayAnswers(party: CastName, ms: number): Promise<void>;
  holdings(): unknown;
  /** Absent: it keeps nothing that it could start again from. */
  readonly lives?: ReferenceLives;
  /** Looks at its inside, between two steps. */
  readonly look?: () => void;
}

/** A reference that goes on from its journal. Each answers whether it may be away for so long. */
export interface ReferenceLives {
  /** Ends once it is there again; at once, where its next write is to be struck. */
  restart(plan: RestartPlan): Promise<boolean>;
  fillDisk(ms: number): Promise<boolean>;
}

/** Something that must hold from a step on until the scenario ends. */
interface StandingExpectation {
  check(): void;
}

/** All that one run of one scenario keeps. */
export interface Session {
  readonly id: string;
  readonly target: Target;
  readonly reference?: Reference;
  readonly random: Random;
  readonly templates: ReadonlyMap<string, Template>;
  readonly startedAt: number;
  readonly log: LogLine[];
  readonly watches: StandingExpectation[];
  /** Orders that this scenario created, and who did: events of others on a shared target are none of its business. */
  readonly orders: Map<string, CastName>;
  readonly listening: Map<CastName, PartyStream>;
  readonly receivers: Plan['receivers'];
  /** Whether proposals are accepted for the scenario, since it does so nowhere itself. */
  readonly opensRequests: boolean;
  /** Orders whose fate may be a fault's doing. */
  readonly disturbed: Set<string>;
  /** Streams opened by steps, to be closed at the end. */
  readonly extra: PartyStream[];
  /** The order of each `together`, as it was drawn. */
  readonly drawn: string[];
  /** Faults waiting for the next order to be created. */
  readonly pending: PendingControl[];
  /** When a restart was over the last time. Infinite: it may still come. Absent: nothing was restarted. */
  upAt?: number;
  /** What it may still do; the steps under `always` have one of their own. */
  budget: Budget;
  /** The slowest exchange so far, in milliseconds: what a round trip may take on this target. */
  slowestMs: number;
  readonly evalContext: EvalContext;
  party(name: CastName): Party;
}

interface PendingControl {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly call?: (intentId: string) => Promise<Exchange>;
}

/** What a step needs beside its own words. */
export interface StepContext extends Scope {
  readonly session: Session;
  /** Steps go on at the same time, so what changed need not be this step's doing. */
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

/** How much later than due something may be seen that came in time: two trips, and what the clocks disagree by. */
export function allowanceMs({ target, slowestMs }: Session): number {
  if (target.clock.kind === 'virtual') return 0;
  const { least, most } = target.clock.offset;
  return Math.ceil(Math.max(0, most - least) + 2 * slowestMs);
}

/** Why a wait is longer than this target is waited for; undefined if it is not. */
export function tooLong(ms: number, { maxWaitMs }: Target['clock']): string | undefined {
  if (ms <= maxWaitMs) return undefined;
  return `it waits ${formatDuration(ms)}, longer than max_wait ${formatDuration(maxWaitMs)}`;
}
