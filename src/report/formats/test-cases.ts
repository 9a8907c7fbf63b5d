import { correlationText } from '../../history/correlation.ts';
import type {
  CheckReport,
  RequirementReport,
  RunReport,
  ScenarioFailure,
  ScenarioReport,
} from '../../results/run-report.ts';
import type { Verdict } from '../../results/verdicts.ts';
import { causeIdsBy, failingCauses, failuresOf, type SourcedFailure } from '../causes.ts';
import { excuseOf } from '../known.ts';
import { rootOf } from '../../spec/vocabulary.ts';
import { isNumbered, partTitle, valuesOf, verdictLabels } from '../labels.ts';
import { countsByPart, endedSentence, isFound, unattributedFailures } from '../summary.ts';

/** A run as suites of test cases, for test report formats. A defect fails once, as the case of its cause. */

export type CaseResult =
  | 'passed'
  | 'warned'
  | 'failed'
  /** Error of assay itself. */
  | 'error'
  /** Fails or has an error, but another case shows that. */
  | 'explained'
  /** Fails, but is waived or in the baseline. */
  | 'expected'
  | 'inconclusive'
  | 'not_exercised'
  | 'out_of_scope';

export interface TestCase {
  readonly name: string;
  readonly result: CaseResult;
  /** For a cause, `fail`. For a waiver: `pass` if met, `fail` if broken, else `not_exercised`. */
  readonly verdict: Verdict;
  /** Reason why it is no pass, in one line. */
  readonly message?: string;
  /** Findings, one text each. */
  readonly details: readonly string[];
  readonly tags: readonly string[];
  /** Duration in target time. */
  readonly tookMs?: number;
}

export interface TestSuite {
  readonly name: string;
  readonly classname: string;
  readonly cases: readonly TestCase[];
}

/** Maximum number of findings in the case of a cause. The case of each requirement has all of its findings. */
const mostOfCause = 10;

const findingText = ({ source, failure }: SourcedFailure): string =>
  [
    `${source.id}: ${failure.message}`,
    ...valuesOf(failure).map(([name, value]) => `  ${name}: ${value}`),
    ...(failure.exchanges.length === 0 ? [] : [`  exchanges: ${failure.exchanges.join(', ')}`]),
    ...(failure.correlation ?? []).map((one) => `  ${correlationText(one)}`),
    ...(failure.docs === undefined ? [] : [`  docs: ${failure.docs}`]),
  ].join('\n');

/** Maximum number of steps before a failure: earlier ones rarely explain it. */
const mostSteps = 12;

type TimelineLine = ScenarioReport['timeline'][number];

/** True for an attempt of an `eventually` that the next attempt repeats. */
const isRepeated = (line: TimelineLine, next: TimelineLine | undefined): boolean =>
  line.line !== undefined &&
  (['line', 'party', 'says', 'outcome'] as const).every((key) => line[key] === next?.[key]);

/** A failed step with all that it saw amiss, and the steps before it. */
const failedStepText =
  ({ timeline }: ScenarioReport) =>
  ({ at, message, mismatches, after, exchanges, correlation = [] }: ScenarioFailure): string =>
    [
      `${at}: ${message}`,
      ...mismatches.flatMap(({ path, expected, actual }) => [
        `  ${path === '' ? 'the whole' : path}`,
        `    expected: ${expected}`,
        `    actual: ${actual}`,
      ]),
      ...(after === 0 ? [] : ['  before it:']),
      ...timeline
        .slice(0, after)
        .filter((line, index, all) => !isRepeated(line, all[index + 1]))
        .slice(-mostSteps)
        .map(({ at_ms, party, says, outcome = '' }) =>
          `    +${at_ms} ms ${party === undefined ? '' : `${party}: `}${says} ${outcome}`.trimEnd(),
        ),
      ...(exchanges.length === 0 ? [] : [`  exchanges: ${exchanges.join(', ')}`]),
      ...correlation.map((one) => `  ${correlationText(one)}`),
    ].join('\n');

function causeCases(report: RunReport): readonly TestCase[] {
  const summaries = new Map(report.requirements.map(({ id, summary }) => [id, summary]));
  return failingCauses(report).map((cause) => {
    const excuse = excuseOf(cause);
    const { id, title, deviation, place, requirements } = cause;
    const places = Object.entries(place).map(([name, value]) => `${name}: ${value}`);
    return {
      name: `${id}: ${title}`,
      result: excuse === undefined ? 'failed' : 'expected',
      verdict: 'fail',
      message: excuse ?? title,
      details: [
        [title, ...places, `deviation: ${deviation}`].join('\n'),
        [
          'requirements:',
          ...requirements.map((one) => `  ${one}: ${summaries.get(one) ?? ''}`),
        ].join('\n'),
        ...failuresOf(report, cause).slice(0, mostOfCause).map(findingText),
      ],
      tags: ['cause', ...requirements],
    };
  });
}

const silent = {
  pass: 'passed',
  warn: 'warned',
  inconclusive: 'inconclusive',
  not_exercised: 'not_exercised',
  out_of_scope: 'out_of_scope',
} as const satisfies Partial<Record<Verdict, CaseResult>>;

type Shown = Pick<TestCase, 'result' | 'message'>;

/** Result of the case of a requirement, check or rule, given the cases of its causes. */
function shownAs(each: RequirementReport | CheckReport, causes: readonly string[]): Shown {
  const { verdict, reason } = each;
  const words = verdictLabels[verdict];
  if (verdict === 'error') return { result: 'error', message: reason ?? words };
  if (verdict !== 'fail') {
    return {
      result: silent[verdict],
      ...(verdict !== 'pass' && { message: `${words}: ${reason ?? words}` }),
    };
  }
  const excuse = excuseOf(each);
  if (excuse !== undefined) return { result: 'expected', message: `${words}: ${excuse}` };
  if (causes.length > 0) {
    return { result: 'explained', message: `${words}: see cause ${causes.join(', ')}` };
  }
  return { result: 'failed', message: reason ?? words };
}

/** A scenario exercises few requirements: cases for all the others would hide it. */
const isTold = ({ verdict }: { readonly verdict: Verdict }, { scenarios }: RunReport): boolean =>
  scenarios === undefined || (verdict !== 'not_exercised' && verdict !== 'out_of_scope');

function requirementSuites(report: RunReport): readonly TestSuite[] {
  const causeIds = causeIdsBy(failingCauses(report), 'requirement');
  const findingsOf = ({ id, verdict }: RequirementReport): SourcedFailure[] =>
    [...report.checks, ...report.rules].flatMap((source) =>
      source.failures
        .filter(({ requirement, outcome }) => requirement === id && outcome === verdict)
        .map((failure) => ({ source, failure })),
    );
  const brokenIds = new Set(
    [...report.checks, ...report.rules]
      .filter(({ verdict }) => verdict === 'error')
      .map(({ id }) => id),
  );
  const caseOf = (each: RequirementReport): TestCase => {
    const { id, summary, verdict, part, level, judged_by } = each;
    const shown = shownAs(each, causeIds.get(id) ?? []);
    // An error of assay counts once, as the case of the check or rule.
    const isToldElsewhere = shown.result === 'error' && judged_by.some((one) => brokenIds.has(one));
    return {
      name: `${id}: ${summary}`,
      ...shown,
      ...(isToldElsewhere && {
        result: 'explained' as const,
        message: `error: ${shown.message ?? ''}`,
      }),
      verdict,
      details: verdict === 'fail' || verdict === 'warn' ? findingsOf(each).map(findingText) : [],
      tags: ['requirement', `part ${part}`, level],
    };
  };
  const shown = report.requirements.filter((each) => isTold(each, report));
  return countsByPart(report).map(({ part }) => ({
    name: isNumbered(part) ? `part ${part}: ${partTitle(part)}` : partTitle(part),
    classname: `part.${part}`,
    cases: shown.filter((each) => rootOf(each.part) === part).map(caseOf),
  }));
}

function judgeSuite(report: RunReport, kind: 'check' | 'rule'): TestSuite {
  const causes = report.play ? [] : failingCauses(report);
  const bySource = causeIdsBy(causes, 'source');
  const byRequirement = causeIdsBy(causes, 'requirement');
  const alone = new Set(unattributedFailures(report).map(({ id }) => id));
  const ofScenarios = new Map(report.scenarios?.map((one) => [one.id, one]));
  const caseOf = (each: CheckReport): TestCase => {
    const { id, title, verdict, requirements, failures } = each;
    const scenario = ofScenarios.get(id);
    const tookMs = each.took_ms ?? scenario?.took_ms;
    const own = bySource.get(id) ?? requirements.flatMap((one) => byRequirement.get(one) ?? []);
    return {
      name: `${id}: ${title}`,
      ...shownAs(each, alone.has(id) ? [] : [...new Set(own)]),
      verdict,
      details:
        scenario?.failures?.map(failedStepText(scenario)) ??
        failures.map((failure) => findingText({ source: each, failure })),
      tags: [kind, ...requirements],
      ...(tookMs !== undefined && { tookMs }),
    };
  };
  const name = kind === 'check' && report.scenarios ? 'scenarios' : `${kind}s`;
  // A play shows its scenarios, and only the rules with findings.
  const told = report[`${kind}s`].filter(
    (each) => kind === 'check' || (report.play ? isFound(each) : isTold(each, report)),
  );
  return { name, classname: name, cases: told.map(caseOf) };
}

const waiverResults = { met: 'passed', untested: 'not_exercised', broken: 'failed' } as const;

/** A broken waiver fails the run, so it must have a failed case. */
const waiverCases = ({ waivers = [] }: RunReport): readonly TestCase[] =>
  waivers.map(({ id, status, reason, problem }) => ({
    name: `${id}: ${reason}`,
    result: waiverResults[status],
    verdict: status === 'met' ? 'pass' : status === 'broken' ? 'fail' : 'not_exercised',
    ...(problem !== undefined && { message: problem }),
    details: [],
    tags: ['waiver'],
  }));

/** A run that ended early is never green, even if all judged cases are. */
const endCases = ({ run: { ended_early } }: RunReport): readonly TestCase[] =>
  ended_early
    ? [
        {
          name: 'the run came to its end',
          result: 'error',
          verdict: 'inconclusive',
          message: endedSentence(ended_early),
          details: [],
          tags: ['run'],
        },
      ]
    : [];

/**
 * Suites: early end, causes, waivers, requirements by part of the document, checks, rules. Empty suites are left out.
 */
export const testSuites = (report: RunReport): readonly TestSuite[] =>
  [
    { name: 'run', classname: 'run', cases: endCases(report) },
    { name: 'causes', classname: 'causes', cases: report.play ? [] : causeCases(report) },
    { name: 'waivers', classname: 'waivers', cases: waiverCases(report) },
    ...(report.play ? [] : requirementSuites(report)),
    judgeSuite(report, 'check'),
    judgeSuite(report, 'rule'),
  ].filter(({ cases }) => cases.length > 0);
