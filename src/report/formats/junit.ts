import type { RunReport } from '../../results/run-report.ts';
import { verdictLabels } from '../labels.ts';
import { escapeXml, escapeXmlAttribute } from './escape.ts';
import { type CaseResult, type TestCase, type TestSuite, testSuites } from './test-cases.ts';

type Mark = 'failure' | 'error' | 'skipped' | 'none';

const marks: Readonly<Record<CaseResult, Mark>> = {
  passed: 'none',
  warned: 'none',
  failed: 'failure',
  error: 'error',
  explained: 'skipped',
  expected: 'skipped',
  inconclusive: 'skipped',
  not_exercised: 'skipped',
  out_of_scope: 'skipped',
};

const attributes = (pairs: Readonly<Record<string, string | number>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join('');

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function caseXml(each: TestCase, classname: string): string {
  const { name, result, verdict, message = verdictLabels[verdict], details, tookMs } = each;
  const time = tookMs === undefined ? {} : { time: seconds(tookMs) };
  const open = `    <testcase${attributes({ classname, name, ...time })}`;
  const mark = marks[result];
  const isWarning = result === 'warned';
  const text = escapeXml([...(isWarning ? [message] : []), ...details].join('\n'));
  const isMarked = mark === 'failure' || mark === 'error';
  const inside = [
    ...(isMarked
      ? [`<${mark}${attributes({ message, type: verdictLabels[verdict] })}>${text}</${mark}>`]
      : []),
    ...(mark === 'skipped' ? [`<skipped${attributes({ message })}/>`] : []),
    ...(!isMarked && result !== 'passed' && text !== ''
      ? [`<system-out>${text}</system-out>`]
      : []),
  ];
  return inside.length === 0
    ? `${open}/>`
    : [`${open}>`, ...inside.map((line) => `      ${line}`), '    </testcase>'].join('\n');
}

function countsOf(cases: readonly TestCase[]) {
  const number = (mark: Mark): number =>
    cases.filter(({ result }) => marks[result] === mark).length;
  return { tests: cases.length, failures: number('failure'), errors: number('error') };
}

/**
 * JUnit XML. Only causes are failures: the requirements, checks and rules of a cause are skipped and name it. The time
 * of a check is target time. Suites ran concurrently, so each has the time of the run.
 */
export function toJunit(report: RunReport): string {
  const { started_at: timestamp, wall_ms } = report.run;
  const time = seconds(wall_ms);
  const suites = testSuites(report);
  const suiteXml = ({ name, classname, cases }: TestSuite): string => {
    const skipped = cases.filter(({ result }) => marks[result] === 'skipped').length;
    const head = attributes({ name, ...countsOf(cases), skipped, time, timestamp });
    const body = cases.map((each) => caseXml(each, classname));
    return [`  <testsuite${head}>`, ...body, '  </testsuite>'].join('\n');
  };
  const name = `assay: ${report.target.name}`;
  // The schema has no total count of skipped cases.
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...counts, time })}>`,
    ...suites.map(suiteXml),
    '</testsuites>\n',
  ].join('\n');
}
