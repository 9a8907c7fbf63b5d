import type { Exchange, Frame, History } from '../../history/records.ts';
import { maskJson } from '../../history/mask.ts';
import type { Failure, RunReport } from '../../results/run-report.ts';
import { causesSentence, type ShownCause, shownCauses } from '../causes.ts';
import { replayOf, spanOf } from '../evidence.ts';
import { brief, count, partName } from '../labels.ts';
import { markedJson, type Sought, stretchesOf } from '../marked-json.ts';
import { markOfExchange, markOfFrame } from '../sequence/mark.ts';
import { ordersOfSteps, stepsOfCause } from '../sequence/of-cause.ts';
import { sequenceOf } from '../sequence/sequence.ts';
import { type TypedValue, typedDiff } from '../typed-diff.ts';
import type { FindingContext } from './findings.ts';
import { causeAnchor, code, folded, type Html, html, list, soft, verdictMark } from './html.ts';
import { sequenceTable } from './sequence.ts';

/** Causes that are shown whole; of the others the title and the requirements are. */
const wholeCauses = 30;

/** Each probable cause: the clause, what was expected and seen, the whole answer, and the sequence that shows it. */
export function causeArticles(ctx: FindingContext, history: History | undefined): Html | false {
  const sentence = causesSentence(ctx.report);
  if (sentence === undefined) return false;
  const articles = shownCauses(ctx.report).map((shown) => causeArticle(shown, ctx, history));
  return html`<p><strong>${sentence}</strong></p>\n${articles}`;
}

function causeArticle(shown: ShownCause, ctx: FindingContext, history: History | undefined): Html {
  const { cause, number, clause, shownBy } = shown;
  const { outcome, waived, title, id, requirements } = cause;
  const isWhole = number <= wholeCauses;
  return html`<article id="${causeAnchor(number)}" class="card ${outcome}" data-verdict="${outcome}"><h3>${verdictMark(outcome, waived)} ${number}. ${title}</h3>
${clause && html`<p>${clause.summary} ${soft(partName(clause.part))} ${code(clause.id)}</p>`}${waived !== undefined && html`<p>waived: ${waived}</p>`}
${shownBy && isWhole && shownFailure(shownBy.source.id, shownBy.failure, shown, ctx, history)}
${folded(html`Breaks ${count(requirements.length, 'requirement')}`, list(requirements.map((one) => requirementItem(one, ctx.report))), 'closed')}
<p class="soft">cause ${code(id)}</p></article>`;
}

const requirementItem = (id: string, { requirements }: RunReport): Html => {
  const known = requirements.find((one) => one.id === id);
  return html`${code(id)} ${known && soft(`${known.summary} (${partName(known.part)})`)}`;
};

function shownFailure(
  source: string,
  failure: Failure,
  { cause }: ShownCause,
  ctx: FindingContext,
  history: History | undefined,
): Html {
  const steps = stepsOfCause(history, failure.exchanges).map(
    (one) => maskJson(one) as Exchange | Frame,
  );
  const decisive = decisiveOf(steps, failure, cause.place);
  const path =
    failure.places?.find(
      (one) => one.endpoint === cause.place.endpoint && one.event === cause.place.event,
    )?.field ?? cause.place.field;
  const items = ctx.evidenceItems.show(steps.map(({ id }) => id));
  const replay = replayOf(items, source, ctx.report);
  return html`<p>${failure.message} ${soft(`(${source})`)}</p>
${path !== undefined && html`<p class="soft">JSON path ${code(path)}</p>`}
${diffTable(failure)}
${decisive && answerBlock(decisive, { path, actual: failure.actual, orders: ordersOfSteps(steps) })}
${steps.length > 0 && sequenceTable(sequenceOfSteps(steps, failure), cause.id)}
${items.length > 0 && folded('The same requests by hand', list(items.flatMap(({ curl, id, ...item }) => (curl === undefined ? [] : [html`${spanOf({ ...item, id })} ${soft(id)}<pre>${curl}</pre>`]))), 'closed')}
${replay !== undefined && html`<p class="again">again: <code>assay replay ${replay}</code></p>`}`;
}

/** Of what a failure rests on, the record that stands at the place of its cause; else the last of them. */
function decisiveOf(
  steps: readonly (Exchange | Frame)[],
  { exchanges }: Failure,
  { endpoint, event }: ShownCause['cause']['place'],
): Exchange | Frame | undefined {
  const own = steps.filter(({ id }) => exchanges.includes(id));
  const isThere = (one: Exchange | Frame): boolean =>
    one.kind === 'frame' ? one.event === event : one.endpoint === endpoint;
  return own.findLast(isThere) ?? own.at(-1);
}

const value = (one: TypedValue | undefined, tone: 'fail' | ''): Html =>
  one === undefined
    ? html`<span class="soft">nothing</span>`
    : html`<code class="${tone}">${brief(one.text, 2_000)}</code> ${soft(one.type ?? '')}`;

function diffTable(failure: Failure): Html | false {
  const rows = typedDiff(failure);
  return (
    rows.length > 0 &&
    html`<dl class="values">${rows.map(
      ({ member, expected, actual }) =>
        html`<dt>${member === '' ? 'expected' : html`${code(member)} expected`}</dt><dd>${value(expected, '')}</dd>
<dt>actual</dt><dd>${value(actual, 'fail')}</dd>`,
    )}</dl>`
  );
}

/** What was answered or told, in full: far from the place it is folded, and nothing of it is cut. */
function answerBlock(record: Exchange | Frame, sought: Sought): Html {
  const isFrame = record.kind === 'frame';
  const body = isFrame ? { data: record.data ?? record.text ?? null } : record.response?.body;
  const head = isFrame
    ? html`The event ${code(record.event)} ${soft(record.id)}`
    : html`The answer to ${code(`${record.request.method} ${record.request.path}`)}: ${record.response?.status ?? record.error?.code} ${soft(record.id)}`;
  if (body === undefined) {
    const text = isFrame ? '' : (record.response?.text ?? record.error?.message ?? '');
    return html`<p>${head}</p><pre>${text}</pre>`;
  }
  const stretches = stretchesOf(markedJson(body, sought));
  return html`<p>${head}</p>\n${stretches.map(({ lines, isFolded }) => {
    const written = html`<pre class="answer">${joined(lines.map(({ text, isMarked }) => (isMarked ? html`<mark>${text}</mark>` : html`${text}`)))}</pre>`;
    return isFolded ? folded(count(lines.length, 'more line'), written, 'closed') : written;
  })}`;
}

/** A list puts each of its items on a line of its own. */
const joined = (lines: readonly Html[]): Html => html`${lines}`;

/** Every step is drawn: there are few, and each is needed. */
function sequenceOfSteps(steps: readonly (Exchange | Frame)[], { exchanges }: Failure) {
  const evidence = new Set(exchanges);
  const momentOf = (one: Exchange | Frame): number =>
    one.kind === 'exchange' ? one.sent : one.received;
  const startMs = steps[0] ? momentOf(steps[0]) : 0;
  const marks = steps.map((one) =>
    one.kind === 'exchange'
      ? markOfExchange(one, startMs, evidence)
      : markOfFrame(one, startMs, evidence),
  );
  return sequenceOf(marks, 0, 'every');
}
