import { correlationText } from '../../history/correlation.ts';
import type { History } from '../../history/records.ts';
import type { RunReport } from '../../results/run-report.ts';
import {
  causesOfRequirement,
  causesSentence,
  howOftenText,
  type ShownCause,
  shownCauses,
} from '../causes.ts';
import { type EvidenceIndex, type EvidenceItem, replayOf, spanOf } from '../evidence.ts';
import { brief, count, partName, verdictLabels } from '../labels.ts';
import { stepsOfCause } from '../sequence/of-cause.ts';
import { failuresByRequirement } from '../summary.ts';
import { type TypedValue, typedDiff } from '../typed-diff.ts';
import { printableValue } from './escape.ts';
import { indent, type Paint } from './text-layout.ts';

/** Causes that are shown whole; of the others the title is. */
const [wholeCauses, longestValue] = [5, 400];

/** What a terminal shows of causes. */
export interface CauseContext {
  /** Already made harmless. */
  readonly report: RunReport;
  /** As the run left it, for values, whose JSON is made harmless once it is written. */
  readonly given: RunReport;
  readonly history: History | undefined;
  readonly evidenceItems: EvidenceIndex;
  readonly paint: Paint;
}

/** "1 probable cause, 16 requirements", and each cause with the clause, the values and what shows it. */
export function causesText(context: CauseContext): string {
  const { report, paint } = context;
  const sentence = causesSentence(report);
  if (sentence === undefined) return '';
  const blocks = shownCauses(report).map((shown) => causeText(shown, context));
  return [paint.bold(sentence), ...blocks].join('\n\n');
}

function causeText(shown: ShownCause, context: CauseContext): string {
  const { cause, number, clause, shownBy } = shown;
  const { paint } = context;
  const waived = cause.waived === undefined ? '' : ' (waived)';
  const label = `${verdictLabels[cause.outcome].toUpperCase()}${waived}`;
  const head = `${paint.verdict(cause.outcome, label)}  ${number}. ${paint.bold(cause.title)}`;
  if (number > wholeCauses) return head;
  const says =
    clause && `${partName(clause.part)}: ${clause.summary} ${paint.dim(`(${clause.id})`)}`;
  const others = cause.requirements.length - 1;
  return [
    head,
    ...(says === undefined ? [] : [indent(says, 4)]),
    ...(cause.waived === undefined ? [] : [indent(`waived: ${cause.waived}`, 4)]),
    ...(shownBy ? [indent(failureText(shown, shownBy, context), 4)] : []),
    indent(
      paint.dim(
        `cause ${cause.id}${others > 0 ? `, breaks ${count(others, 'more requirement')}` : ''}`,
      ),
      4,
    ),
  ].join('\n');
}

function failureText(
  { number, clause }: ShownCause,
  { source, failure }: NonNullable<ShownCause['shownBy']>,
  { report, given, history, evidenceItems, paint }: CauseContext,
): string {
  const raw = shownCauses(given)[number - 1]?.shownBy?.failure;
  const ids = stepsOfCause(history, failure.exchanges).map(({ id }) => id);
  const steps = evidenceItems.show(ids);
  const decisive = evidenceItems.show(failure.exchanges.slice(-1));
  const curl = decisive[0]?.curl;
  const replay = replayOf(steps, source.id, failure, report);
  const often = clause && howOftenText(clause);
  const passed = evidenceItems.show([clause?.contrast?.passed ?? '']);
  const isUnseen = steps.length === 0 && failure.exchanges.length > 0;
  return [
    `${failure.message} ${paint.dim(`(${source.id})`)}`,
    ...valueLines(raw ?? failure),
    ...(often === undefined ? [] : [`failed    ${often}`]),
    ...passed.map(({ id, party, what }) => `passed    ${party}  ${what}  ${paint.dim(id)}`),
    ...steps.map((step) => stepLine(step, failure.exchanges, paint)),
    ...(curl === undefined ? [] : [indent(paint.dim(curl), 4)]),
    ...(failure.correlation ?? []).map(correlationText),
    ...(isUnseen ? [`see ${failure.exchanges.join(', ')} in history.jsonl`] : []),
    ...(replay === undefined ? [] : [`again: assay replay ${replay}`]),
    ...(clause === undefined || failure.docs === undefined
      ? []
      : [`about: assay spec ${clause.id}`]),
  ].join('\n');
}

/** Types tell something where they differ, or where the form is wrong. */
const valueLines = (failure: Parameters<typeof typedDiff>[0]): string[] =>
  // Keys of what differs are a target's own as well.
  printableValue(typedDiff(failure)).flatMap(({ member, expected, actual }) => {
    const of = member === '' ? '' : `${member}  `;
    const areSaid =
      failure.deviation === 'wrong form' ||
      (expected?.type !== undefined && expected.type !== actual?.type);
    const written = ({ text, type }: TypedValue): string =>
      `${of}${brief(text, longestValue)}${areSaid && type !== undefined ? ` ${type}` : ''}`;
    return [
      ...(expected === undefined ? [] : [`expected  ${written(expected)}`]),
      ...(actual === undefined ? [] : [`actual    ${written(actual)}`]),
    ];
  });

/** What a failure rests on is marked; the rest led to it. */
function stepLine(step: EvidenceItem, evidence: readonly string[], paint: Paint): string {
  const mark = evidence.includes(step.id) ? '>' : ' ';
  return `${mark} ${spanOf(step)}  ${step.party}  ${step.what}  ${paint.dim(step.id)}`;
}

/** One line for each requirement that failed or was warned of, which names its causes. */
export function brokenRequirementsText({ report, paint }: CauseContext): string {
  const causes = shownCauses(report);
  const lines = failuresByRequirement(report, 'fail', 'warn').map(({ requirement }) => {
    const { id, verdict, part, waived } = requirement;
    const label = `${verdictLabels[verdict].toUpperCase()}${waived === undefined ? '' : ' (waived)'}`;
    const numbers = causesOfRequirement(causes, id);
    const why = numbers.length === 0 ? '' : `  cause ${numbers.join(', ')}`;
    return `${paint.verdict(verdict, label)}  ${id}  ${paint.dim(partName(part))}${why}`;
  });
  return lines.join('\n');
}
