import type { CallPolicy, Party, Target } from '../../client/contract.ts';
import { CircuitOpenError } from '../../client/circuit-breaker.ts';
import type { Random } from '../../random/random.ts';
import { LostClockError, lostClockReason } from '../../timeline/timeline-errors.ts';
import type { CastName } from '../../spec/requirements/index.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { answeredOnly, UnknownEffectError } from './answered-only.ts';
import { type Budget, createBudget, BudgetExceeded } from './call-budget.ts';
import type { Check, Evidence, CheckContext } from './check.ts';
import type { Finding, Violation } from '../../results/findings.ts';
import type { Lack } from '../../results/coverage-report.ts';
import type { Age } from './plan.ts';
import type { CallGate } from './call-gate.ts';
import { RunEndedError, type RunLimit } from './run-end.ts';
import {
  type Catalogue,
  type SourceReport,
  sourceReport,
  summarize,
} from '../../results/source-report.ts';
import {
  type FindingOutcome,
  isDecisive,
  type Verdict,
  worstVerdict,
} from '../../results/verdicts.ts';

/** Ends a check from within: no fault, but the check cannot exercise more. */
class Ended extends Error {
  override readonly name = 'Ended';
  readonly end: End;

  constructor(end: End) {
    super(end.reason);
    this.end = end;
  }
}

interface End {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly lacks?: readonly Lack[];
  /** Ids of the exchanges and frames that show why. */
  readonly seen?: readonly string[];
}

/** Results of all runs of one check so far: there may be several, at several ages. */
export interface FoundSoFar {
  readonly findings: Finding[];
  /** The worst end of the runs that ended early. */
  ended?: End | undefined;
}

/** A sentence with the age of the run at which it was true. */
const atAge = (text: string, age: Age | undefined): string =>
  age ? `${text.replace(/\.$/, '')}, ${age.called}` : text;

export interface CheckEnvironment {
  readonly target: Target;
  readonly catalogue: Catalogue;
  readonly gate: CallGate;
  readonly random: Random;
  /** Age at which it is run again. Absent: it is its first run. */
  readonly age?: Age | undefined;
  readonly found: FoundSoFar;
  /** Target time beyond the announced wait that the check may use. */
  readonly allowanceMs: number;
  /** Requirements that some rule of this run judges. */
  readonly judgedByRules: ReadonlySet<string>;
  /** Ids of orders that controls were used on, over the whole run. */
  readonly disturbed: Set<string>;
  /** Limit of the whole run. Absent: no limit. */
  readonly limit?: RunLimit | undefined;
}

/**
 * The target as one check sees it: its waits and calls bounded by the budget, its calls through the gate, and no call
 * without a complete answer.
 */
const targetWithin = (target: Target, policy: CallPolicy, timeline: Timeline): Target => ({
  name: target.name,
  timeline,
  get clock() {
    return target.clock;
  },
  parties: target.parties,
  party: (name, by) => target.party(name, by, policy),
  get history() {
    return target.history;
  },
  answers: target.answers,
  orderDefaults: target.orderDefaults,
  controls: target.controls,
  ...(target.signing && { signing: target.signing }),
  ...(target.verify && { verify: target.verify }),
  close: () => target.close(),
});

function createCheckContext(check: Check, context: CheckEnvironment, budget: Budget): CheckContext {
  const {
    limit,
    age,
    found: { findings },
  } = context;
  const policy = answeredOnly(
    () => context.target.history.records,
    limit?.within(budget.policy) ?? budget.policy,
  );
  const target = targetWithin(context.target, policy, budget.timeline);
  const parties = new Map<CastName, Party>();
  const violationOf = ({ message, expected, actual, seen, ...more }: Evidence): Violation => {
    const last = budget.lastExchange();
    const shown = seen ?? (last ? [last] : []);
    return {
      ...more,
      message: atAge(message, age),
      ...(expected !== undefined && { expected }),
      ...(actual !== undefined && { actual }),
      evidence: [...new Set(shown.map(({ id }) => id))],
    };
  };
  /** Throws if the check does not announce the requirement, or the catalogue lacks it: that is our own mistake. */
  const add = (requirement: string, outcome: FindingOutcome, violation?: Violation): void => {
    if (!check.requirements.some((id) => id === requirement)) {
      throw new Error(`judges ${requirement}, which it does not announce`);
    }
    if (!context.catalogue[requirement]) {
      throw new Error(`judges ${requirement}, which the catalogue does not have`);
    }
    findings.push({ requirement, outcome, evidence: [], ...violation });
  };
  const assertAs =
    (outcome: 'fail' | 'warn'): CheckContext['assert'] =>
    (requirement, holds, otherwise) => {
      if (holds) add(requirement, 'pass');
      else add(requirement, outcome, violationOf(otherwise));
      return holds;
    };
  return {
    target,
    random: context.random,
    draws: check.draws === true,
    party(name) {
      const known = parties.get(name) ?? target.party(name, check.id);
      parties.set(name, known);
      return known;
    },
    assert: assertAs('fail'),
    warnUnless: assertAs('warn'),
    inconclusive: (requirement, reason) =>
      add(requirement, 'inconclusive', violationOf({ message: reason })),
    notExercised(reason, seen = []) {
      throw new Ended({ verdict: 'not_exercised', reason, seen: seen.map(({ id }) => id) });
    },
    outOfScope(reason) {
      throw new Ended({ verdict: 'out_of_scope', reason });
    },
    allowWait(ms, forWhat) {
      const { maxWaitMs } = context.target.clock;
      if (ms > maxWaitMs) {
        const wanted = `${forWhat} takes ${Math.ceil(ms / 1000)} s`;
        const reason = `${wanted}, longer than max_wait (${maxWaitMs / 1000} s)`;
        throw new Ended({ verdict: 'out_of_scope', reason, lacks: [{ wait_ms: ms }] });
      }
      budget.extend(ms);
    },
    markDisturbed: (intentId) => {
      context.disturbed.add(intentId);
    },
    exclusively: (body) => budget.exclusively(body),
    inOneMoment: (body) => budget.inOneMoment(body),
    whileUnchanged: (body) => budget.whileUnchanged(body),
    promptly: (body) => budget.promptly(body),
  };
}

/** Verdict and reason for requirements that were not judged, from the error that ended the check. */
function endOf(thrown: unknown, limit: RunLimit | undefined): End {
  const cut = thrown instanceof BudgetExceeded ? limit?.spent() : undefined;
  const end = cut ? new RunEndedError(cut) : thrown;
  if (end instanceof RunEndedError) return { verdict: 'not_exercised', reason: end.message };
  if (thrown instanceof Ended) return thrown.end;
  if (thrown instanceof BudgetExceeded) return { verdict: 'inconclusive', reason: thrown.message };
  if (thrown instanceof UnknownEffectError) {
    const seen = thrown.exchange ? [thrown.exchange.id] : [];
    return { verdict: 'inconclusive', reason: thrown.message, seen };
  }
  if (thrown instanceof CircuitOpenError)
    return { verdict: 'not_exercised', reason: thrown.message };
  if (thrown instanceof LostClockError) {
    return { verdict: 'not_exercised', reason: lostClockReason(thrown) };
  }
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return { verdict: 'error', reason: `the check itself broke: ${text}` };
}

/**
 * Report of a check. Most checks only bring about situations that the rules judge: a check that reached its end and
 * asserted nothing passes if the rules judge all of its requirements.
 */
function reportOf(
  check: Check,
  findings: readonly Finding[],
  ended: End | undefined,
  { catalogue, judgedByRules }: Pick<CheckEnvironment, 'catalogue' | 'judgedByRules'>,
): SourceReport {
  const { requirements } = check;
  const silence: End = ended ?? {
    verdict: 'not_exercised',
    reason: 'the check ended without coming to it',
  };
  const summary = summarize(
    requirements,
    findings,
    catalogue,
    (outcomes) => worstVerdict<Verdict>(outcomes) ?? 'not_exercised',
    silence,
  );
  const decided = summary.judged.map((each) => each.verdict).filter(isDecisive);
  const leftToRules = requirements.every((one) => judgedByRules.has(one));
  const verdict =
    worstVerdict([...decided, ...(ended ? [ended.verdict] : [])]) ??
    (leftToRules ? 'pass' : silence.verdict);
  const reason =
    ended && verdict === ended.verdict
      ? ended.reason
      : summary.judged.find((each) => each.verdict === verdict && each.reason !== undefined)
          ?.reason;
  return sourceReport(check, summary, verdict, reason, verdict === ended?.verdict ? ended : {});
}

/** A check that was not run, and why. */
export function notRun(
  check: Check,
  verdict: Verdict,
  reason: string,
  lacks: readonly Lack[] = [],
): SourceReport {
  const end = { verdict, reason, lacks };
  return reportOf(check, [], end, { catalogue: {}, judgedByRules: new Set() });
}

export interface RunningCheck {
  readonly check: Check;
  readonly budget: Budget;
  /** Runs the check once. Never throws: any error is in the result. */
  run(): Promise<SourceReport>;
  /** Report of a check that has not ended. */
  cutShort(thrown: unknown): SourceReport;
}

/** A run of a check, as it draws, waits and calls. */
export const runName = ({ id }: Check, age: Age | undefined): string =>
  age ? `${id}, ${age.called}` : id;

/** The worse of two ends, the first of equals. */
const worseEnd = (one: End | undefined, other: End | undefined): End | undefined =>
  one && other
    ? worstVerdict([one.verdict, other.verdict]) === one.verdict
      ? one
      : other
    : (one ?? other);

export function prepareCheck(check: Check, context: CheckEnvironment): RunningCheck {
  const { timeline } = context.target;
  const usualMs = (check.needs.waitMs ?? 0) + context.allowanceMs;
  const { limit, age, found } = context;
  // Only on the system clock do waits take host time.
  const budgetMs =
    limit && timeline.kind === 'system' ? Math.min(usualMs, limit.leftMs()) : usualMs;
  // Quiet sections are kept from the other runs of the same check as well.
  const budget = createBudget(runName(check, age), timeline, context.gate, budgetMs);
  const t = createCheckContext(check, context, budget);

  const body = (): Promise<void> =>
    check.exclusive ? budget.exclusively(() => check.run(t)) : check.run(t);
  const concluded = (ended: End | undefined): SourceReport => {
    const reason = ended?.reason;
    const aged = ended && reason !== undefined ? { ...ended, reason: atAge(reason, age) } : ended;
    found.ended = worseEnd(found.ended, aged);
    return reportOf(check, found.findings, found.ended, context);
  };
  return {
    check,
    budget,
    async run() {
      let ended: End | undefined;
      try {
        await body();
      } catch (thrown) {
        ended = endOf(thrown, limit);
      }
      try {
        await budget.closeStreams();
      } catch (thrown) {
        ended ??= endOf(thrown, limit);
      }
      return concluded(ended);
    },
    cutShort: (thrown) => concluded(endOf(thrown, limit)),
  };
}
