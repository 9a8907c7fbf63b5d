import { groupBy } from '../../../history/group-by.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isObject, type JsonObject, textOf } from '../../../protocol/json.ts';
import { fieldsOf } from '../../../spec/fields.ts';
import { resources } from '../../../spec/resources.ts';
import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { OrderTrace } from '../../trace/traces.ts';
import { mayHaveWon } from './leak-detection.ts';

/** Values in a message that could mark the order that it is about: each text, number or flag, by its path. */

/** Stands for a value that was not the same each time. */
export const varies = '\u0000';

/** Deeper, or of more members, no honest message is. */
const deepest = 8;
const mostMarks = 200;

/** Headers that speak of the answer and of its way, and of no order. */
const ofTheAnswer =
  /^(date|age|etag|via|server|connection|keep-alive|vary|allow|expires|retry-after|(content|transfer|cache|accept|access-control|strict|x-content|x-frame|x-powered|x-ratelimit|ratelimit)-.*)$/i;

/** The field that a mark stands in. */
export const fieldMarked = (path: string): string =>
  path.slice(path.lastIndexOf('.') + 1).replace(/ \(part \d+\)$/, '');

/** The texts, numbers and flags of a message by their paths, and the parts that texts are put together of. */
export function marksIn(message: unknown, leftOut: ReadonlySet<string>): Map<string, string> {
  const marks = new Map<string, string>();
  const note = (path: string, value: string): void => {
    if (marks.size >= mostMarks && !marks.has(path)) return;
    const known = marks.get(path);
    marks.set(path, known === undefined || known === value ? value : varies);
  };
  const noteParts = (path: string, text: string): void => {
    const parts = text.split(/[^\p{L}\p{N}]+/u, 9);
    if (parts.length < 2) return;
    for (const [index, part] of parts.entries()) note(`${path} (part ${index + 1})`, part);
  };
  const visit = (path: string, value: unknown, depth: number): void => {
    if (typeof value === 'object' && value !== null) {
      if (depth > deepest) return;
      for (const [name, inner] of Object.entries(value).slice(0, mostMarks)) {
        if (name === 'intent_id' && typeof inner === 'string') noteParts(name, inner);
        if (leftOut.has(name) || (path === 'headers' && ofTheAnswer.test(name))) continue;
        const step = Array.isArray(value) ? '[]' : name.slice(0, 100);
        visit(path === '' ? step : `${path}.${step}`, inner, depth + 1);
      }
      return;
    }
    if (value === undefined || value === null) return;
    if (typeof value === 'string') noteParts(path, value);
    note(path, (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500));
  };
  visit('', message, 0);
  return marks;
}

const requirement = 'rfq.senders-not-told-apart';

/** Values by path that one maker was shown of one order in one place. */
interface Shown {
  readonly trace: OrderTrace;
  readonly marks: Map<string, string>;
  readonly source: string;
}

/** Fields that the document shows makers of each request and of their own quotes: none of them tells the sender. */
const namedFields: ReadonlySet<string> = new Set(
  [resources.rfq, resources['own-quote']].flatMap((one) => fieldsOf(one).map(({ name }) => name)),
);

/** Fewer orders than these may be alike by chance. */
const fewestOfOne = 2;
const fewestOfBoth = 12;

/** Every message to a maker about one order that it has not won, by maker and by the place where it came. */
function messagesByPlace(view: HistoryView): Map<string, Map<string, Shown>> {
  const places = new Map<string, Map<string, Shown>>();
  const take = (
    party: string,
    via: string,
    trace: OrderTrace | undefined,
    content: unknown,
    source: string,
  ): void => {
    if (!trace?.creation || view.disturbed(trace.id)) return;
    const place = `${party} ${via}`;
    const orders = places.get(place) ?? new Map<string, Shown>();
    places.set(place, orders);
    const known = orders.get(trace.id);
    const marks = marksIn(content, namedFields);
    if (!known) return void orders.set(trace.id, { trace, marks, source });
    // A value that changes while an order lives does not tell whose order it is.
    for (const path of new Set([...known.marks.keys(), ...marks.keys()]))
      if (known.marks.get(path) !== marks.get(path)) known.marks.set(path, varies);
  };
  for (const resource of ['rfq', 'own-quote'] as const) {
    for (const { value, party, via, source, call, frame } of view.snapshotsOf(resource)) {
      const id = textOf(value, 'intent_id') ?? call?.exchange.params.intent_id;
      const trace = view.order(id);
      if (call && trace && mayHaveWon(view, trace, party, call)) continue;
      take(party, via, trace, frame ? frame.frame.data : value, source);
    }
  }
  for (const { party, frames } of view.streams) {
    for (const { frame, id, intentId } of frames) {
      const trace = view.order(intentId);
      const isEnd = frame.event === 'quote_request_expired' || frame.event === 'quote_rejected';
      if (isEnd && trace && !mayHaveWon(view, trace, party))
        take(party, frame.event, trace, frame.data, id);
    }
  }
  for (const via of ['rfq.read', 'quote.submit'] as const) {
    for (const call of view.endpoint(via)) {
      if (!call.ok || !call.own) continue;
      const trace = view.order(call.exchange.params.intent_id);
      const around = isObject(call.body) ? { ...call.body, data: undefined } : {};
      const content = { ...around, headers: call.exchange.response?.headers };
      take(call.party, `around ${via}`, trace, content, call.id);
    }
  }
  return places;
}

const termFields = ['source_currency', 'target_currency', 'target_amount'] as const;

/** True if two orders look the same to a maker: of one check, over the same amount of the same currencies. */
const isComparable = (one: OrderTrace, other: OrderTrace): boolean =>
  one.creation?.exchange.by === other.creation?.exchange.by &&
  termFields.every((field) => equalValues(field, one.sent?.[field], other.sent?.[field]));

const openOf = ({ trace }: Shown): number => trace.creation?.open ?? 0;

/** True if the orders of one sender were created among those of the other: then no time told them apart. */
function areInterleaved(some: readonly Shown[], others: readonly Shown[]): boolean {
  const among = (inner: readonly Shown[], outer: readonly Shown[]): boolean => {
    const places = outer.map(openOf);
    const [first, last] = [Math.min(...places), Math.max(...places)];
    return inner.some((one) => openOf(one) > first && openOf(one) < last);
  };
  return among(some, others) || among(others, some);
}

/** The one value that all orders of a sender have at a path; undefined if they differ. */
function onlyValue(shown: readonly Shown[], path: string): string | undefined {
  const value = shown[0]?.marks.get(path) ?? '';
  return value !== varies && shown.every(({ marks }) => (marks.get(path) ?? '') === value)
    ? value
    : undefined;
}

export const sendersIndistinguishable = defineRule({
  id: 'privacy.told-apart',
  title: 'Nothing that makers receive is the same for all requests of one sender and for no other',
  requirements: [requirement],
  judge(view, findings) {
    for (const [place, orders] of messagesByPlace(view)) {
      const bySender = [...groupBy([...orders.values()], ({ trace }) => trace.creation?.party)];
      const senders = bySender.filter(([, shown]) => shown.length >= fewestOfOne);
      for (const [index, [, some]] of senders.entries()) {
        for (const [, others] of senders.slice(index + 1)) compare(place, some, others);
      }
    }

    function compare(place: string, some: readonly Shown[], others: readonly Shown[]): void {
      if (some.length + others.length < fewestOfBoth || !areInterleaved(some, others)) return;
      const pair = comparablePair(some, others);
      if (!pair) return;
      const paths = new Set([...some, ...others].flatMap(({ marks }) => [...marks.keys()]));
      const telling = [...paths].sort().find((path) => {
        const [one, other] = [onlyValue(some, path), onlyValue(others, path)];
        return one !== undefined && other !== undefined && one !== other;
      });
      const [one, other] = pair;
      const values: JsonObject = {
        one: one.marks.get(telling ?? ''),
        other: other.marks.get(telling ?? ''),
      };
      const where = place.slice(place.indexOf(' ') + 1);
      const violation = {
        message: `${telling} in ${where} told the requests of one sender from those of another`,
        fields: [fieldMarked(telling ?? '')],
        must: { words: 'nothing by which requests could be told to be of one sender' },
        actual: values,
        evidence: [one.source, other.source],
      };
      if (telling === undefined) findings.pass(requirement, one.source);
      // A part of an id may be the machine that made it: it tells as much, and hardly on purpose.
      else
        findings[telling.startsWith('intent_id') ? 'warn' : 'fail'](requirement, {
          ...violation,
          departure: 'id-of-a-machine',
        });
    }
  },
});

/** Two orders that nothing but their senders tells apart. */
function comparablePair(
  some: readonly Shown[],
  others: readonly Shown[],
): readonly [Shown, Shown] | undefined {
  for (const one of others) {
    const like = some.find(({ trace }) => isComparable(trace, one.trace));
    if (like) return [like, one];
  }
  return undefined;
}
