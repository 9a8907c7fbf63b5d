import { isObject, type JsonObject } from '../../history/json.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import type { Failure, Place } from '../../results/run-report.ts';
import { streamEndpoint, streamOf } from '../../spec/events.ts';
import { forms, hasForm, parseTimestamp, type FormName } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import {
  isNamed,
  plain,
  type CallStep,
  type Claim,
  type NamedStep,
  type PathPart,
  type ReproStep,
  type Template,
  type Test,
} from '../steps.ts';
import { namesOfForm } from '../../spec/resources.ts';

/** Data of one finding, its evidence, and the steps made of the evidence. The message is not part of it. */
export interface Case
  extends Pick<Failure, 'deviation' | 'places' | 'expected' | 'must' | 'actual'> {
  /** In the order of the finding: the last shows what is wrong. */
  readonly evidence: readonly (Exchange | Frame)[];
  readonly steps: readonly ReproStep[];
  readonly partyIds: ReadonlyMap<string, CastName>;
}

/** Step that was made of an exchange. For an event, the step that opened its stream. */
export function stepOf({ steps }: Case, record: Exchange | Frame): NamedStep | undefined {
  const id = record.kind === 'frame' ? record.stream : record.id;
  return steps.filter(isNamed).find(({ recorded }) => recorded.id === id);
}

/** The calls of the evidence, each with its step. */
export const callsIn = (one: Case): readonly { record: Exchange; step: CallStep }[] =>
  one.evidence.flatMap((record) => {
    const step = record.kind === 'exchange' ? stepOf(one, record) : undefined;
    return record.kind === 'exchange' && step?.kind === 'call' ? [{ record, step }] : [];
  });

/** Body of an answer, with its headers and the claims of its token. For an event, its payload as `data`. */
export function shownBy(record: Exchange | Frame): JsonObject {
  if (record.kind === 'frame') return { data: record.data };
  const { body, headers = {} } = record.response ?? {};
  const { data } = isObject(body) ? body : {};
  const token = isObject(data) ? data['token'] : undefined;
  const claims = record.claims ?? (typeof token === 'string' && jwtPart(token, 'claims'));
  return { ...(isObject(body) && body), headers, ...(claims && { claims }) };
}

type Path = readonly (string | number)[];

/** Every place in a JSON value, with the value there. */
export function* placesIn(
  value: unknown,
  path: Path = [],
): Generator<{ readonly path: Path; readonly value: unknown }> {
  yield { path, value };
  if (path.length > 20 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* placesIn(item, [...path, index]);
  } else {
    for (const [name, item] of Object.entries(value)) yield* placesIn(item, [...path, name]);
  }
}

/** A place of the finding in one of its records, and the value that stands there. */
export interface Spot {
  readonly record: Exchange | Frame;
  readonly step: NamedStep;
  /** The name of the field. */
  readonly leaf: string;
  readonly path: Path;
  /** Undefined: the field is missing. */
  readonly seen: unknown;
}

/** Maximum number of items of one list that are searched for a field. */
const mostItems = 4;

/**
 * Places in the evidence that show the fields of the finding or lack them: in the order of its places, the last
 * evidence first.
 */
export function spotsOf(one: Case): readonly Spot[] {
  const records = [...new Set(one.evidence)].toReversed();
  return (one.places ?? []).flatMap((place) =>
    records
      .filter((record) => isAt(record, place))
      .flatMap((record) => spotsIn(one, record, place)),
  );
}

function spotsIn(one: Case, record: Exchange | Frame, { field }: Place): readonly Spot[] {
  const step = stepOf(one, record);
  const leaf = field?.slice(field.lastIndexOf('.') + 1);
  if (!step || leaf === undefined) return [];
  const all = [...placesIn(shownBy(record))];
  const there = all.filter(({ path, value }) => textOf(path) === field && isThere(value));
  const lacking = all.flatMap(({ path, value }) =>
    isObject(value) && !isThere(value[leaf]) && textOf([...path, leaf]) === field
      ? [{ path: [...path, leaf], value: undefined }]
      : [],
  );
  const found = one.deviation === 'missing' || there.length === 0 ? lacking : there;
  const isSeen = ({ value }: { readonly value: unknown }): boolean => value === one.actual;
  const ordered = [...found.filter(isSeen), ...found.filter((spot) => !isSeen(spot))];
  return ordered
    .slice(0, mostItems)
    .map(({ path, value }) => ({ record, step, leaf, path, seen: value }));
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** A path as places have it: `data[].memo`. */
const textOf = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

function isAt(record: Exchange | Frame, { endpoint, event }: Place): boolean {
  if (record.kind === 'exchange') return event === undefined && record.endpoint === endpoint;
  return event === undefined
    ? record.event === '' && streamEndpoint[streamOf(record.role)] === endpoint
    : record.event === event;
}

export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[part]
        : undefined,
    root,
  );

/** A path that names list items by their ids, or all of them, since another run may list them in another order. */
export function steadyPath(root: unknown, path: Path, one: Case): readonly PathPart[] {
  return path.map((part, index): PathPart => {
    if (typeof part !== 'number') return part;
    const item = valueAt(root, path.slice(0, index + 1));
    return (isObject(item) ? tellingField(item, one) : undefined) ?? { each: true };
  });
}

function tellingField(item: JsonObject, one: Case): PathPart | undefined {
  for (const where of ['quote_id', 'intent_id']) {
    const is = reference(item[where], one);
    if (is.kind !== 'plain') return { where, is };
  }
  return undefined;
}

/**
 * A value as a reference to an earlier step with that value, if another run has another value.
 * @param of the field with the actual or expected value: other evidence has it under the same name
 */
export function reference(value: unknown, one: Case, of?: Pick<Spot, 'record' | 'leaf'>): Template {
  if (typeof value !== 'string') return plain(value);
  const party = one.partyIds.get(value);
  if (party !== undefined) return { kind: 'party', party };
  return said(value, one, of) ?? plain(value);
}

const isId = (name: unknown): boolean => typeof name === 'string' && name.endsWith('_id');

/**
 * Reference to an earlier value. For ids: the first answer with the id. For other values: evidence that showed or sent
 * the value under the same name. For timestamps, which differ in every run: else any other answer with that name.
 */
function said(
  value: string,
  one: Case,
  of: Pick<Spot, 'record' | 'leaf'> | undefined,
): Template | undefined {
  const shows = new Set(one.evidence.map(({ id }) => id));
  const isMoment = parseTimestamp(value) !== undefined;
  let elsewhere: Template | undefined;
  for (const step of one.steps) {
    if (step.kind !== 'call') continue;
    const isOther = step.recorded.id !== of?.record.id;
    const { response, request } = step.recorded;
    for (const [kind, body] of [
      ['answer', response?.body],
      ['sent', request.body],
    ] as const) {
      for (const { path, value: found } of placesIn(body)) {
        if (found !== value || path.some((part) => typeof part === 'number')) continue;
        const name = path.at(-1);
        if (isId(name) && kind === 'answer') return { kind, step: step.name, path };
        if (name !== of?.leaf || (!isOther && kind === 'answer')) continue;
        if (shows.has(step.recorded.id)) return { kind, step: step.name, path };
        if (kind === 'answer' && isMoment) elsewhere ??= { kind, step: step.name, path };
      }
    }
  }
  return elsewhere;
}

export const compare = (value: Template, test: Test, what: string): Claim[] => [
  { kind: 'compare', value, test, what },
];

/** Conditions on the value at a place of a finding, the likeliest first. Playing them shows which one is right. */
export function testsFor(spot: Spot, one: Case): readonly Test[] {
  const { leaf, seen } = spot;
  if (one.deviation === 'missing' || seen === undefined)
    return [{ test: 'present' }, ...expectedTests(spot, one)];
  // Another amount in the same object may be right.
  const { actual = seen } = one;
  const isWrong = leaf === 'status' || seen === (isObject(actual) ? actual[leaf] : actual);
  const otherwise: readonly Test[] =
    isWrong && typeof seen !== 'object' ? [{ test: 'differs', value: reference(seen, one) }] : [];
  const form = formOf(leaf);
  const ofName: readonly Test[] = form && !hasForm(form, seen) ? [{ test: 'form', form }] : [];
  if (one.deviation === 'wrong form') return [...ofName, ...types, ...otherwise];
  const usual = [...ofName, ...expectedTests(spot, one)];
  // A changed field must be present; a field with a wrong value may also have to be absent.
  if (one.deviation === 'changed') return [...usual, ...otherwise];
  const absent: Test = { test: 'absent' };
  return one.deviation === 'wrong value'
    ? [...usual, ...otherwise, absent]
    : [...usual, absent, ...otherwise];
}

/** Conditions for a value in a wrong form: it has another type, or is empty. Text and lists both have a length. */
const types: readonly Test[] = [
  { test: 'count' },
  { test: 'text' },
  { test: 'list' },
  { test: 'object' },
  { test: 'differs', value: plain('') },
];

function expectedTests(spot: Spot, one: Case): readonly Test[] {
  const { must, expected } = one;
  const isEqual = (value: unknown): Test => ({
    test: 'equals',
    value: reference(value, one, spot),
  });
  if (must) {
    if ('absent' in must) return [{ test: 'absent' }];
    if ('form' in must) return [{ test: 'form', form: must.form }];
    if (!('one_of' in must)) return [];
    return [{ test: 'one_of', values: must.one_of }, ...must.one_of.map(isEqual)];
  }
  const value = isObject(expected) ? expected[spot.leaf] : expected;
  if (value === undefined) return [];
  return value === null ? [{ test: 'absent' }] : [isEqual(value)];
}

const formNames = Object.keys(forms) as FormName[];

/** The form that the document gives all fields of a name. */
const formOf = (field: string): FormName | undefined =>
  formNames.find((form) => namesOfForm(form).includes(field));
