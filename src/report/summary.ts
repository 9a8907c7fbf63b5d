import { groupBy } from '../history/group-by.ts';
import { type RunOutcome, type Verdict, verdicts } from '../results/verdicts.ts';
import { countVerdicts } from './assemble.ts';
import type { CheckReport, EndedEarly, PlayReport, RunReport } from '../results/run-report.ts';
import { parts as documentParts, rootOf } from '../spec/vocabulary.ts';
import { newsSentence } from './changes.ts';
import { coverageWords, isWhole } from './coverage-text.ts';
import { count, outcomeLabels, playLabels, verdictOrder } from './labels.ts';

/** True for a rule that found a violation or had an error, independent of what the scenarios expected. */
export const isFound = ({ verdict }: { readonly verdict: Verdict }): boolean =>
  verdict === 'fail' || verdict === 'error';

/** Result of a play: its scenarios and, apart from them, the interface. */
export function playReportOf(
  scenarios: readonly { readonly verdict: Verdict; readonly waived?: string }[],
  ofInterface: RunOutcome,
): PlayReport {
  const known = scenarios.filter(({ waived }) => waived !== undefined).length;
  return {
    scenarios: countVerdicts(scenarios),
    ...(known > 0 && { waived: known }),
    interface: ofInterface,
  };
}

/** Outcome of the scenarios in words, with the number of each verdict. */
function playOutcome({
  scenarios,
  waived = 0,
}: PlayReport): readonly [outcome: string, detail: string] {
  const all = Object.values(scenarios).reduce((sum, n) => sum + n, 0);
  const of = (n: number): string => `${n} of ${count(all, 'scenario')}`;
  const { error, pass } = scenarios;
  const fail = scenarios.fail - waived;
  const known = waived > 0 ? `, ${waived} failed as waived` : '';
  if (error > 0) return ['error', `the suite itself broke in ${of(error)}`];
  if (fail > 0) return ['not as expected', `${of(fail)} failed${known}`];
  if (pass + waived === 0) return ['not played', `${of(0)} could be decided`];
  return ['as expected', `${of(pass)} passed${known}`];
}

/** Outcome of the scenarios and, apart from it, of the rules: an expectation of a scenario may itself be wrong. */
const playSentence = (play: PlayReport): string =>
  `${playOutcome(play).join(': ')}; ${playLabels[play.interface]}`;

export interface PartRow {
  readonly part: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly total: number;
}

/** Counts by part, in the order of the document. */
export function countsByPart(report: RunReport): PartRow[] {
  const parts = groupBy(report.requirements, ({ part }) => rootOf(part));
  return [...parts]
    .toSorted(([one], [other]) => documentParts.indexOf(one) - documentParts.indexOf(other))
    .map(([part, some]) => ({ part, counts: countVerdicts(some), total: some.length }));
}

/** Verdicts that occur at all in the requirements, so that tables need no empty columns; `pass` and `fail` always. */
export const occurringVerdicts = (report: RunReport): Verdict[] =>
  verdicts.filter(
    (verdict) =>
      verdict === 'pass' || verdict === 'fail' || report.totals.requirements[verdict] > 0,
  );

/** Sentence on an early end: time and reason. All formats use it. */
export const endedSentence = ({ at, detail }: EndedEarly): string =>
  `the run ended early, at ${at}: ${detail}`;

/** Number of failures by the end of a run that ended early, in words. */
function failedBefore({ requirements, scenarios = [] }: RunReport): string {
  const failed = requirements.filter(({ verdict }) => verdict === 'fail').length;
  const played = scenarios.filter(({ verdict }) => verdict === 'fail').length;
  const words = [
    ...(played > 0 ? [count(played, 'scenario')] : []),
    ...(failed > 0 ? [count(failed, 'requirement')] : []),
  ];
  return words.length === 0
    ? 'nothing that was judged by then is violated'
    : `${words.join(' and ')} failed before that`;
}

const isPartlyJudged = ({ outcome, coverage }: RunReport): boolean =>
  outcome === 'conformant' && coverage !== undefined && !isWhole(coverage);

/** Outcome, short enough for a title. */
export function shortOutcome(report: RunReport): string {
  if (report.play) return playOutcome(report.play)[0];
  return isPartlyJudged(report) ? 'conformant as far as judged' : report.outcome;
}

/**
 * The outcome in words, with the share that was not judged, since that limits the meaning of "conformant". Also the
 * number of waived failures and, if a baseline decides, the news.
 */
export function outcomeSentence(report: RunReport): string {
  const { outcome, totals, coverage, play, scenarios, baseline, target, run } = report;
  if (run.ended_early && outcome === 'incomplete') {
    return `incomplete: ${endedSentence(run.ended_early)}; ${failedBefore(report)}`;
  }
  if (play) return playSentence(play);
  const isPartly = isPartlyJudged(report);
  const waived = report.requirements.filter((each) => each.waived !== undefined).length;
  const unmet = (report.waivers ?? []).filter(({ status }) => status === 'broken').length;
  const words = [
    isPartly && coverage
      ? `${shortOutcome(report)}: ${coverageWords(coverage, target.participants)}`
      : outcomeLabels[outcome],
    ...(waived === 0
      ? []
      : [`${count(waived, 'requirement fails', 'requirements fail')} as waived`]),
    ...(unmet === 0 ? [] : [`${count(unmet, 'waiver')} did not come true`]),
    ...(baseline?.outcome === undefined ? [] : [newsSentence(baseline)]),
  ].join('; ');
  if (isPartly) return words;
  const { not_exercised: never, inconclusive, ...rest } = totals.requirements;
  const open = never + inconclusive;
  if (outcome !== 'conformant' || scenarios || open === 0) return words;
  const all = Object.values(rest).reduce((sum, n) => sum + n, open);
  return `${words}; ${open} of ${count(all, 'requirement')} could not be judged`;
}

/** Checks and rules that failed without a failing requirement, such as a scenario that verifies none. */
export function unattributedFailures(report: RunReport): CheckReport[] {
  const failing = new Set(
    report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
  );
  return [...report.checks, ...report.rules].filter(
    ({ verdict, failures }) =>
      verdict === 'fail' &&
      !failures.some(
        ({ requirement, outcome }) => outcome === 'fail' && failing.has(requirement ?? ''),
      ),
  );
}

/** Checks and rules with an error of assay itself. */
export const brokenChecks = (report: RunReport): CheckReport[] =>
  [...report.checks, ...report.rules].filter(({ verdict }) => verdict === 'error');

export interface Reason {
  readonly reason: string;
  readonly checks: number;
  readonly requirements: number;
  /** Id of one of the checks. Absent: no check has the reason, or the reason says all. */
  readonly example?: string;
}

/** Verdicts that leave a requirement open; those that may hide a defect first. */
export const openVerdicts = ['inconclusive', 'not_exercised', 'out_of_scope'] as const;

/** "3 checks, 1 requirement; see order.create.usual": a replay of that check shows what led to the reason. */
export function reasonCounts({ checks, requirements, example }: Reason): string {
  const counts = [
    ...(checks > 0 ? [count(checks, 'check')] : []),
    ...(requirements > 0 ? [count(requirements, 'requirement')] : []),
  ];
  return `${counts.join(', ')}${example === undefined ? '' : `; see ${example}`}`;
}

/** Reasons for a verdict, the most frequent first. */
export function reasonsFor(report: RunReport, verdict: Verdict): Reason[] {
  // Checks that lack something are summed up by their lack (see coverage-text.ts), not listed here.
  const lacking = report.coverage ? report.checks.filter(({ lacks = [] }) => lacks.length > 0) : [];
  const told = new Set(lacking.flatMap(({ id, requirements }) => [id, ...requirements]));
  const checks = report.checks.filter(({ id }) => !told.has(id));
  const requirements = report.requirements.filter(
    ({ id }) => verdict !== 'out_of_scope' || !told.has(id),
  );
  const open = [...checks, ...requirements].filter((each) => each.verdict === verdict);
  return [...groupBy(open, ({ reason = 'no reason was given' }) => reason)]
    .map(([reason, all]) => {
      const ofRequirements = all.filter((each) => 'judged_by' in each).length;
      const example =
        verdict === 'out_of_scope' ? undefined : all.find((each) => !('judged_by' in each))?.id;
      const counts = { checks: all.length - ofRequirements, requirements: ofRequirements };
      return { reason, ...counts, ...(example !== undefined && { example }) };
    })
    .toSorted((a, b) => b.checks + b.requirements - (a.checks + a.requirements));
}

/** "312 pass · 2 fail · 5 not exercised": the worst first, without zeros. */
export const nonZero = (
  counts: Readonly<Record<Verdict, number>>,
): (readonly [Verdict, number])[] =>
  verdictOrder.map((verdict) => [verdict, counts[verdict]] as const).filter(([, n]) => n > 0);
