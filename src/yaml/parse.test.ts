import { describe, expect, it } from 'vitest';
import { didYouMean } from './did-you-mean.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { parseYaml } from './parse.ts';
import { renderSourceError, renderSourceErrors } from './source-error.ts';
import { plain } from './tree.ts';

const parse = (text: string) => parseYaml({ file: 'a.yaml', text });
const errorsOf = (text: string) => {
  const parsed = parse(text);
  return parsed.ok ? [] : parsed.errors.map((one) => `${one.line}:${one.col} ${one.message}`);
};

describe('parseYaml', () => {
  it('remembers where each piece stands, and how it was written', () => {
    const parsed = parse('rate: 1.10\nlist:\n  - { a: "1" }\n');
    if (!parsed.ok || parsed.tree.kind !== 'map') throw new Error('not parsed');
    const rate = parsed.tree.entries.find(({ key }) => key === 'rate');
    expect(rate?.keyPlace).toEqual({ line: 1, col: 1, width: 4 });
    expect(rate?.value).toMatchObject({
      value: 1.1,
      written: '1.10',
      quoted: false,
      place: { line: 1, col: 7, width: 4 },
    });
    expect(plain(parsed.tree)).toEqual({ rate: 1.1, list: [{ a: '1' }] });
  });

  it('says where syntax breaks, and nothing that only follows from it', () => {
    const unquoted = 'b: 1\na: { x: ${now() + 5s}, y: [1] }\nc: { d: 1 }\n';
    expect(errorsOf(unquoted)).toEqual(['2:10 unexpected flow-map-start at node end']);
    expect(errorsOf('a: 1\na: 2\nb: c: d\n')).toEqual([
      '2:1 this key stands here twice',
      '3:4 a text with ": " in it needs quotes',
    ]);
    expect(errorsOf('- a: x\n   b: y\n')).toEqual(['1:6 wrong indentation below this']);

    expect(errorsOf('a: 1\nb: 2\na: 3\n')).toEqual(['3:1 this key stands here twice']);
    expect(errorsOf('a: [1, 2\n')[0]).toMatch(/^\d:\d+ /);
    expect(errorsOf('')).toEqual(['1:1 the file is empty']);
    expect(errorsOf('a: 1\n---\nb: 2\n')).toEqual(['2:1 a second document']);
    expect(errorsOf('a: *nobody\n').join()).toContain('nobody');
    expect(errorsOf('? [a, b]\n: 1\n')).toEqual(['1:3 a key must be a plain word']);
  });

  it('follows aliases, within bounds', () => {
    const parsed = parse('base: &b { x: 1 }\ncopy: *b\n');
    expect(parsed.ok && plain(parsed.tree)).toEqual({ base: { x: 1 }, copy: { x: 1 } });
    const levels = Array.from({ length: 12 }, (_, n) =>
      n === 0
        ? 'l0: &l0 [x, x]'
        : `l${n}: &l${n} [${Array(9)
            .fill(`*l${n - 1}`)
            .join(', ')}]`,
    );
    expect(errorsOf(levels.join('\n')).join()).toContain('grows too large through its aliases');
    expect(errorsOf('a: &a [*a]\n').join()).toMatch(/aliases|alias/);
  });

  it('refuses what is nested too deep or too large without falling over', () => {
    expect(errorsOf('['.repeat(10_000)).join()).toContain('nested more than 64 levels');
    expect(errorsOf(`${'- '.repeat(5_000)}x`).join()).toContain('nested more than 64 levels');
    expect(errorsOf('x'.repeat(1_000_001)).join()).toContain('larger than 1000000 characters');
  });

  it('keeps a key named __proto__ an ordinary key', () => {
    const parsed = parse('__proto__: { polluted: 1 }\n');
    const data = parsed.ok ? plain(parsed.tree) : undefined;
    expect(Object.keys(data as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('renderSourceError', () => {
  it('shows the line with a caret under the place', () => {
    const text = 'name: x\r\nroles:\r\n  sender: { roll: institution }\r\n';
    const error = { file: 'a.yaml', line: 3, col: 13, width: 4, message: 'unknown key "roll"' };
    expect(renderSourceError({ ...error, hint: 'did you mean "role"?' }, text)).toBe(
      [
        'a.yaml:3:13: unknown key "roll"',
        '  |',
        '3 |   sender: { roll: institution }',
        '  |             ^^^^',
        '  hint: did you mean "role"?',
      ].join('\n'),
    );
  });

  it('cuts a long line around the caret and shows no control characters', () => {
    const text = `${'a'.repeat(500)}\u001b[31mX${'b'.repeat(500)}`;
    const shown = renderSourceError(
      { file: 'a', line: 1, col: 506, message: 'found X', width: 1 },
      text,
    ).split('\n');
    expect(shown[2]).not.toContain('\u001b');
    expect((shown[2] ?? '').length).toBeLessThan(130);
    expect((shown[2] ?? '')[(shown[3] ?? '').indexOf('^')]).toBe('X');
  });

  it('orders errors by their place', () => {
    const at = (line: number) => ({ file: 'a', line, col: 1, message: `m${line}` });
    expect(renderSourceErrors([at(2), at(1)], undefined)).toBe('a:1:1: m1\n\na:2:1: m2');
  });
});

describe('didYouMean', () => {
  it('finds the near word and no far one', () => {
    expect(didYouMean('roll', ['role', 'base_url'])).toBe('role');
    expect(didYouMean('baseUrl', ['role', 'base_url'])).toBe('base_url');
    expect(didYouMean('particpants', ['participants', 'name'])).toBe('participants');
    expect(didYouMean('zzz', ['role', 'base_url'])).toBeUndefined();
    expect(didYouMean('x'.repeat(10_000), ['role'])).toBeUndefined();
  });
});

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['0s', 0],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '90', 's', '-5s', '5 s', '30m1h', '1e3s', '999999999d', '5S'])(
    '%j is none',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it.each([0, 1, 999, 4_500, 60_000, 90_000, 5_400_000, 3_600_000])('%d ms comes back', (ms) => {
    expect(parseDuration(formatDuration(ms))).toBe(ms);
  });
});
