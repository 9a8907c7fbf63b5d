import type { Requirement } from '../spec/requirements/index.ts';
import { type Finding, recordsThatShow, type Violation } from './findings.ts';
import { mustText } from './must.ts';
import type { CoverageBasis } from './coverage.ts';
import type { CheckReport, EndedEarly, Failure, RequirementReport } from './run-report.ts';
import {
  cappedByLevel,
  type FindingOutcome,
  type StatedVerdict,
  type Verdict,
} from './verdicts.ts';

/** Verdict of one check or one rule on one of its requirements. */
export interface RequirementVerdict extends StatedVerdict {
  readonly requirement: string;
}

/** Result of one check or one rule: its entry of the report, and its verdict on each of its requirements. */
export interface SourceReport extends CheckReport {
  /** One for each of `requirements`, in their order. */
  readonly judged: readonly RequirementVerdict[];
}

/** One run of selected checks and all rules against one target. */
export interface RunResult {
  readonly checks: readonly SourceReport[];
  readonly rules: readonly SourceReport[];
  /** One for each requirement of the catalogue, in its order. */
  readonly requirements: readonly RequirementReport[];
  /** sha256 over the catalogue, the check ids and the rule ids: identifies the suite. */
  readonly suiteDigest: string;
  /** Size and selection of the suite. Absent: it was no run of a suite of checks. */
  readonly coverage?: CoverageBasis;
  /** Target time between the first call and the last. */
  readonly targetMs: number;
  /** Reason why no request was possible any more before all checks had ended. Absent: requests stayed possible. */
  readonly stopped?: string;
  /** Reason of an early end. Absent: the run came to its end. */
  readonly endedEarly?: EndedEarly;
}

export type Catalogue = Readonly<Record<string, Requirement>>;

/** Number of failures kept for each requirement and outcome: many warnings must not hide the one failure. */
export const failuresKept = 5;

export interface Silence {
  readonly verdict: Verdict;
  readonly reason?: string;
}

/** A failure before it is reported. */
export interface FoundFailure extends Failure, Pick<Violation, 'fields' | 'event'> {
  /** Evidence of the equal failures that were left out after it. Absent: none were. */
  alike?: readonly string[];
  /** See `shownBy` of a finding; also one record for each failure with the same message that was left out. */
  shownBy?: readonly string[];
}

/** Verdicts on each requirement from the findings of one check or one rule. */
export interface Summary {
  readonly judged: readonly RequirementVerdict[];
  readonly failures: readonly FoundFailure[];
  /** Number of failures left out. */
  readonly omitted: number;
}

/**
 * @param verdictOf verdict on one requirement from its outcomes
 * @param silence the verdict on a requirement that was not exercised
 */
export function summarize(
  requirements: readonly string[],
  findings: readonly Finding[],
  catalogue: Catalogue,
  verdictOf: (outcomes: readonly FindingOutcome[]) => Verdict,
  silence: Silence,
): Summary {
  const counts = new Map<string, Map<FindingOutcome, number>>(
    requirements.map((id) => [id, new Map()]),
  );
  const kept = new Map<string, FoundFailure[]>();
  const failures: FoundFailure[] = [];
  let omitted = 0;
  for (const finding of findings) {
    const { requirement, outcome: seen, times = 1, closed, evidence, ...found } = finding;
    const { message = 'no message was given', ...values } = found;
    const level = closed ? 'must' : (catalogue[requirement]?.level ?? 'must');
    const outcome = cappedByLevel(level, seen);
    const of = counts.get(requirement);
    of?.set(outcome, (of.get(outcome) ?? 0) + times);
    if (outcome === 'pass') continue;
    const alike = kept.get(`${outcome} ${requirement}`) ?? [];
    kept.set(`${outcome} ${requirement}`, alike);
    const isKept = alike.length < failuresKept;
    omitted += isKept ? times - 1 : times;
    if (!isKept) {
      const last = alike.at(-1);
      if (last) last.alike = [...(last.alike ?? []), ...evidence];
      const equal = alike.find((one) => one.message === message);
      if (equal)
        equal.shownBy = [
          ...recordsThatShow(equal, equal.exchanges),
          ...recordsThatShow(found, evidence),
        ];
      continue;
    }
    const { must } = values;
    const failure = {
      requirement,
      outcome,
      message,
      ...values,
      ...(must && { expected: mustText(must) }),
      exchanges: evidence,
    };
    alike.push(failure);
    failures.push(failure);
  }
  const judged = [...counts].map(([requirement, outcomes]): RequirementVerdict => {
    if (outcomes.size === 0) return { requirement, ...silence, exercised: 0 };
    const verdict = verdictOf([...outcomes.keys()]);
    const reason = kept.get(`${verdict} ${requirement}`)?.[0]?.message;
    const exercised = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    const failed = outcomes.get('fail');
    return {
      requirement,
      verdict,
      ...(reason !== undefined && { reason }),
      exercised,
      ...(failed !== undefined && { failed }),
    };
  });
  return { judged, failures, omitted };
}

/** The report entry of one check or one rule. Every verdict but pass has a reason. */
export function sourceReport(
  { id, title, requirements }: Pick<SourceReport, 'id' | 'title' | 'requirements'>,
  { judged, failures, omitted }: Summary,
  verdict: Verdict,
  reason: string | undefined,
  { lacks = [], seen = [] }: Pick<CheckReport, 'lacks' | 'seen'> = {},
): SourceReport {
  return {
    id,
    title,
    requirements,
    verdict,
    ...(reason !== undefined && verdict !== 'pass' && { reason }),
    ...(lacks.length > 0 && { lacks }),
    ...(seen.length > 0 && { seen }),
    failures,
    ...(omitted > 0 && { omitted }),
    judged,
  };
}
