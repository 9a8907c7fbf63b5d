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
  reasonCounts,
  reasonsFor,
  unattributedFailures,
} from '../summary.ts';
import { causeGroups, type CauseGroup, occurrenceTexts, type SourcedFailure } from '../causes.ts';
import { replayOf } from '../evidence.ts';
import { excuseOf } from '../known.ts';
import { changeGroups, newsSentence, unwaivedLines } from '../changes.ts';
import { brief, firstLine, partHeading, partName, valuesOf, verdictLabels } from '../labels.ts';
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

/** Number of causes that are shown with details: a summary is read in a pull request. Of the others, the title. */
const wholeCauses = 5;

/** A failure that shows a cause, with its evidence. */
function findingLine({ source, failure }: SourcedFailure): string {
  const evidence = [
    ...failure.exchanges.map(codeSpan),
    ...(failure.correlation ?? []).map((one) => codeSpan(correlationText(one))),
  ];
  const seen = evidence.length === 0 ? '' : `: ${evidence.join(', ')}`;
  return `- ${escapeMarkdown(failure.message)} (${codeSpan(source.id)})${seen}`;
}

/** Probable causes: for each its place, the requirement, the values, and the command to repeat it. */
const causeLines = (report: RunReport, { causes }: CauseGroup): readonly string[] =>
  causes.flatMap((shown) => {
    const { cause, number, clause, shownBy } = shown;
    const excuse = excuseOf(cause);
    const label = `${verdictLabels[cause.outcome]}${excuse === undefined ? '' : `, ${cause.waived === undefined ? 'known' : 'waived'}`}`;
    const head = `### ${number}. ${label}: ${escapeMarkdown(cause.title)}`;
    if (number > wholeCauses) return [head, ''];
    const told = [
      ...(shownBy ? valuesOf(shownBy.failure, 120) : []).map(
        ([name, value]) => `${name} ${codeSpan(value)}`,
      ),
      ...occurrenceTexts(report, shown).map(escapeMarkdown),
    ];
    const replay = shownBy && replayOf([], shownBy.source.id, shownBy.failure, report);
    const ids = cause.requirements.slice(0, mostIds).map(codeSpan);
    const more = cause.requirements.length - ids.length;
    return [
      head,
      '',
      ...(clause ? [`${escapeMarkdown(clause.summary)} (${partName(clause.part)})`, ''] : []),
      ...(excuse === undefined ? [] : [escapeMarkdown(excuse), '']),
      ...(told.length === 0 ? [] : [`- ${told.join('; ')}`]),
      ...(shownBy ? [findingLine(shownBy)] : []),
      ...(replay === undefined ? [] : [`- again: ${codeSpan(`assay replay ${replay}`)}`]),
      `- cause ${codeSpan(cause.id)}, breaks ${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
      '',
    ];
  });

const mostIds = 8;

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
      (one) =>
        `- ${verdictLabels[verdict]}: ${escapeMarkdown(brief(one.reason, 160))} (${escapeMarkdown(reasonCounts(one))})`,
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
          ...causeGroups(report).map(
            (group) =>
              [
                group.outcome === 'fail' ? 'Causes' : 'Warnings',
                causeLines(report, group),
              ] as const,
          ),
          ['Failures of no requirement', unattributed] as const,
        ]),
    ['Parts of the document', play ? [] : partTable(report)],
    ['Tried', triedLines(report).map((text) => `- ${text}`)],
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
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''],
    ),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}
