import { hasForm } from '../../spec/forms.ts';
import type { Expr } from '../language/expression.ts';
import type { Matcher, Test } from '../language/matchers.ts';
import { count } from '../language/types.ts';
import { compare, fieldOf, type Scope, valueOf } from './evaluate.ts';
import { type Mismatch, overLimit } from './halt.ts';
import {
  asDecimal,
  fromJson,
  inferredValue,
  itemsOf,
  parseDecimal,
  shown,
  shownValue,
  toWire,
  type Value,
} from './values.ts';
import { type Context, createContext, Script } from 'node:vm';
import { ownLimits } from '../../history/limits.ts';
import { parseDuration } from '../../yaml/index.ts';
import type { Arg } from '../language/arg.ts';

const script = new Script('pattern.test(text)');
let place: Context | undefined;

/**
 * True if a regular expression of a scenario matches a text. A pattern such as `^(a+)+$` may take practically forever:
 * the host stops it after a while, and the scenario is not judged (decision 38).
 */
function isFound(pattern: RegExp, text: string): boolean {
  place ??= createContext();
  place['pattern'] = pattern;
  place['text'] = text;
  try {
    return script.runInContext(place, { timeout: ownLimits['scenario.match_ms'] }) === true;
  } catch {
    // It took too long, or its stack or its memory ran out: V8 throws nothing else here.
    return overLimit('scenario.match_ms');
  } finally {
    place['text'] = '';
  }
}

/** All mismatches of a value; empty if it matches. */
export function mismatches(matcher: Matcher, value: Value, scope: Scope, path = ''): Mismatch[] {
  const wrong = (expected: string, at = matcher.at): Mismatch[] => [
    { at, path, expected, actual: shownValue(value) },
  ];
  switch (matcher.kind) {
    case 'equals': {
      const expected = expectedValue(matcher.value, value, scope);
      if (equalValues(expected, value)) return [];
      const fields = differences(toWire(expected), toWire(value), path);
      return fields.length > 0
        ? fields.map((one) => ({ at: matcher.at, ...one }))
        : wrong(shownValue(expected));
    }
    case 'items': {
      const items = itemsOf(value);
      if (!items) return wrong(`a list of ${matcher.items.length} items`);
      if (items.length !== matcher.items.length) {
        const actual = `${items.length} items`;
        return [{ at: matcher.at, path, expected: `${matcher.items.length} items`, actual }];
      }
      return matcher.items.flatMap((item, index) =>
        mismatches(item, items[index] ?? value, scope, `${path}[${index}]`),
      );
    }
    case 'object':
      if (value.kind !== 'json' || typeof value.json !== 'object' || value.json === null) {
        return wrong('an object');
      }
      return matcher.fields.flatMap(({ key, value: inner }) =>
        mismatches(inner, fieldOf(value, key), scope, path === '' ? key : `${path}.${key}`),
      );
    case 'tests':
      return matcher.tests.flatMap((test) => failing(test, value, scope, path));
  }
}

/** A value of the file, read as the type of the value that it is compared with. */
function expectedValue(arg: Arg, beside: Value, scope: Scope): Value {
  const expected = valueOf(arg, scope);
  if (expected.kind !== 'text') return expected;
  if (beside.kind === 'decimal' || beside.kind === 'count') {
    const decimal = parseDecimal(expected.text);
    if (decimal) return { kind: 'decimal', decimal, text: expected.text };
  }
  if (beside.kind === 'time') return inferredValue(expected);
  const ms = beside.kind === 'duration' ? parseDuration(expected.text) : undefined;
  return ms === undefined ? expected : { kind: 'duration', ms };
}

/** Compares numbers as numbers, moments as moments, all other values as JSON. */
function equalValues(expected: Value, actual: Value): boolean {
  const order = compare(expected, actual) ?? compare(expected, inferredValue(actual));
  if (order !== undefined && expected.kind !== 'json') return order === 0;
  return sameJson(toWire(expected), toWire(actual));
}

function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if ((a === null && b === undefined) || typeof a !== 'object' || typeof b !== 'object') {
    return a === null && b === undefined;
  }
  if (a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}

/** Fields and items that differ in two objects or lists of the same length; none for other values. */
function differences(expected: unknown, actual: unknown, path: string): Omit<Mismatch, 'at'>[] {
  if (!isContainer(expected) || !isContainer(actual)) return [];
  if (Array.isArray(expected) !== Array.isArray(actual)) return [];
  if (Array.isArray(actual) && actual.length !== Object.keys(expected).length) return [];
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return keys.flatMap((key) => {
    const [one, other] = [own(expected, key), own(actual, key)];
    if (sameJson(one, other)) return [];
    const at = Array.isArray(actual) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const inner = differences(one, other, at);
    return inner.length > 0 ? inner : [{ path: at, expected: shown(one), actual: shown(other) }];
  });
}

type Container = Readonly<Record<string, unknown>>;
const isContainer = (json: unknown): json is Container => typeof json === 'object' && json !== null;
const own = (of: Container, key: string): unknown => (Object.hasOwn(of, key) ? of[key] : undefined);

const isAbsent = (value: Value): boolean =>
  value.kind === 'json' && (value.json === undefined || value.json === null);

function failing(test: Test, value: Value, scope: Scope, path: string): Mismatch[] {
  const unless = (holds: boolean, expected: string): Mismatch[] =>
    holds ? [] : [{ at: test.at, path, expected, actual: shownValue(value) }];
  switch (test.test) {
    case 'absent':
      return unless(isAbsent(value), 'nothing');
    case 'present':
      return unless(!isAbsent(value), 'something');
    case 'decimal':
    case 'moment':
      return near(test, value, scope, unless);
    case 'above':
    case 'below':
    case 'at_least':
    case 'at_most': {
      const expected = expectedValue(test.value, value, scope);
      const order = compare(inferredValue(value), inferredValue(expected));
      const holds = order !== undefined && comparisons[test.test](order);
      return unless(holds, `${test.test.replace('_', ' ')} ${shownValue(expected)}`);
    }
    case 'exactly': {
      const expected = toWire(valueOf(test.value, scope));
      const actual = toWire(value);
      if (sameJson(expected, actual)) return [];
      const fields = differences(expected, actual, path);
      return fields.length > 0
        ? fields.map((one) => ({ ...one, at: test.at, expected: `exactly ${one.expected}` }))
        : unless(false, `exactly ${shown(expected)}`);
    }
    case 'one_of': {
      const expected = test.values.map((one) => expectedValue(one, value, scope));
      return unless(
        expected.some((one) => equalValues(one, value)),
        `one of ${expected.map(shownValue).join(', ')}`,
      );
    }
    case 'matches':
    case 'format': {
      const wire = toWire(value);
      if (test.test === 'format')
        return unless(hasForm(test.form, wire), `the form of ${test.form}`);
      return unless(
        typeof wire === 'string' && isFound(test.pattern, wire),
        `a match of /${test.pattern.source}/`,
      );
    }
    case 'length': {
      const wire = toWire(value);
      const length = typeof wire === 'string' ? Array.from(wire).length : itemsOf(value)?.length;
      if (length === undefined) return unless(false, 'text or a list');
      return mismatches(
        test.matcher,
        fromJson(length, count),
        scope,
        `${path}.length`.replace(/^\./, ''),
      );
    }
    case 'contains': {
      if (contains(test.matcher, value, scope)) return [];
      const expected = `something in it that ${matcherText(test.matcher, scope)}`;
      const items = itemsOf(value);
      if (!items || !shownValue(value).endsWith('...')) return unless(false, expected);
      const actual = noneOf(test.matcher, items, scope);
      return [{ at: test.at, path, expected, actual }];
    }
    case 'each': {
      const items = itemsOf(value);
      if (!items) return unless(false, 'a list');
      return items.flatMap((item, index) =>
        mismatches(test.matcher, item, scope, `${path}[${index}]`),
      );
    }
    case 'any_of': {
      const each = test.matchers.map((one) => mismatches(one, value, scope));
      if (each.some((one) => one.length === 0)) return [];
      const expected = `a value that ${test.matchers.map((one) => matcherText(one, scope)).join(', or ')}`;
      const words = shownValue(value).endsWith('...') ? nearestWords(each) : '';
      return words === ''
        ? unless(false, expected)
        : [{ at: test.at, path, expected, actual: `none; the nearest one: ${words}` }];
    }
    case 'unique': {
      const items = itemsOf(value);
      if (!items) return unless(false, 'a list');
      const twice = repeatedIn(items, test.field);
      if (twice === undefined) return [];
      const expected = `no two items of the same ${test.field}`;
      return [{ at: test.at, path, expected, actual: `${twice} twice or more` }];
    }
    case 'not':
      return unless(
        mismatches(test.matcher, value, scope).length > 0,
        `anything but what ${matcherText(test.matcher, scope)}`,
      );
  }
}

/** First value of a field that occurs in a second item, in any notation. Items without the field are ignored. */
function repeatedIn(items: readonly Value[], field: string): string | undefined {
  const seen = new Set<string>();
  for (const item of items) {
    const value = fieldOf(item, field);
    if (isAbsent(value)) continue;
    const number = asDecimal(value);
    const text = number ? number.toFixed() : shown(toWire(value));
    if (seen.has(text)) return text;
    seen.add(text);
  }
  return undefined;
}

const comparisons = {
  above: (order: number) => order > 0,
  below: (order: number) => order < 0,
  at_least: (order: number) => order >= 0,
  at_most: (order: number) => order <= 0,
} as const;

function near(
  test: Extract<Test, { test: 'decimal' | 'moment' }>,
  value: Value,
  scope: Scope,
  unless: (holds: boolean, expected: string) => Mismatch[],
): Mismatch[] {
  const expected = inferredValue(expectedValue(test.value, value, scope));
  const actual = inferredValue(value);
  const tolerance = test.within && readTolerance(test.within, scope);
  const said = `${shownValue(expected)}${tolerance ? `, within ${shownValue(tolerance)}` : ''}`;
  if (test.test === 'moment') {
    const most = tolerance?.kind === 'duration' ? tolerance.ms : 0;
    const bothMoments = expected.kind === 'time' && actual.kind === 'time';
    return unless(bothMoments && Math.abs(expected.ms - actual.ms) <= most, said);
  }
  const w = asDecimal(expected);
  const a = asDecimal(actual);
  const most = tolerance && asDecimal(tolerance);
  return unless(
    !!w &&
      !!a &&
      w
        .minus(a)
        .abs()
        .lessThanOrEqualTo(most ?? 0),
    said,
  );
}

function readTolerance(arg: Arg, scope: Scope): Value {
  const value = valueOf(arg, scope);
  const ms = value.kind === 'text' ? parseDuration(value.text) : undefined;
  return ms === undefined ? inferredValue(value) : { kind: 'duration', ms };
}

function contains(matcher: Matcher, value: Value, scope: Scope): boolean {
  const items = itemsOf(value);
  if (items) return items.some((item) => mismatches(matcher, item, scope).length === 0);
  const wire = toWire(value);
  if (typeof wire !== 'string' || matcher.kind !== 'equals') return false;
  return wire.includes(String(toWire(valueOf(matcher.value, scope))));
}

/** The number of items of a list, none of which matches, and the fields that keep the nearest one from it. */
function noneOf(matcher: Matcher, items: readonly Value[], scope: Scope): string {
  const number = `${items.length} item${items.length === 1 ? '' : 's'}, none that matches`;
  const each = items.map((item) => mismatches(matcher, item, scope));
  const fields = matcher.kind === 'object' ? matcher.fields.length : 0;
  // An item with no field as expected is not near.
  const words = nearestWords(each.filter(({ length }) => length < fields));
  return words === '' ? number : `${number}; the nearest one: ${words}`;
}

/** The mismatches of the way to match that has the fewest; empty if they are in no field. */
function nearestWords(each: readonly (readonly Mismatch[])[]): string {
  const [nearest = []] = each.toSorted((a, b) => a.length - b.length);
  if (nearest.some(({ path }) => path === '')) return '';
  return nearest.map(({ path, actual }) => `${path} is ${actual}`).join(', ');
}

/** Short text of a matcher. */
export function matcherText(matcher: Matcher, scope: Scope): string {
  switch (matcher.kind) {
    case 'equals':
      return `is ${argWords(matcher.value, scope)}`;
    case 'items':
      return `has ${matcher.items.length} items`;
    case 'object':
      return `has ${matcher.fields.map(({ key, value: inner }) => `${key}: ${inner.kind === 'equals' ? argWords(inner.value, scope) : '...'}`).join(', ')}`;
    case 'tests':
      return `passes ${matcher.tests.map(({ test }) => test).join(', ')}`;
  }
}

/** A saved value is shown; any other expression stays as written, since a second evaluation could draw again. */
function argWords(arg: Arg, scope: Scope): string {
  if (arg.kind === 'plain') return arg.written;
  if (arg.kind !== 'expr') return '...';
  const value = savedIn(arg.expr.expr, scope);
  return value && value.kind !== 'json' ? shownValue(value) : `$${arg.expr.source}`;
}

function savedIn(expr: Expr, scope: Scope): Value | undefined {
  if (expr.kind === 'name') return scope.env.get(expr.name);
  const of = expr.kind === 'field' ? savedIn(expr.of, scope) : undefined;
  return of && expr.kind === 'field' ? fieldOf(of, expr.field) : undefined;
}
