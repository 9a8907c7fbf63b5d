import { isObject } from '../history/json.ts';
import type { Failure } from '../results/run-report.ts';

/** Expected and actual value at one place, as JSON, each with its type. */
export interface TypedDiff {
  /** Member of the compared objects. Empty: the whole values. */
  readonly member: string;
  readonly expected: TypedValue | undefined;
  readonly actual: TypedValue | undefined;
}

export interface TypedValue {
  readonly text: string;
  /** Undefined if it is a description in words, not a value. */
  readonly type: string | undefined;
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

export const typed = (value: unknown): TypedValue => ({
  text: JSON.stringify(value) ?? String(value),
  type: typeOf(value),
});

/** For two objects, the members that differ; else the two values. Empty if the failure has neither value. */
export function typedDiff(failure: Failure): readonly TypedDiff[] {
  const { expected, must, actual } = failure;
  if (isObject(expected) && isObject(actual)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].toSorted();
    return names.flatMap((member) => {
      const [one, other] = [expected[member], actual[member]];
      if (JSON.stringify(one) === JSON.stringify(other)) return [];
      return [{ member, expected: valueOf(one), actual: valueOf(other) }];
    });
  }
  if (expected === undefined && actual === undefined) return [];
  const isSentence = must !== undefined && typeof expected === 'string';
  const shown = isSentence ? { text: expected, type: undefined } : valueOf(expected);
  return [{ member: '', expected: shown, actual: valueOf(actual) }];
}

const valueOf = (value: unknown): TypedValue | undefined =>
  value === undefined ? undefined : typed(value);
