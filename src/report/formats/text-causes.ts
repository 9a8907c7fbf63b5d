import { correlationText } from '../../history/correlation.ts';
import type { History } from '../../history/records.ts';
import type { Failure, RequirementReport, RunReport } from '../../results/run-report.ts';
import {
  causeGroups,
  causesOfRequirement,
  occurrenceTexts,
  type ShownCause,
  shownCauses,
} from '../causes.ts';
import { type EvidenceIndex, type EvidenceItem, replayOf, spanOf } from '../evidence.ts';
import { brief, count, partName, verdictLabels } from '../labels.ts';
import { stepsOfCause } from '../sequence/of-cause.ts';

import { type TypedValue, typedDiff } from '../typed-diff.ts';
import { printableValue } from './escape.ts';
import { indent, type Paint } from './text-layout.ts';

/** Number of causes that are shown with details. Of the others only the title is shown. */
const wholeCauses = 5;
/** Maximum characters of a value: `brief` among the causes, `whole` with its evidence. */
const longest = { brief: 80, whole: 400 } as const;

/** Inputs for the text on causes in a terminal. */
export interface CauseContext {
  /** Already escaped. */
  readonly report: RunReport;
  /** Unescaped report, for values: their JSON is escaped when it is written. */
  readonly given: RunReport;
  readonly history: History | undefined;
  readonly evidenceItems: EvidenceIndex;
  readonly paint: Paint;
}

/**
 * "1 probable cause, 16 requirements", then "2 warnings", and for each cause its place and deviation, the requirement, the value, the
 * frequency, the time of the first failure, and the command to repeat it.
 */
export function causesText(context: CauseContext): string {
  const { report, paint } = context;
  return causeGroups(report)
    .flatMap(({ title, causes }) => [
      paint.bold(title),
      ...causes.map((shown) => causeText(shown, context)),
    ])
    .join('\n\n');
}

function causeText(shown: ShownCause, context: CauseContext): string {
  const { cause, number, clause, shownBy } = shown;
  const { given, report, paint } = context;
  const waived = cause.waived === undefined ? '' : ' (waived)';
  const label = `${verdictLabels[cause.outcome].toUpperCase()}${waived}`;
  const head = `${paint.verdict(cause.outcome, label)}  ${number}. ${paint.bold(cause.title)}`;
  if (number > wholeCauses) return head;
  const raw = shownCauses(given)[number - 1]?.shownBy?.failure;
  const told = [
    ...(raw ? valuesOf(raw, longest.brief).slice(0, 2) : []).map((one) => one.join(' ')),
    ...occurrenceTexts(report, shown),
  ];
  const replay =
    shownBy &&
    replayOf(stepsOf(shownBy.failure, context), shownBy.source.id, shownBy.failure, report);
  return [
    head,
    ...(clause === undefined ? [] : [indent(clauseText(clause), 4)]),
    ...(told.length === 0 ? [] : [indent(told.join(' · '), 4)]),
    ...(replay === undefined ? [] : [indent(`again: assay replay ${replay}`, 4)]),
  ].join('\n');
}

const clauseText = ({ part, summary }: RequirementReport): string =>
  `${summary} (${partName(part)})`;

/** Requirement that each cause breaks, and the exchanges that show it. */
export function evidenceText(context: CauseContext): string {
  const blocks = shownCauses(context.report)
    .slice(0, wholeCauses)
    .map((shown) => causeEvidence(shown, context));
  return blocks.join('\n\n');
}

function causeEvidence(shown: ShownCause, context: CauseContext): string {
  const { cause, number, clause, shownBy } = shown;
  const { paint } = context;
  const says = clause && `${clauseText(clause)} ${paint.dim(clause.id)}`;
  const others = cause.requirements.length - 1;
  const more = others > 0 ? `, breaks ${count(others, 'more requirement')}` : '';
  return [
    `${paint.bold(`Cause ${number}`)}  ${paint.dim(`${cause.id}${more}`)}`,
    ...(says === undefined ? [] : [indent(says, 2)]),
    ...(cause.waived === undefined ? [] : [indent(`waived: ${cause.waived}`, 2)]),
    ...(shownBy ? [indent(failureText(shown, shownBy, context), 2)] : []),
  ].join('\n');
}

const stepsOf = (
  { exchanges }: Failure,
  { history, evidenceItems }: CauseContext,
): readonly EvidenceItem[] =>
  evidenceItems.show(stepsOfCause(history, exchanges).map(({ id }) => id));

function failureText(
  { number, clause }: ShownCause,
  { source, failure }: NonNullable<ShownCause['shownBy']>,
  context: CauseContext,
): string {
  const { given, evidenceItems, paint } = context;
  const raw = shownCauses(given)[number - 1]?.shownBy?.failure;
  const steps = stepsOf(failure, context);
  const decisive = evidenceItems.show(failure.exchanges.slice(-1));
  const curl = decisive[0]?.curl;
  const passed = evidenceItems.show([clause?.contrast?.passed ?? '']);
  const isUnseen = steps.length === 0 && failure.exchanges.length > 0;
  return [
    `${failure.message} ${paint.dim(`(${source.id})`)}`,
    ...valuesOf(raw ?? failure, longest.whole).map(([name, text]) => `${name.padEnd(8)}  ${text}`),
    ...passed.map(({ id, party, what }) => `passed    ${party}  ${what}  ${paint.dim(id)}`),
    ...steps.map((step) => stepLine(step, failure.exchanges, paint)),
    ...(curl === undefined ? [] : [indent(paint.dim(curl), 4)]),
    ...(failure.correlation ?? []).map(correlationText),
    ...(isUnseen ? [`see ${failure.exchanges.join(', ')} in history.jsonl`] : []),
    ...(clause === undefined || failure.docs === undefined
      ? []
      : [`about: assay spec ${clause.id}`]),
  ].join('\n');
}

/** Types are shown only if they differ, or if the form is wrong. */
const valuesOf = (failure: Failure, most: number): (readonly [name: string, text: string])[] =>
  // The keys also come from the target, and are escaped as well.
  printableValue(typedDiff(failure)).flatMap(({ member, expected, actual }) => {
    const of = member === '' ? '' : `${member}  `;
    const areSaid =
      failure.deviation === 'wrong form' ||
      (expected?.type !== undefined && expected.type !== actual?.type);
    const written = ({ text, type }: TypedValue): string =>
      `${of}${brief(text, most)}${areSaid && type !== undefined ? ` ${type}` : ''}`;
    return [
      ...(expected === undefined ? [] : [['expected', written(expected)] as const]),
      ...(actual === undefined ? [] : [['actual', written(actual)] as const]),
    ];
  });

/** Evidence of the failure is marked with `>`; the other steps led to it. */
function stepLine(step: EvidenceItem, evidence: readonly string[], paint: Paint): string {
  const mark = evidence.includes(step.id) ? '>' : ' ';
  return `${mark} ${spanOf(step)}  ${step.party}  ${step.what}  ${paint.dim(step.id)}`;
}

/** One line for each requirement with a failure or warning, with its causes. */
export function brokenRequirementsText({ report, paint }: CauseContext): string {
  const causes = shownCauses(report);
  const broken = report.requirements.filter(
    ({ verdict }) => verdict === 'fail' || verdict === 'warn',
  );
  const lines = broken.map(({ id, verdict, part, waived }) => {
    const label = `${verdictLabels[verdict].toUpperCase()}${waived === undefined ? '' : ' (waived)'}`;
    const numbers = causesOfRequirement(causes, id);
    const why = numbers.length === 0 ? '' : `  cause ${numbers.join(', ')}`;
    return `${paint.verdict(verdict, label)}  ${id}  ${paint.dim(partName(part))}${why}`;
  });
  return lines.join('\n');
}
