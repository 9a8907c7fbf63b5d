import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBody } from './json-body.ts';
import { anyCharacter } from '../../../../test/support/any-character.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const codeOf = (text: string): string => {
  const parsed = parseBody(bytes(text));
  return parsed.ok ? 'ok' : parsed.problem.code;
};

describe('parseBody', () => {
  it('reads every JSON object that JSON.parse reads, to the same value', () => {
    const key = fc
      .string({ unit: anyCharacter, maxLength: 8 })
      .filter((name) => name !== '__proto__');
    const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(object, fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        // A nested value may hold the forbidden key; that is another case.
        fc.pre(!text.includes('__proto__'));
        expect(parseBody(bytes(text))).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('answers for any bytes at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (any) => {
        const parsed = parseBody(Buffer.from(any));
        expect(parsed.ok ? typeof parsed.value : parsed.problem.detail).not.toBe('');
      }),
    );
  });

  it.each([
    ['', 'not_json'],
    ['  \n', 'not_json'],
    ['{', 'not_json'],
    ['{"a":1,}', 'not_json'],
    ['\ufeff{}', 'not_json'],
    ['{} {}', 'not_json'],
    ["{'a':1}", 'not_json'],
    ['{"a":NaN}', 'not_json'],
    ['"text"', 'malformed_body'],
    ['12', 'malformed_body'],
    ['null', 'malformed_body'],
    ['[{}]', 'malformed_body'],
    ['{"a":1,"a":2}', 'duplicate_key'],
    ['{"a":1,"\\u0061":2}', 'duplicate_key'],
    ['{"a":[{"b":1, "b" : 2}]}', 'duplicate_key'],
    ['{"__proto__":{}}', 'unsafe_key'],
    ['{"a":{"\\u005f_proto__":1}}', 'unsafe_key'],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'too_deep'],
    [`${'{"a":'.repeat(10_000)}`, 'too_deep'],
    ['{"a":"x:y","b":["a","b"],"c":{"a":":"}}', 'ok'],
    ['{"a":"\\"","b":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}', 'ok'],
  ])('%j is %s', (text, code) => {
    expect(codeOf(text.slice(0, 60_000))).toBe(code);
  });

  it('refuses bytes that are no UTF-8', () => {
    const parsed = parseBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect(parsed).toMatchObject({ ok: false, problem: { code: 'not_json' } });
  });
});
