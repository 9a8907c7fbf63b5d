import { isObject, type JsonObject } from '../../history/json.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import {
  isNamed,
  type NamedStep,
  plain,
  type PathPart,
  type ReproStep,
  type Template,
} from '../steps.ts';

/** One finding with what it rests on, and the steps that were made of it. */
export interface Case {
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
  /** In the order of the finding: the last shows what is wrong. */
  readonly evidence: readonly (Exchange | Frame)[];
  readonly steps: readonly ReproStep[];
  readonly partyIds: ReadonlyMap<string, CastName>;
}

/** The step that an exchange became. */
export const stepOf = ({ steps }: Case, exchangeId: string): NamedStep | undefined =>
  steps.filter(isNamed).find(({ recorded }) => recorded.id === exchangeId);

/** What shows the failure: the last evidence that is an exchange or a frame of a kept stream. */
export const lastOf = ({ evidence }: Case): Exchange | Frame | undefined => evidence.at(-1);

export const bodyOf = (record: Exchange | Frame): unknown =>
  record.kind === 'frame' ? record.data : record.response?.body;

type Path = readonly (string | number)[];

/** Every place in a JSON value, with what stands there. */
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

const at = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[part]
        : undefined,
    root,
  );

/** A path in which the items of lists are told by their ids, or are all meant, since another run may list them otherwise. */
export function steadyPath(root: unknown, path: Path, one: Case): readonly PathPart[] {
  return path.map((part, index): PathPart => {
    if (typeof part !== 'number') return part;
    const item = at(root, path.slice(0, index + 1));
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

/** A value as a reference to where it was said before, where it is one that another run has otherwise. */
export function reference(value: unknown, one: Case, field?: string): Template {
  if (typeof value !== 'string') return plain(value);
  const party = one.partyIds.get(value);
  if (party !== undefined) return { kind: 'party', party };
  return said(value, one, field) ?? plain(value);
}

const isId = (name: unknown): boolean => typeof name === 'string' && name.endsWith('_id');

/**
 * Ids wherever an answer gave them first; other values where evidence showed or sent them under the same name. Moments,
 * which every run has otherwise, at last where any other answer did.
 */
function said(value: string, one: Case, field: string | undefined): Template | undefined {
  const shows = new Set(one.evidence.slice(0, -1).map(({ id }) => id));
  const isMoment = parseTimestamp(value) !== undefined;
  let elsewhere: Template | undefined;
  for (const step of one.steps) {
    if (step.kind !== 'call') continue;
    const isEvidence = shows.has(step.recorded.id);
    const { response, request } = step.recorded;
    for (const [kind, body] of [
      ['answer', response?.body],
      ['sent', request.body],
    ] as const) {
      for (const { path, value: found } of placesIn(body)) {
        if (found !== value || path.some((part) => typeof part === 'number')) continue;
        const name = path.at(-1);
        if (isId(name) && kind === 'answer') return { kind, step: step.name, path };
        if (field === undefined || name !== field) continue;
        if (isEvidence) return { kind, step: step.name, path };
        if (kind === 'answer' && isMoment) elsewhere ??= { kind, step: step.name, path };
      }
    }
  }
  return elsewhere;
}

/** The fields that a message should not have had: `carried settled_at`, `showed the memo of an order`. */
export function fieldsTooMany({ message, actual }: Case): readonly string[] {
  const said = /\b(?:carried|showed|set|named) (?:the )?([a-z_]+(?:(?:,| and) [a-z_]+)*)/.exec(
    message,
  )?.[1];
  const listed = Array.isArray(actual) ? actual : [actual];
  const named = listed.filter(
    (one): one is string => typeof one === 'string' && /^[a-z_]+$/.test(one),
  );
  return [...new Set([...(said?.split(/, | and /) ?? []), ...named])];
}
