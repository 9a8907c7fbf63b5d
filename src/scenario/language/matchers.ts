import { forms, type FormName } from '../../spec/forms.ts';
import type { Type } from './types.ts';
import {
  allRead,
  described,
  type Entry,
  lazyShape,
  listOf,
  literalText,
  mapShape,
  oneOf,
  type Reader,
  type Shape,
  type SourceLocation,
  trueShape,
  type YamlEntry,
} from '../../yaml/index.ts';
import { anyArg, type Arg, argOf } from './arg.ts';

/**
 * Expected form of an answer, or of a piece of one. A mapping is matched in part: fields that it does not name may have
 * any value.
 */
export type Matcher = { readonly at: SourceLocation } & (
  | { readonly kind: 'equals'; readonly value: Arg }
  | { readonly kind: 'object'; readonly fields: readonly Entry<Matcher>[] }
  | { readonly kind: 'items'; readonly items: readonly Matcher[] }
  | { readonly kind: 'tests'; readonly tests: readonly Test[] }
);

/** One test of a mapping of tests. All of them must hold. */
export type Test = { readonly at: SourceLocation } & (
  | { readonly test: 'decimal' | 'moment'; readonly value: Arg; readonly within?: Arg }
  | { readonly test: 'above' | 'below' | 'at_least' | 'at_most' | 'exactly'; readonly value: Arg }
  | { readonly test: 'one_of'; readonly values: readonly Arg[] }
  | { readonly test: 'any_of'; readonly matchers: readonly Matcher[] }
  | { readonly test: 'unique'; readonly field: string }
  | { readonly test: 'matches'; readonly pattern: RegExp }
  | { readonly test: 'format'; readonly form: FormName }
  | { readonly test: 'length' | 'contains' | 'each' | 'not'; readonly matcher: Matcher }
  | { readonly test: 'absent' | 'present' }
);
export type TestName = Test['test'];

const formNames = Object.keys(forms) as FormName[];

/** A matcher within a matcher. */
export const matcher = lazyShape<Matcher>('matcher', () => matcherShape);

const pattern: Shape<RegExp> = {
  read(node, reader) {
    const text = literalText('a regular expression, in quotes').read(node, reader);
    if (!text) return undefined;
    try {
      return new RegExp(text.value, 'u');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return reader.add(node.place, `no regular expression: ${why}`);
    }
  },
  schema: { type: 'string' },
};

/** Removes the location from each member: plain `Omit` would merge the union. */
type WithoutLocation<T> = T extends unknown ? Omit<T, 'at'> : never;

interface TestShape extends Shape<WithoutLocation<Test>> {
  /** Kinds of values that the test says something of; absent: all kinds. */
  readonly of?: readonly Type['kind'][];
}

const row = <A>(
  doc: string,
  shape: Shape<A>,
  turn: (read: A) => WithoutLocation<Test>,
  of?: readonly Type['kind'][],
): TestShape => ({ ...described(mapShape(shape, turn), doc), ...(of && { of }) });

type Comparison = Extract<Test, { value: Arg }>['test'];
const compared = (test: Comparison, doc: string, of?: TestShape['of']): TestShape =>
  row(doc, anyArg, (value) => ({ test, value }), of);
type Nested = Extract<Test, { matcher: Matcher }>['test'];
const nested = (test: Nested, doc: string, of?: TestShape['of']): TestShape =>
  row(doc, matcher, (inner) => ({ test, matcher: inner }), of);
const flag = (test: 'absent' | 'present', doc: string): TestShape =>
  row(doc, trueShape, () => ({ test }));

const number = ['decimal', 'count'] as const;
const comparable = [...number, 'time', 'duration'] as const;
const writable = ['text', 'decimal', 'time'] as const;

/** All tests by key, in the order of the docs. `within` belongs to `decimal` and `moment`. */
export const testShapes: { readonly [name in TestName]: TestShape } = {
  decimal: compared('decimal', 'The same number; with `within`, at most that far from it.', number),
  moment: compared('moment', 'The same moment; with `within`, at most that far from it.', ['time']),
  above: compared('above', 'Greater or later.', comparable),
  below: compared('below', 'Less or earlier.', comparable),
  at_least: compared('at_least', 'Greater, later or equal.', comparable),
  at_most: compared('at_most', 'Less, earlier or equal.', comparable),
  one_of: row('One of these values.', listOf(anyArg, 'values'), (values) => ({
    test: 'one_of',
    values,
  })),
  matches: row(
    'Text with a match of this pattern.',
    pattern,
    (regexp) => ({ test: 'matches', pattern: regexp }),
    writable,
  ),
  format: row(
    `Text of a form of part 2: ${formNames.join(', ')}.`,
    oneOf('a form', formNames),
    (form) => ({ test: 'format', form: form.value }),
    writable,
  ),
  length: nested('length', 'Text or a list whose length matches.', ['text', 'list']),
  any_of: row(
    'A value that matches one of these.',
    listOf(matcher, 'ways to match'),
    (matchers) => ({
      test: 'any_of',
      matchers,
    }),
  ),
  contains: nested('contains', 'A list with an item that matches; text with this in it.', [
    'text',
    'list',
  ]),
  each: nested('each', 'A list whose items all match.', ['list']),
  unique: row(
    'A list whose items all differ in this field.',
    literalText('the name of a field'),
    ({ value }) => ({ test: 'unique', field: value }),
    ['list'],
  ),
  absent: flag('absent', 'Missing, or null.'),
  present: flag('present', 'Neither missing nor null.'),
  not: nested('not', 'A value that does not match.'),
  exactly: compared('exactly', 'The same JSON: no more fields, each in the same notation.'),
};
export const testNames = Object.keys(testShapes) as TestName[];

const isTestName = (key: string): key is TestName => Object.hasOwn(testShapes, key);
const isTest = (key: string): boolean => key === 'within' || isTestName(key);

export const matcherShape: Shape<Matcher> = {
  read(node, reader) {
    const at = reader.location(node.place);
    if (node.kind === 'scalar') return { kind: 'equals', at, value: argOf(node, reader) };
    if (node.kind === 'list') {
      const items = allRead(node.items.map((item) => matcherShape.read(item, reader)));
      return items && { kind: 'items', at, items };
    }
    if (node.entries.length === 0) {
      return reader.wrong(node, 'what must hold, or leave it out');
    }
    const tests = node.entries.filter((entry) => isTest(entry.key));
    if (tests.length === 0) return readObject(node.entries, at, reader);
    const stray = node.entries.find((entry) => !isTest(entry.key));
    if (!stray) return readTests(node.entries, at, reader);
    const known = [...testNames, 'within'];
    reader.unknownKey(stray.key, stray.keyPlace, 'a mapping of tests', known);
    return undefined;
  },
  schema: {},
};

function readObject(
  entries: readonly YamlEntry[],
  at: SourceLocation,
  reader: Reader,
): Matcher | undefined {
  const fields = allRead(
    entries.map(({ key, keyPlace, value: written }) => {
      const value = matcherShape.read(written, reader);
      return value && { key, at: reader.location(keyPlace), value };
    }),
  );
  return fields && { kind: 'object', at, fields };
}

function readTests(
  entries: readonly YamlEntry[],
  at: SourceLocation,
  reader: Reader,
): Matcher | undefined {
  const within = entries.find((entry) => entry.key === 'within');
  const tolerance = within && argOf(within.value, reader);
  const tests: Test[] = [];
  let sound = true;
  for (const { key, keyPlace, value } of entries) {
    if (!isTestName(key)) continue;
    const read = testShapes[key].read(value, reader);
    if (!read) sound = false;
    else tests.push({ ...read, at: reader.location(keyPlace) });
  }
  if (!within) return sound ? { kind: 'tests', at, tests } : undefined;
  const index = tests.findIndex(({ test }) => test === 'decimal' || test === 'moment');
  const test = tests[index];
  if (!test) {
    return reader.add(within.keyPlace, '"within" with nothing to be within of', {
      expected: 'beside "decimal" or "moment"',
    });
  }
  tests[index] = { ...test, within: tolerance } as Test;
  return sound ? { kind: 'tests', at, tests } : undefined;
}
