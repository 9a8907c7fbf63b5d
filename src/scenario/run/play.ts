import type { Party, Target } from '../../client/contract.ts';
import { CircuitOpenError } from '../../client/circuit-breaker.ts';
import type { LimitName } from '../../history/limits.ts';
import { EndedError } from '../../timeline/timeline-errors.ts';
import type { Random } from '../../random/random.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { cellType } from '../language/check-values.ts';
import type { Scenario } from '../language/load.ts';
import { type Plan, planOf } from '../plan.ts';
import { type Budget, createBudget } from './budget.ts';
import { type Env, valueOf } from './evaluate.ts';
import { notOffered } from './faults.ts';
import { Halt, type HaltReason, type StepFailure, UnsavedName } from './halt.ts';
import {
  type LogLine,
  type Reference,
  type Session,
  type StepContext,
  tooLong,
} from './session.ts';
import { runStep, runSteps } from './steps.ts';
import { openPartyStream } from './streams.ts';
import { coerced } from './values.ts';

export interface PlayOptions {
  readonly target: Target;
  readonly random: Random;
  /** Set for the embedded reference alone. */
  readonly reference?: Reference;
}

export type PlayVerdict = 'pass' | 'fail' | 'inconclusive' | 'out_of_scope' | 'error';

/** Result of one scenario. */
export interface Played {
  readonly scenario: Scenario;
  readonly verdict: PlayVerdict;
  /** Set for every verdict except `pass` and `fail`. */
  readonly reason?: string;
  /** Limit of assay that the scenario ran into; it was not judged then. */
  readonly limit?: LimitName;
  /** Failures of the flow, and of the clean-up after it. */
  readonly failures: readonly (StepFailure & { readonly before: readonly LogLine[] })[];
  readonly log: readonly LogLine[];
  readonly drawn: readonly string[];
  /** Orders that a fault may have affected, for rules that judge the history. */
  readonly disturbed: readonly string[];
  /** Duration on the timeline, in milliseconds. */
  readonly targetMs: number;
}

/** Runs a scenario to its end. All behaviour of the target is returned as a verdict; an exception is our own bug. */
export async function play(scenario: Scenario, options: PlayOptions): Promise<Played> {
  const { target, random } = options;
  const plan = planOf(scenario);
  const outside = outOfScope(plan, scenario, options);
  if (outside !== undefined) {
    return unplayed(scenario, 'out_of_scope', outside);
  }
  const session = open(scenario, plan, options, random.fork(scenario.id));
  const whole = target.timeline.act(scenario.id, async () => {
    const env: Env = new Map();
    const { evalContext } = session;
    const ctx: StepContext = { session, env, evalContext, concurrent: false };
    const flow: Ending[] = [];
    const cleanUp: Ending[] = [];
    const attempt = async (endings: Ending[], work: () => Promise<void>): Promise<void> => {
      const ending = await endingOf(work, session.log);
      if (ending) endings.push(ending);
    };
    await attempt(flow, async () => {
      for (const { key, value } of [...scenario.draft.values, ...(scenario.example?.cells ?? [])]) {
        env.set(key, coerced(valueOf(value, ctx), cellType(value).kind));
      }
      await listen(plan, session);
      await runSteps(scenario.draft.setup, ctx);
      await runSteps(scenario.draft.steps, ctx);
    });
    const finished = flow.length === 0;
    if (finished) {
      for (const watch of session.watches) await attempt(flow, async () => watch());
    }
    session.budget = budgetOn(target);
    // The clean-up must reach the target. It may have faults of its own.
    endFaults(session);
    await attempt(cleanUp, () =>
      runSteps(scenario.draft.always, ctx, async (...step) => {
        try {
          await runStep(...step);
        } catch (caught) {
          // A flow that ended early did not save all names that the clean-up uses.
          if (finished || !(caught instanceof UnsavedName)) throw caught;
        }
      }),
    );
    endFaults(session);
    for (const stream of [...session.listening.values(), ...session.extra]) {
      if (stream.isOpen) await stream.drop();
    }
    return result(scenario, session, decisive(flow, cleanUp));
  });
  return whole.catch((thrown: unknown) => {
    if (!(thrown instanceof EndedError)) throw thrown;
    const ending = { kind: 'inconclusive', reason: thrown.message } as const;
    return result(scenario, session, [{ ending, before: session.log }]);
  });
}

/** Ends all faults of networks, also those that have struck nothing yet. */
function endFaults({ target: { networks }, begun }: Session): void {
  for (const network of networks?.values() ?? []) network.calm();
  for (const end of begun) end();
}

/** True if a limit of assay kept the scenario from being judged; it says nothing about the target. */
export const isCutShort = ({ limit }: Played): boolean => limit !== undefined;

/** Result of a scenario that was not played. */
export const unplayed = (
  scenario: Scenario,
  verdict: 'out_of_scope' | 'inconclusive',
  reason: string,
): Played => ({
  scenario,
  verdict,
  reason,
  failures: [],
  log: [],
  drawn: [],
  disturbed: [],
  targetMs: 0,
});

/** Limits the time only on a system clock: on a driven clock it costs nothing. */
const budgetOn = ({ clock, timeline }: Target): Budget =>
  createBudget(clock.kind === 'system' ? () => timeline.now() : undefined);

interface Ending {
  readonly ending: HaltReason;
  readonly before: readonly LogLine[];
}

/** Endings that decide the verdict. If the flow was cut short without a failure, its clean-up can prove nothing. */
const decisive = (flow: readonly Ending[], cleanUp: readonly Ending[]): readonly Ending[] =>
  flow.length > 0 && flow.every(({ ending }) => ending.kind !== 'failed')
    ? flow
    : [...flow, ...cleanUp];

async function endingOf(
  work: () => Promise<void>,
  log: readonly LogLine[],
): Promise<Ending | undefined> {
  try {
    await work();
    return undefined;
  } catch (caught) {
    if (caught instanceof Halt)
      return { ending: caught.ending, before: log.slice(0, caught.logged) };
    if (caught instanceof CircuitOpenError)
      return { ending: { kind: 'inconclusive', reason: caught.message }, before: [...log] };
    throw caught;
  }
}

/** Reason why the scenario is out of scope for this target; undefined if it is in scope. */
function outOfScope(
  plan: Plan,
  { draft }: Scenario,
  { target, reference }: PlayOptions,
): string | undefined {
  const missing = plan.parties.filter((name) => !target.parties[name]);
  if (missing.length > 0) return `the target declares no ${missing.join(', no ')}`;
  if (draft.drivenClock && target.clock.kind === 'system') {
    return 'it needs moments to the millisecond, and the target keeps its own time';
  }
  const wait = tooLong(plan.longestWaitMs, target.clock);
  if (wait !== undefined) return wait;
  for (const fault of plan.faults) {
    const why = notOffered(fault, { target, ...(reference && { reference }) });
    if (why !== undefined) return why;
  }
  if (plan.signs && !target.signing) return 'no signing key is offered';
  if (reference) return undefined;
  if (draft.alone && !target.alone) {
    return 'it needs a target that nobody else uses: say alone: true in the target file if that is so';
  }
  for (const { key, value } of draft.gaps) {
    const answer = target.answers.get(key as Parameters<typeof target.answers.get>[0]);
    if (answer !== value.value) {
      const known =
        answer === undefined
          ? 'not known: declare it under gaps in the target file'
          : JSON.stringify(answer);
      return `it is written for the answer ${JSON.stringify(value.value)} to gap ${key}, the target's is ${known}`;
    }
  }
  return plan.seesLedger ? "the target's ledger cannot be seen" : undefined;
}

function open(
  scenario: Scenario,
  plan: Plan,
  { target, reference }: PlayOptions,
  random: Random,
): Session {
  const parties = new Map<CastName, Party>();
  const party = (name: CastName): Party => {
    const known = parties.get(name) ?? target.party(name, scenario.id);
    parties.set(name, known);
    return known;
  };
  const draws = new Map<string, number>();
  const session: Session = {
    id: scenario.id,
    target,
    ...(reference && { reference }),
    random,
    templates: scenario.templates,
    startedAt: target.timeline.now(),
    log: [],
    watches: [],
    orders: new Map(),
    listening: new Map(),
    extra: [],
    receivers: plan.receivers,
    opensRequests: !plan.acceptsProposals,
    disturbed: new Set(),
    drawn: [],
    pending: [],
    refusals: new Set(),
    begun: [],
    budget: budgetOn(target),
    slowestMs: 0,
    evalContext: {
      now: () => target.timeline.now(),
      draw: ({ line, col }) => {
        const place = `drawn ${line}:${col}`;
        const times = (draws.get(place) ?? 0) + 1;
        draws.set(place, times);
        return random.fork(`${place} ${times}`);
      },
      party,
      spend: (size) => session.budget.value(size),
      holdings: () => reference?.holdings(),
      ...(target.signing && { sign: target.signing.mintNow }),
    },
    party,
  };
  return session;
}

/**
 * Opens the streams of all listeners at the start, so that rules have streams to judge even if no step looks at them.
 */
async function listen(plan: Plan, session: Session): Promise<void> {
  for (const name of plan.listeners)
    session.listening.set(name, await openPartyStream(session.party(name)));
}

function result(scenario: Scenario, session: Session, endings: readonly Ending[]): Played {
  const failures = endings.flatMap(({ ending, before }) =>
    ending.kind === 'failed' ? [{ ...ending.fault, before }] : [],
  );
  const other = endings.map(({ ending }) => ending).find(({ kind }) => kind !== 'failed');
  const common = {
    scenario,
    failures,
    log: session.log,
    drawn: session.drawn,
    disturbed: [...session.disturbed],
    targetMs: session.target.timeline.now() - session.startedAt,
  };
  if (failures.length > 0) return { ...common, verdict: 'fail' };
  if (other && other.kind !== 'failed')
    return {
      ...common,
      verdict: other.kind,
      reason: other.reason,
      ...(other.limit && { limit: other.limit }),
    };
  return { ...common, verdict: 'pass' };
}
