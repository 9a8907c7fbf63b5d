import { Decimal as Base } from 'decimal.js';
import { formatTimestamp, hasForm, parseTimestamp } from '../../spec/forms.ts';
import { formatDuration, parseDuration } from '../../yaml/index.ts';
import { type Type, unknown } from '../language/types.ts';
import type { PartyStream } from './streams.ts';

/** Wide enough that no sum, product or quotient of amounts in a scenario is rounded unasked. */
export const Decimal = Base.clone({ precision: 40, toExpNeg: -40, toExpPos: 60 });
export type Decimal = InstanceType<typeof Decimal>;

/** Checks the form first: the library itself would take `0x1F` and `Infinity`. */
export const parseDecimal = (text: unknown): Decimal | undefined =>
  hasForm('decimal', text) && text.length <= 80 ? new Decimal(text) : undefined;

/** A value at run time. Amounts and moments from the wire keep their original text. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'decimal'; readonly decimal: Decimal; readonly text?: string }
  | { readonly kind: 'time'; readonly ms: number; readonly text?: string }
  | { readonly kind: 'duration'; readonly ms: number }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'flag'; readonly flag: boolean }
  | { readonly kind: 'stream'; readonly stream: PartyStream }
  /** `undefined` stands for a missing value. */
  | { readonly kind: 'json'; readonly json: unknown; readonly type: Type };

/** Converts a piece of an answer to a value; JSON that is not of its type stays plain JSON. */
export function fromJson(json: unknown, type: Type): Value {
  if (type.kind === 'decimal') {
    const decimal = parseDecimal(json);
    if (decimal) return { kind: 'decimal', decimal, text: String(json) };
  }
  if (type.kind === 'time') {
    const ms = parseTimestamp(json);
    if (ms !== undefined) return { kind: 'time', ms, text: String(json) };
  }
  if (type.kind === 'count' && Number.isSafeInteger(json))
    return { kind: 'count', count: Number(json) };
  if (typeof json === 'string') return { kind: 'text', text: json };
  if (typeof json === 'boolean') return { kind: 'flag', flag: json };
  return { kind: 'json', json, type };
}

/** A value of unknown type, with the type that its text suggests. */
export function inferredValue(value: Value): Value {
  if (value.kind === 'text') {
    const ms = parseTimestamp(value.text);
    if (ms !== undefined) return { kind: 'time', ms, text: value.text };
    const decimal = parseDecimal(value.text);
    return decimal ? { kind: 'decimal', decimal, text: value.text } : value;
  }
  if (value.kind === 'json' && Number.isSafeInteger(value.json)) {
    return { kind: 'count', count: Number(value.json) };
  }
  return value;
}

/** Text of a file as the expected kind: `"10s"` as a duration, `"1.10"` as a decimal. */
export function coerced(value: Value, kind: Type['kind']): Value {
  const ms = kind === 'duration' && value.kind === 'text' ? parseDuration(value.text) : undefined;
  if (ms !== undefined) return { kind: 'duration', ms };
  return kind === 'text' ? value : inferredValue(value);
}

/** JSON value for the wire. */
export function toWire(value: Value): unknown {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'decimal':
      return value.text ?? value.decimal.toFixed();
    case 'time':
      return value.text ?? formatTimestamp(value.ms);
    case 'duration':
      return formatDuration(value.ms);
    case 'count':
      return value.count;
    case 'flag':
      return value.flag;
    case 'json':
      return value.json;
    case 'stream':
      return 'a stream';
  }
}

/** Text of a value, as it stands in a longer text; empty if an answer had no body. */
export const asText = (value: Value): string => {
  const wire = toWire(value);
  if (wire === undefined) return '';
  return typeof wire === 'string' ? wire : JSON.stringify(wire);
};

/** A decimal or a count as a decimal. */
export function asDecimal(value: Value): Decimal | undefined {
  if (value.kind === 'decimal') return value.decimal;
  if (value.kind === 'count') return new Decimal(value.count);
  return undefined;
}

const longestShown = 200;

/** Short text for messages; tokens are masked. */
export function shown(json: unknown): string {
  if (json === undefined) return 'nothing';
  const text = JSON.stringify(json, (key, value: unknown) =>
    key === 'token' && typeof value === 'string' ? '$TOKEN' : value,
  );
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
}

export const shownValue = (value: Value): string =>
  value.kind === 'duration' ? formatDuration(value.ms) : shown(toWire(value));

/** A value of JSON that the document does not define. */
export const jsonValue = (json: unknown): Value => ({ kind: 'json', json, type: unknown });
export const nothing = jsonValue(undefined);

/** Items of a list; undefined for any other value. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (value.kind !== 'json' || !Array.isArray(value.json)) return undefined;
  const type = value.type.kind === 'list' ? value.type.item : unknown;
  return value.json.map((one: unknown) => fromJson(one, type));
}
