import { correlationText } from '../../history/correlation.ts';
import type { CheckReport, RunReport, ScenarioReport } from '../../results/run-report.ts';
import { escapeXml, escapeXmlAttribute } from '../formats/escape.ts';
import { valuesOf, verdictLabels } from '../labels.ts';
import { endedSentence } from '../summary.ts';
import { rulesFound } from './rules-found.ts';

const attributes = (pairs: Readonly<Record<string, string | number>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join('');

const elementOf = ({
  verdict,
  waived,
}: CheckReport): 'failure' | 'error' | 'skipped' | undefined => {
  if (waived !== undefined) return 'skipped';
  if (verdict === 'fail') return 'failure';
  if (verdict === 'error') return 'error';
  return verdict === 'pass' || verdict === 'warn' ? undefined : 'skipped';
};

const detailsOf = ({ failures, reason = '' }: CheckReport): string =>
  failures
    .map((failure) =>
      [
        failure.message,
        ...valuesOf(failure).map(([name, value]) => `  ${name}: ${value}`),
        ...(failure.exchanges.length === 0 ? [] : [`  exchanges: ${failure.exchanges.join(', ')}`]),
        ...(failure.correlation ?? []).map((one) => `  ${correlationText(one)}`),
      ].join('\n'),
    )
    .join('\n') || reason;

function caseXml(one: CheckReport, classname: string, tookMs: number): string {
  const name = `${one.id}: ${one.title}`;
  const time = (tookMs / 1000).toFixed(3);
  const open = `    <testcase${attributes({ classname, name, time })}`;
  const element = elementOf(one);
  if (element === undefined) return `${open}/>`;
  const words = verdictLabels[one.verdict];
  const message = one.reason ?? words;
  if (element === 'skipped') {
    const seen = one.seen ? ` (${one.seen.join(', ')})` : '';
    const known = one.waived === undefined ? '' : `, waived (${one.waived})`;
    const why = `${words}${known}: ${message}${seen}`;
    return `${open}>\n      <skipped${attributes({ message: why })}/>\n    </testcase>`;
  }
  const marks = attributes({ message, type: words });
  return `${open}>\n      <${element}${marks}>${escapeXml(detailsOf(one))}</${element}>\n    </testcase>`;
}

const countsOf = (cases: readonly CheckReport[]) => {
  const number = (element: string): number =>
    cases.filter((one) => elementOf(one) === element).length;
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  };
};

/** A play that ended early is never green, though all that it played may be. */
const endOf = ({ run: { ended_early } }: RunReport): readonly CheckReport[] =>
  ended_early
    ? [
        {
          id: 'run',
          title: 'the run came to its end',
          requirements: [],
          verdict: 'error',
          reason: endedSentence(ended_early),
          failures: [],
        },
      ]
    : [];

/** JUnit XML of a play: a case for each scenario, its time that of the target, and one for each rule that failed. */
export function playJunit(report: RunReport, scenarios: readonly ScenarioReport[]): string {
  const { started_at: timestamp, wall_ms } = report.run;
  const tookMs = new Map(scenarios.map(({ id, took_ms = 0 }) => [id, took_ms]));
  const suites = [
    { name: 'run', cases: endOf(report) },
    { name: 'scenarios', cases: report.checks },
    { name: 'rules', cases: rulesFound(report) },
  ].filter(({ cases }) => cases.length > 0);
  const suiteXml = ({ name, cases }: (typeof suites)[number]): string => {
    const ms = cases.reduce((sum, { id }) => sum + (tookMs.get(id) ?? 0), 0);
    const head = attributes({ name, ...countsOf(cases), time: (ms / 1000).toFixed(3), timestamp });
    const body = cases.map((one) => caseXml(one, name, tookMs.get(one.id) ?? 0));
    return [`  <testsuite${head}>`, ...body, '  </testsuite>'].join('\n');
  };
  const all = countsOf(suites.flatMap(({ cases }) => cases));
  // The schema knows no count of what was skipped over all suites.
  const { skipped: _, ...counts } = all;
  const time = (wall_ms / 1000).toFixed(3);
  const head = { name: `assay: ${report.target.name}`, ...counts, time };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(head)}>`,
    ...suites.map(suiteXml),
    '</testsuites>\n',
  ].join('\n');
}
