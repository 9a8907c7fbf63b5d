import { correlationText } from '../../history/correlation.ts';
import type { CheckReport, Failure, RunReport, ScenarioReport } from '../../results/run-report.ts';
import { coverageSections, triedLines } from '../coverage-text.ts';
import { codeSpan, escapeMarkdown, markdownRow as row } from './escape.ts';
import {
  brokenChecks,
  countsByPart,
  isFound,
  nonZero,
  occurringVerdicts,
  outcomeSentence,
  reasonsFor,
  unattributedFailures,
} from '../summary.ts';
import { causesIn, failuresOf, firstSeenText, type SourcedFailure } from '../causes.ts';
import { excuseOf } from '../known.ts';
import { changeGroups, newsSentence, unwaivedLines } from '../changes.ts';
import {
  brief,
  count,
  firstLine,
  partHeading,
  partName,
  valuesOf,
  verdictLabels,
} from '../labels.ts';
import { durationText } from '../sequence/sequence.ts';

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
const playSections = (
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

function partTable(report: RunReport): string[] {
  const columns = occurringVerdicts(report);
  return [
    row(['Part', ...columns.map((verdict) => verdictLabels[verdict])]),
    row(['---', ...columns.map(() => '---:')]),
    ...countsByPart(report).map(({ part, counts }) => {
      return row([partHeading(part), ...columns.map((verdict) => `${counts[verdict] || ''}`)]);
    }),
  ];
}

/** Maximum number of findings per cause: a summary is read in a pull request. */
const most = 3;

function findingLine({ source, failure }: SourcedFailure): string {
  const values = [
    ...valuesOf(failure, 120).map(([name, value]) => `${name} ${codeSpan(value)}`),
    ...(failure.exchanges.length === 0 ? [] : [failure.exchanges.map(codeSpan).join(', ')]),
    ...(failure.correlation ?? []).map((one) => codeSpan(correlationText(one))),
  ];
  return `- ${[`${escapeMarkdown(failure.message)} (${codeSpan(source.id)})`, ...values].join('; ')}`;
}

/** Probable causes: a heading for each, and the requirements that show it. */
function causeLines(report: RunReport): string[] {
  const requirements = new Map(report.requirements.map((each) => [each.id, each]));
  return causesIn(report).flatMap((cause) => {
    const excuse = excuseOf(cause);
    const label = `${verdictLabels[cause.outcome]}${excuse === undefined ? '' : `, ${cause.waived === undefined ? 'known' : 'waived'}`}`;
    const failures = failuresOf(report, cause);
    const more = failures.length - most;
    const firstSeen = firstSeenText(report, cause);
    const since = firstSeen === undefined ? '' : ` First seen ${firstSeen}.`;
    const named = cause.requirements.map((id) => {
      const part = requirements.get(id)?.part;
      return `${codeSpan(id)}${part === undefined ? '' : ` (${partName(part)})`}`;
    });
    return [
      `### ${label}: ${escapeMarkdown(cause.title)}`,
      '',
      `Cause ${codeSpan(cause.id)}, ${escapeMarkdown(cause.deviation)}. Requirements: ${named.join(', ')}.${since}`,
      '',
      ...(excuse === undefined ? [] : [escapeMarkdown(excuse), '']),
      ...failures.slice(0, most).map(findingLine),
      ...(more > 0 ? [`- and ${count(more, 'more finding')}`] : []),
      '',
    ];
  });
}

const item = (id: string, text: string): string =>
  `- ${codeSpan(id)}${text && `: ${escapeMarkdown(text)}`}`;

function baselineLines({ baseline }: RunReport): string[] {
  if (!baseline) return [];
  const head = `Compared with ${codeSpan(baseline.file)}, of ${escapeMarkdown(baseline.finished_at)}: ${newsSentence(baseline)}.`;
  const { notes = [] } = baseline;
  return [
    head,
    '',
    ...notes.map((note) => `- note: ${escapeMarkdown(note)}`),
    ...changeGroups(baseline).flatMap(({ title, lines }) => [
      `- ${title}:`,
      ...lines.map(([id, what]) => `  ${item(id, what)}`),
    ]),
  ];
}
/** A line of our own text. Text between backticks is code. */
const withCode = (line: string): string =>
  `- ${line
    .split('`')
    .map((piece, place) => (place % 2 === 1 ? codeSpan(piece) : escapeMarkdown(piece)))
    .join('')}`;

type Section = readonly [title: string, lines: readonly string[]];

/** Sections on the coverage of a run, and on the reasons for checks and requirements that were not judged. */
function coverageAndReasons(report: RunReport): readonly Section[] {
  const reasons = (['not_exercised', 'out_of_scope'] as const).flatMap((verdict) =>
    reasonsFor(report, verdict).map(
      ({ reason, checks, requirements }) =>
        `- ${verdictLabels[verdict]}: ${escapeMarkdown(brief(reason, 160))} ` +
        `(${count(checks, 'check')}, ${count(requirements, 'requirement')})`,
    ),
  );
  return [
    ...coverageSections(report).map(([title, lines]) => [title, lines.map(withCode)] as const),
    ['Left open', reasons],
  ];
}

/** A summary for a pull request or a job's page. */
export function toMarkdown(report: RunReport): string {
  const { target, run, play, scenarios = [] } = report;
  const totals = nonZero(report.totals.requirements).map(
    ([verdict, n]) => `${n} ${verdictLabels[verdict]}`,
  );
  const listed = (texts: readonly string[] = []): string[] =>
    texts.map((text) => `- ${escapeMarkdown(text)}`);
  const unattributed = unattributedFailures(report).map(({ id, reason = 'it failed' }) =>
    item(id, brief(reason, 200)),
  );
  const waivers = (report.waivers ?? []).map(
    ({ id, status, reason, problem }) =>
      `- ${codeSpan(id)} ${status}: ${escapeMarkdown(problem ?? reason)}`,
  );
  const sections = [
    ['Tried', triedLines(report).map((text) => `- ${text}`)],
    ['Preflight', listed(report.preflight)],
    ['Notes', listed(report.notes)],
    [
      'Our own faults',
      brokenChecks(report).map(({ id, reason = '' }) => item(id, brief(reason, 200))),
    ],
    ['Baseline', baselineLines(report)],
    ...(play
      ? playSections(report, scenarios)
      : [
          ['Causes', causeLines(report)] as const,
          ['Failures of no requirement', unattributed] as const,
        ]),
    ['Waivers', waivers],
    ['Not waived', unwaivedLines(report).map(([id, what]) => item(id, what))],
    ...(play ? [] : coverageAndReasons(report)),
  ] as const;
  const judged = play ? '' : `Requirements: ${totals.join(', ') || 'none'}. `;
  return [
    `# Assay: ${play ? 'scenarios on ' : ''}${escapeMarkdown(target.name)}`,
    '',
    `**${escapeMarkdown(outcomeSentence(report))}**`,
    '',
    `${judged}Seed ${codeSpan(run.seed)}, ${target.clock.kind} clock.`,
    '',
    ...(play ? [] : partTable(report)),
    '',
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''],
    ),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}
