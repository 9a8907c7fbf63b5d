import type {
  CheckReport,
  Failure,
  RequirementReport,
  RunReport,
} from '../../results/run-report.ts';
import { escapeXml, escapeXmlAttribute } from './escape.ts';
import { countsByPart, failuresByRequirement } from '../summary.ts';
import { partTitle, rootOf, valuesOf, verdictLabels } from '../labels.ts';

type Case = RequirementReport | CheckReport;

const attributes = (pairs: Readonly<Record<string, string | number>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(String(value))}"`)
    .join('');

const findingText = (failure: Failure): string =>
  [
    failure.message,
    ...valuesOf(failure).map(([name, value]) => `  ${name}: ${value}`),
    ...(failure.exchanges.length === 0 ? [] : [`  exchanges: ${failure.exchanges.join(', ')}`]),
  ].join('\n');

/** The findings of all checks and rules, by requirement. */
const findingsById = (report: RunReport): ReadonlyMap<string, readonly string[]> =>
  new Map(
    failuresByRequirement(report, 'fail', 'warn').map(({ requirement, findings }) => [
      requirement.id,
      findings.map(({ source, failure }) => `${source.id}: ${findingText(failure)}`),
    ]),
  );

type Result = 'failure' | 'error' | 'skipped' | 'passed';

function resultOf({ verdict, waived }: Case): Result {
  if (verdict === 'error') return 'error';
  if (verdict === 'fail') return waived === undefined ? 'failure' : 'skipped';
  return verdict === 'pass' || verdict === 'warn' ? 'passed' : 'skipped';
}

interface CaseView {
  readonly each: Case;
  readonly classname: string;
  readonly name: string;
  readonly details: readonly string[];
}

function caseXml({ each, classname, name, details: lines }: CaseView): string {
  const result = resultOf(each);
  const open = `    <testcase${attributes({ classname, name })}`;
  const words = verdictLabels[each.verdict];
  const reason = each.waived === undefined ? (each.reason ?? words) : `waived: ${each.waived}`;
  const details = escapeXml(lines.length > 0 ? lines.join('\n') : (each.reason ?? ''));
  if (result === 'failure' || result === 'error') {
    const marks = attributes({ message: reason, type: words });
    return `${open}>\n      <${result}${marks}>${details}</${result}>\n    </testcase>`;
  }
  if (result === 'skipped') {
    const message = attributes({ message: `${words}: ${reason}` });
    return `${open}>\n      <skipped${message}/>\n    </testcase>`;
  }
  if (each.verdict === 'warn') {
    return `${open}>\n      <system-out>warning: ${details}</system-out>\n    </testcase>`;
  }
  return `${open}/>`;
}

interface Suite {
  readonly name: string;
  readonly classname: string;
  readonly cases: readonly Case[];
}

const countsOf = (cases: readonly Case[]) => {
  const number = (result: Result): number =>
    cases.filter((each) => resultOf(each) === result).length;
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  };
};

const nameOf = (each: Case): string =>
  `${each.id}: ${'summary' in each ? each.summary : each.title}`;

/** JUnit XML: a suite per part with a case per requirement, then the checks and the rules that judged them. */
export function toJunit(report: RunReport): string {
  const { started_at: timestamp, wall_ms } = report.run;
  const time = (wall_ms / 1000).toFixed(3);
  const suites: readonly Suite[] = [
    ...countsByPart(report).map(({ part }) => ({
      name: /^\d/.test(part) ? `part ${part}: ${partTitle(part)}` : partTitle(part),
      classname: `part.${part}`,
      cases: report.requirements.filter((each) => rootOf(each.part) === part),
    })),
    { name: 'checks', classname: 'checks', cases: report.checks },
    { name: 'rules', classname: 'rules', cases: report.rules },
  ];
  const found = findingsById(report);
  const suiteXml = ({ name, classname, cases }: Suite): string => {
    const head = attributes({ name, ...countsOf(cases), time: 0, timestamp });
    const body = cases.map((each) => {
      const details =
        'failures' in each ? each.failures.map(findingText) : (found.get(each.id) ?? []);
      return caseXml({ each, classname, name: nameOf(each), details });
    });
    return [`  <testsuite${head}>`, ...body, '  </testsuite>'].join('\n');
  };
  const name = `assay: ${report.target.name}`;
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...counts, time })}>`,
    ...suites.map(suiteXml),
    '</testsuites>\n',
  ].join('\n');
}
