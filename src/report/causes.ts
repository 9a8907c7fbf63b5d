import type {
  CauseReport,
  CheckReport,
  Failure,
  RequirementReport,
  RunReport,
} from '../results/run-report.ts';
import { count } from './labels.ts';
import { causesOf } from '../results/causes/index.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { durationText } from './sequence/sequence.ts';

export interface SourcedFailure {
  readonly source: CheckReport;
  readonly failure: Failure;
}

/** The failures that a cause explains, each with the check or rule that found it. */
export function failuresOf(report: RunReport, cause: CauseReport): readonly SourcedFailure[] {
  const sources = new Map([...report.checks, ...report.rules].map((each) => [each.id, each]));
  return cause.failures.flatMap(({ source: id, index }) => {
    const source = sources.get(id);
    const failure = source?.failures[index];
    return source && failure ? [{ source, failure }] : [];
  });
}

/** Causes of a report. For an old report without causes, they are computed now. */
export const causesIn = (report: RunReport): readonly CauseReport[] =>
  report.causes ?? causesOf(report.requirements, [...report.checks, ...report.rules]);

export const failingCauses = (report: RunReport): readonly CauseReport[] =>
  causesIn(report).filter(({ outcome }) => outcome === 'fail');

/** Ids of the causes of each requirement, or of each check and rule. */
export function causeIdsBy(
  causes: readonly CauseReport[],
  by: 'requirement' | 'source',
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, requirements, failures } of causes) {
    const named = by === 'requirement' ? requirements : failures.map(({ source }) => source);
    for (const name of new Set(named)) found.set(name, [...(found.get(name) ?? []), id]);
  }
  return found;
}

/** A cause with all data that is shown with it. */
export interface ShownCause {
  readonly cause: CauseReport;
  /** Number in the report, from 1. The lines of requirements refer to it. */
  readonly number: number;
  /** Requirement that describes the defect best. */
  readonly clause: RequirementReport | undefined;
  /** Failure that shows it best, with the check or rule that found it. Undefined if the report does not have it. */
  readonly shownBy: SourcedFailure | undefined;
}

export function shownCauses(report: RunReport): ShownCause[] {
  const clauses = new Map(report.requirements.map((one) => [one.id, one]));
  return causesIn(report).map((cause, place) => ({
    cause,
    number: place + 1,
    clause: clauses.get(cause.about ?? cause.requirements[0] ?? ''),
    shownBy: failuresOf(report, cause)[0],
  }));
}

/** Causes of failures, or of warnings: a warning breaks nothing, so it stands apart. */
export interface CauseGroup {
  readonly outcome: CauseReport['outcome'];
  /** "1 probable cause, 16 requirements", or "2 warnings". */
  readonly title: string;
  readonly causes: readonly ShownCause[];
}

/** The groups that have causes, failures first. */
export function causeGroups(report: RunReport): readonly CauseGroup[] {
  const all = shownCauses(report);
  return (['fail', 'warn'] as const).flatMap((outcome) => {
    const causes = all.filter(({ cause }) => cause.outcome === outcome);
    if (causes.length === 0) return [];
    const broken = new Set(causes.flatMap(({ cause }) => cause.requirements));
    const title =
      outcome === 'warn'
        ? count(causes.length, 'warning')
        : `${count(causes.length, 'probable cause')}, ${count(broken.size, 'requirement')}`;
    return [{ outcome, title, causes }];
  });
}

/** Numbers of the causes of a requirement's failures. */
export const causesOfRequirement = (causes: readonly ShownCause[], id: string): readonly number[] =>
  causes.filter(({ cause }) => cause.requirements.includes(id)).map(({ number }) => number);

/** "failed 12 of 305: 12 of 15 with state = SETTLED, 0 of 290 others" and "first seen 12:00:41.250 UTC, ...", if known. */
export function occurrenceTexts(
  report: RunReport,
  { cause, clause }: ShownCause,
): readonly string[] {
  const often = clause && howOftenText(clause);
  const firstSeen = firstSeenText(report, cause);
  return [
    ...(often === undefined ? [] : [`failed ${often}`]),
    ...(firstSeen === undefined ? [] : [`first seen ${firstSeen}`]),
  ];
}

/** "12 of 305: 12 of 15 with state = SETTLED, 0 of 290 others"; undefined if it never failed. */
function howOftenText({ failed, exercised, contrast }: RequirementReport): string | undefined {
  if (failed === undefined) return undefined;
  const often = `${failed} of ${exercised}`;
  const { in: shared, there, elsewhere } = contrast ?? {};
  if (!shared || !there || !elsewhere) return often;
  const circumstances = Object.entries(shared).map(([name, value]) => `${name} = ${value}`);
  return `${often}: ${there.failed} of ${there.of} with ${circumstances.join(' and ')}, ${elsewhere.failed} of ${elsewhere.of} others`;
}

/**
 * "12:00:41.250 UTC, 41.25 s into the run": the earliest failure of a cause, on the target's clock. Undefined if the
 * report has no times of its failures.
 */
export function firstSeenText(report: RunReport, cause: CauseReport): string | undefined {
  const [first] = failuresOf(report, cause)
    .flatMap(({ failure: { moment } }) => {
      const atMs = parseTimestamp(moment?.at);
      return moment && atMs !== undefined ? [{ ...moment, atMs }] : [];
    })
    .toSorted((one, other) => one.atMs - other.atMs);
  if (!first) return undefined;
  const timeOfDay = first.at.slice('2026-01-01T'.length, '2026-01-01T12:00:41.250'.length);
  const restarted = first.after_restart_ms;
  const since = restarted === undefined ? '' : `, ${durationText(restarted)} after a restart`;
  return `${timeOfDay} UTC, ${durationText(first.after_ms)} into the run${since}`;
}
