import { describe, expect, it } from 'vitest';
import { random } from '../../random/random.ts';
import { matcherShape } from '../language/matchers.ts';
import { listOf, resourceType, type Type, unknown } from '../language/types.ts';
import type { EvalContext } from './evaluate.ts';
import { mismatches } from './match.ts';
import { fromJson } from './values.ts';
import { parseYaml, Reader } from '../../yaml/index.ts';

const evalContext: EvalContext = {
  now: () => Date.parse('2030-01-01T00:00:00.000Z'),
  party: () => {
    throw new Error('nobody acts here');
  },
  holdings: () => undefined,
  spend: () => undefined,
  draw: () => random(1n, 'match'),
};

/** Mismatches between a matcher and a value, each as `path: expected, not actual`. */
function wrong(yaml: string, json: unknown, type: Type = unknown): string[] {
  const parsed = parseYaml({ file: 'm.yaml', text: yaml });
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message);
  const matcher = matcherShape.read(parsed.tree, new Reader('m.yaml'));
  if (!matcher) throw new Error('no matcher');
  return mismatches(matcher, fromJson(json, type), { env: new Map(), evalContext }).map(
    ({ path, expected, actual }) => `${path}: ${expected}, not ${actual}`,
  );
}

const order = resourceType('order');

describe('matching', () => {
  it('compares amounts as numbers and never as floats', () => {
    expect(wrong('{ target_amount: "1.10" }', { target_amount: '1.1' }, order)).toEqual([]);
    const far = { target_amount: '9007199254740993.0000000001' };
    expect(wrong('{ target_amount: "9007199254740993.0000000001" }', far, order)).toEqual([]);
    expect(wrong('{ target_amount: "9007199254740993.0000000002" }', far, order)).toHaveLength(1);
    expect(wrong('{ target_amount: "1.10" }', { target_amount: 1.1 }, order)).toHaveLength(1);
    expect(
      wrong('{ target_amount: { exactly: "1.10" } }', { target_amount: '1.1' }, order),
    ).toHaveLength(1);
  });

  it('allows a stated tolerance, its edge included', () => {
    const near = '{ target_amount: { decimal: "0.3", within: "0.1" } }';
    expect(wrong(near, { target_amount: '0.4' }, order)).toEqual([]);
    expect(wrong(near, { target_amount: '0.2' }, order)).toEqual([]);
    expect(wrong(near, { target_amount: '0.4000000000000000000001' }, order)).toHaveLength(1);
  });

  it('compares moments as moments', () => {
    const seen = { expires_at: '2030-01-01T00:00:10.000+00:00' };
    expect(wrong('{ expires_at: "2030-01-01T00:00:10.000Z" }', seen, order)).toEqual([]);
    expect(wrong('{ expires_at: { moment: "${now() + 9s}", within: 1s } }', seen, order)).toEqual(
      [],
    );
    expect(
      wrong('{ expires_at: { moment: "${now() + 9s}", within: 999ms } }', seen, order),
    ).toHaveLength(1);
    expect(
      wrong('{ expires_at: { above: "${now()}", at_most: "${now() + 10s}" } }', seen, order),
    ).toEqual([]);
  });

  it('holds absent to be missing or null', () => {
    expect(wrong('{ quote_id: { absent: true } }', {}, order)).toEqual([]);
    expect(wrong('{ quote_id: { absent: true } }', { quote_id: null }, order)).toEqual([]);
    expect(wrong('{ quote_id: { absent: true } }', { quote_id: '' }, order)).toEqual([
      'quote_id: nothing, not ""',
    ]);
    expect(wrong('{ quote_id: { present: true } }', { quote_id: null }, order)).toHaveLength(1);
    expect(wrong('{ quote_id: { not: { absent: true } } }', { quote_id: 'x' }, order)).toEqual([]);
  });

  it('lists every mismatch with its path', () => {
    const json = [{ status: 'PENDING' }, { status: 'QUOTED', memo: 'abc' }];
    expect(
      wrong(
        '[{ status: QUOTED }, { status: QUOTED, memo: { length: 2, matches: "^x" } }]',
        json,
        listOf(order),
      ),
    ).toEqual([
      '[0].status: "QUOTED", not "PENDING"',
      '[1].memo.length: 2, not 3',
      '[1].memo: a match of /^x/, not "abc"',
    ]);
  });

  it('looks into lists and texts', () => {
    const list = [{ n: 1 }, { n: 2 }];
    expect(wrong('{ contains: { n: 2 } }', list)).toEqual([]);
    expect(wrong('{ contains: { n: 3 } }', list)).toEqual([
      ': something in it that has n: 3, not [{"n":1},{"n":2}]',
    ]);
    expect(wrong('{ each: { n: { at_least: 1 } } }', list)).toEqual([]);
    expect(wrong('{ each: { n: { at_least: 2 } } }', list)).toEqual(['[0].n: at least 2, not 1']);
    expect(wrong('{ length: { at_least: 1, below: 3 } }', list)).toEqual([]);
    expect(wrong('{ contains: lo w }', 'hello world')).toEqual([]);
    expect(wrong('{ one_of: [a, b] }', 'c')).toEqual([': one of "a", "b", not "c"']);
    expect(wrong('{ format: uuid }', 'c')).toEqual([': the form of uuid, not "c"']);
  });

  it('never matches a missing value', () => {
    for (const yaml of [
      '{ above: "0" }',
      '{ at_most: "5" }',
      '{ decimal: "0" }',
      '{ matches: x }',
      '{ length: 0 }',
      '{ each: { a: 1 } }',
      '{ contains: x }',
      '{ format: text }',
    ]) {
      expect({ yaml, wrong: wrong(yaml, undefined).length }).toEqual({ yaml, wrong: 1 });
    }
  });

  it('keeps tokens out of what it shows', () => {
    expect(wrong('{ absent: true }', { token: 'eyJhbGciOi' })).toEqual([
      ': nothing, not {"token":"$TOKEN"}',
    ]);
  });

  it('takes any of several ways to match', () => {
    const either = '{ any_of: [{ status: 404 }, { body: { memo: { absent: true } } }] }';
    expect(wrong(either, { status: 404, body: { memo: 'x' } })).toEqual([]);
    expect(wrong(either, { status: 200, body: {} })).toEqual([]);
    expect(wrong(either, { status: 200, body: { memo: 'x' } })).toEqual([
      ': a value that has status: 404, or has body: ..., not {"status":200,"body":{"memo":"x"}}',
    ]);
  });

  it('names the fields that differ in two objects, and no others', () => {
    const expected = '{ exactly: { a: "1", b: { c: [1, 2] }, d: x } }';
    expect(wrong(expected, { a: '1', b: { c: [1, 3] }, e: null })).toEqual([
      'b.c[1]: exactly 2, not 3',
      'd: exactly "x", not nothing',
      'e: exactly nothing, not null',
    ]);
    expect(wrong(expected, ['1'])).toEqual([
      ': exactly {"a":"1","b":{"c":[1,2]},"d":"x"}, not ["1"]',
    ]);
  });

  it('names the nearest item of a long list', () => {
    const list = ['a', 'b'].map((id) => ({ id, status: 'PENDING', memo: id.repeat(200) }));
    expect(wrong('{ contains: { id: b, status: QUOTED } }', list)).toEqual([
      ': something in it that has id: b, status: QUOTED, not 2 items, none that matches; the nearest one: status is "PENDING"',
    ]);
    expect(wrong('{ contains: { id: c } }', list)).toEqual([
      ': something in it that has id: c, not 2 items, none that matches',
    ]);
  });

  it('names what keeps a long value from the nearest of several ways to match', () => {
    const either = '{ any_of: [{ a: 1, b: { c: 2 } }, { a: 3, b: { c: 4 } }] }';
    expect(wrong(either, { a: 1, b: { c: 5 }, memo: 'x'.repeat(200) })).toEqual([
      ': a value that has a: 1, b: ..., or has a: 3, b: ..., not none; the nearest one: b.c is 5',
    ]);
  });

  it('finds repeated items of a list, in any notation of their amounts', () => {
    const orders = (...amounts: readonly (string | null)[]) =>
      amounts.map((target_amount) => ({ target_amount }));
    const unique = '{ unique: target_amount }';
    expect(wrong(unique, orders('1', '2', null, null), listOf(order))).toEqual([]);
    expect(wrong(unique, orders('1.0', '2', '1'), listOf(order))).toEqual([
      ': no two items of the same target_amount, not 1 twice or more',
    ]);
    expect(wrong(unique, { data: [] })).toHaveLength(1);
  });
});
