import { groupBy } from '../history/group-by.ts';
import { gapIds, gaps } from '../spec/gaps/index.ts';
import { isRequirementId } from '../spec/requirements/index.ts';
import { unlocks } from '../spec/unlocks.ts';
import { causesOf, createLocator } from '../results/causes/index.ts';
import type { Must } from '../results/must.ts';
import { correlationFinder } from '../history/correlation.ts';
import type { History, WireError } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { coverageOf, type CoverageBasis } from '../results/coverage.ts';
import { runOutcomeOf } from '../results/run-outcome.ts';
import type { RunResult, SourceReport } from '../results/source-report.ts';
import type { Contrast } from '../results/contrast.ts';
import { type Verdict, verdicts } from '../results/verdicts.ts';
import {
  reportFormat,
  type CheckReport,
  type Failure,
  type GapReport,
  type RequirementReport,
  type RunReport,
} from '../results/run-report.ts';
import type { LimitName } from '../history/limits.ts';
import { momentFinder } from './moments.ts';
import { count } from './labels.ts';

/**
 * Path of a requirement's page below the root of the site (`npm run site`). Undefined if the catalogue does not have
 * the requirement, as for a user's own check.
 */
export const requirementPage = (id: string | undefined): string | undefined =>
  id !== undefined && isRequirementId(id) ? `docs/requirements/${id}.html` : undefined;

const limitOf = (error: WireError | undefined): LimitName | undefined =>
  error?.code === 'limit' ? error.limit : undefined;

/** Minimum number of answers: fewer do not show the usual behaviour of a party or an endpoint. */
const leastAnswers = 5;

interface LimitsReached {
  /** One line for each limit of assay that answers or streams exceeded. */
  readonly notes: readonly string[];
  /** One line for each party and endpoint that was not judged, because most of its answers exceeded a limit. */
  readonly unjudged: readonly string[];
}

/** Limits of assay that kept answers and events of a history from being judged, by name. */
export function limitsReached({ records }: History): LimitsReached {
  const seen = records.flatMap((record) => {
    if (record.kind === 'frame') return [];
    const isAnswer = record.kind === 'exchange';
    const limit = isAnswer ? limitOf(record.error) : record.limit;
    const senders = isAnswer ? [record.party, record.endpoint].flatMap((one) => one ?? []) : [];
    return [{ party: record.party, limit, senders }];
  });
  const notes = [...groupBy(seen, ({ limit }) => limit)].toSorted(byName).map(([limit, some]) => {
    const parties = [...groupBy(some, ({ party }) => party)]
      .toSorted(byName)
      .map(([party, of]) => `${party} ${count(of.length, 'time')}`);
    return `the limit ${limit} of assay was reached: ${parties.join(', ')}; nothing is judged by it`;
  });
  const answers = seen.flatMap(({ senders, limit }) =>
    senders.map((sender) => ({ sender, limit })),
  );
  const unjudged = [...groupBy(answers, ({ sender }) => sender)]
    .toSorted(byName)
    .flatMap(([sender, all]) => {
      const limited = all.filter(({ limit }) => limit !== undefined).length;
      return all.length >= leastAnswers && limited > all.length / 2
        ? [
            `${sender} is not judged: ${limited} of its ${all.length} answers ran into limits of assay`,
          ]
        : [];
    });
  return { notes, unjudged };
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** Counts by verdict. Every verdict has a count. */
export function countVerdicts(
  some: readonly { readonly verdict: Verdict }[],
): Record<Verdict, number> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0]));
  for (const { verdict } of some) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts as Record<Verdict, number>;
}

/** Maximum depth: values from a target may be nested too deep for a reader or the call stack. */
const deepestShown = 32;

const withMaskedReason = <T extends { readonly reason?: string }>(one: T, secrets: Secrets): T =>
  one.reason === undefined ? one : { ...one, reason: secrets.maskText(one.reason) };

/** Circumstances may contain any text of the target in place of a state. */
const maskedRequirement = (one: RequirementReport, secrets: Secrets): RequirementReport => ({
  ...withMaskedReason(one, secrets),
  ...(one.contrast && { contrast: secrets.maskJson(one.contrast) as Contrast }),
});

const maskedFailure = (failure: Failure, secrets: Secrets): Failure => ({
  ...failure,
  message: secrets.maskText(failure.message),
  ...(failure.expected !== undefined && {
    expected: secrets.maskJson(failure.expected, deepestShown),
  }),
  ...(failure.must && { must: secrets.maskJson(failure.must) as Must }),
  ...(failure.actual !== undefined && { actual: secrets.maskJson(failure.actual, deepestShown) }),
});

/** Adds the page of its requirement to a failure. */
function withDocs(failure: Failure): Failure {
  const docs = requirementPage(failure.requirement);
  return docs === undefined ? failure : { ...failure, docs };
}

/** A check or a rule as the report shows it. */
export function checkReportOf(source: SourceReport, secrets: Secrets): CheckReport {
  const { judged: _, ...shown } = withMaskedReason(source, secrets);
  const failures = source.failures.map((one) => withDocs(maskedFailure(one, secrets)));
  return { ...shown, failures };
}

/** Content of a report besides the findings of the run. */
export interface ReportContext {
  readonly version: string;
  readonly target: RunReport['target'];
  /** Host times, from the caller: only the command line and the library may read the host's clock. */
  readonly run: Omit<RunReport['run'], 'target_ms'>;
  readonly gaps: readonly GapReport[];
  /** Selection of a part of the suite. Absent: the whole suite was selected. */
  readonly part?: CoverageBasis['part'];
  readonly preflight?: readonly string[];
  readonly notes?: readonly string[];
  /** Records of the run, for the places of failures. */
  readonly history?: History;
  /** Ends of restarts of the target, in the time of the history. */
  readonly restarts?: readonly number[];
  /** Masks all text of the report before it is written. */
  readonly secrets: Secrets;
}

/** The report of a run, all of its text masked. */
export function assembleReport(result: RunResult, context: ReportContext): RunReport {
  const { secrets } = context;
  const requirements = result.requirements.map((one) => maskedRequirement(one, secrets));
  const locate = createLocator(context.history);
  const correlationOf = correlationFinder(context.history?.records ?? []);
  const momentOf = momentFinder(context.history, context.target.clock.offset_ms, context.restarts);
  const placed = (source: SourceReport): CheckReport => {
    const failures = source.failures.map((failure) => {
      const correlation = correlationOf(failure.exchanges);
      const moment = momentOf(failure);
      return {
        ...locate(failure),
        ...(correlation.length > 0 && { correlation }),
        ...(moment && { moment }),
      };
    });
    return checkReportOf({ ...source, failures }, secrets);
  };
  const checks = result.checks.map(placed);
  const rules = result.rules.map(placed);
  const reached = limitsReached(context.history ?? { records: [] });
  const { seed, id, started_at, finished_at, wall_ms, ended_early, started_with } = context.run;
  const run = {
    seed,
    ...(id !== undefined && { id }),
    started_at,
    finished_at,
    wall_ms,
    target_ms: result.targetMs,
    ...(ended_early && {
      ended_early: { ...ended_early, detail: secrets.maskText(ended_early.detail) },
    }),
    ...(started_with && { started_with }),
  };
  const { name, participants, clock } = context.target;
  const { max_wait_ms, offset_ms, offset_range_ms } = clock;
  return reportOf({
    suite: { version: context.version, digest: result.suiteDigest },
    target: {
      name,
      participants,
      clock: {
        kind: clock.kind,
        // If any wait is allowed, there is no number.
        ...(max_wait_ms !== undefined && Number.isFinite(max_wait_ms) && { max_wait_ms }),
        ...(offset_ms !== undefined && { offset_ms }),
        ...(offset_range_ms !== undefined && { offset_range_ms }),
      },
    },
    run,
    requirements,
    checks,
    rules,
    causes: causesOf(requirements, [...checks, ...rules]),
    gaps: secrets.maskJson(context.gaps) as RunReport['gaps'],
    ...(result.coverage && {
      coverage: coverageOf(
        { checks, requirements },
        { ...result.coverage, ...(context.part && { part: context.part }) },
      ),
    }),
    preflight: [...(context.preflight ?? []), ...reached.unjudged].map(secrets.maskText),
    notes: [...(context.notes ?? []), ...reached.notes].map(secrets.maskText),
  });
}

/** A report of its parts, its keys in the order of the contract. Empty lists are left out. */
export function reportOf(parts: Omit<RunReport, 'format' | 'outcome' | 'totals'>): RunReport {
  const { suite, target, run, requirements, checks, rules, gaps, coverage } = parts;
  const { causes = [], preflight = [], notes = [] } = parts;
  return {
    format: reportFormat,
    outcome: runOutcomeOf(parts),
    suite,
    target,
    run,
    totals: { requirements: countVerdicts(requirements), checks: countVerdicts(checks) },
    requirements,
    checks,
    rules,
    ...(causes.length > 0 && { causes }),
    gaps,
    ...(coverage && { coverage }),
    ...(preflight.length > 0 && { preflight }),
    ...(notes.length > 0 && { notes }),
  };
}

type KnownAnswer = Omit<GapReport, 'id' | 'part' | 'question' | 'unlocks'> & {
  readonly gap: string;
};

/** Every gap of the register, with the target's answer if known, and the number of requirements that depend on it. */
export function gapReports(known: readonly KnownAnswer[]): GapReport[] {
  const byId = new Map(known.map((answer) => [answer.gap, answer]));
  return gapIds.map((id) => {
    const { part, question } = gaps[id];
    const answer = byId.get(id);
    return {
      id,
      part,
      question,
      ...(answer?.declared !== undefined && { declared: answer.declared }),
      ...(answer?.observed !== undefined && { observed: answer.observed }),
      consistent: answer?.consistent ?? true,
      unlocks: unlocks[id]?.length ?? 0,
    };
  });
}
