import { correlationText } from '../../history/correlation.ts';
import type { CheckReport, Failure, RunReport, ScenarioReport } from '../../results/run-report.ts';
import { codeSpan, escapeMarkdown, markdownRow as row } from '../formats/escape.ts';
import { firstLine, valuesOf, verdictLabels } from '../labels.ts';
import { durationText } from '../sequence/sequence.ts';
import { isFound } from './outcome.ts';

const detailsOf = (reason = ''): string => escapeMarkdown(firstLine(reason));

function scenarioRows(report: RunReport, scenarios: readonly ScenarioReport[]): readonly string[] {
  const tookMs = new Map(scenarios.map(({ id, took_ms = 0 }) => [id, took_ms]));
  return report.checks.map(({ id, title, verdict, reason, waived }) =>
    row([
      codeSpan(id),
      escapeMarkdown(title),
      waived === undefined ? verdictLabels[verdict] : `waived: ${escapeMarkdown(waived)}`,
      durationText(tookMs.get(id) ?? 0),
      verdict === 'pass' ? '' : detailsOf(reason),
    ]),
  );
}

const seenText = (seen: Pick<Failure, 'expected' | 'actual'>): string =>
  valuesOf(seen, 120)
    .map(([name, value]) => `; ${name} ${codeSpan(value)}`)
    .join('');

/** Locations of a scenario's failures, with all mismatches. */
const failedScenario = ({ id, failures = [] }: ScenarioReport): readonly string[] =>
  failures.length === 0
    ? []
    : [
        `### ${codeSpan(id)}`,
        '',
        ...failures.flatMap(({ at, message, mismatches, correlation = [] }) => [
          `- ${codeSpan(at)}: ${escapeMarkdown(message)}`,
          ...mismatches.map(
            ({ path, ...seen }) =>
              `  - ${path === '' ? 'the whole' : codeSpan(path)}${seenText(seen)}`,
          ),
          ...correlation.map((one) => `  - ${codeSpan(correlationText(one))}`),
        ]),
        '',
      ];

const ruleLines = ({ id, title, reason, verdict, failures }: CheckReport): readonly string[] => [
  `### ${codeSpan(id)}: ${verdictLabels[verdict]}`,
  '',
  escapeMarkdown(title),
  '',
  ...failures
    .filter(({ outcome }) => outcome === 'fail')
    .map(
      (failure) =>
        `- ${codeSpan(failure.requirement ?? '')}: ${escapeMarkdown(failure.message)}${seenText(failure)}; ` +
        [...failure.exchanges, ...(failure.correlation ?? []).map(correlationText)]
          .map(codeSpan)
          .join(', '),
    ),
  ...(verdict === 'error' ? [`- ${detailsOf(reason)}`] : []),
  '',
];

/** Sections of a play: all scenarios, the locations of failures, and the findings of the rules. */
export const playSections = (
  report: RunReport,
  scenarios: readonly ScenarioReport[],
): readonly (readonly [title: string, lines: readonly string[]])[] => [
  [
    'Scenarios',
    [
      row(['Scenario', 'Title', 'Verdict', 'Took', 'Reason']),
      row(['---', '---', '---', '---:', '---']),
      ...scenarioRows(report, scenarios),
    ],
  ],
  ['Not as expected', scenarios.flatMap(failedScenario)],
  [
    'Found by the rules, whatever the scenarios expected',
    report.rules.filter(isFound).flatMap(ruleLines),
  ],
];
