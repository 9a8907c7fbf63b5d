import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadOwnSuite, readOwnSuite, type SuiteReading } from './own-suite.ts';

const check = {
  id: 'acme.one',
  title: 'One holds.',
  requirements: [],
  needs: { parties: ['sender'] },
  run: () => Promise.resolve(),
};
const rule = { id: 'acme.two', title: 'Two.', requirements: ['order.memo.echo'], judge: () => [] };
const taken = () => new Map([['order.flow', 'the suite']]);

const said = (reading: SuiteReading): readonly string[] =>
  reading.ok ? [] : reading.problems.map(({ what, next }) => `${what} -> ${next}`);

const look = (checks: unknown, rules: unknown = []) =>
  said(readOwnSuite('own.mjs', { checks, rules }, taken()));

describe('what a user wrote', () => {
  it('is taken where it is whole', () => {
    expect(readOwnSuite('own.mjs', { checks: [check], rules: [rule] }, taken())).toEqual({
      ok: true,
      suite: { checks: [check], rules: [rule] },
    });
  });

  it.each([
    ['no list', { one: check }, /checks is no list -> write `export const checks/],
    ['no check', [3], /checks\[0\] is 3 -> make it with defineCheck/],
    ['nothing at all', [], /its checks and rules are empty/],
    ['an id of other signs', [{ ...check, id: 'a b' }], /checks\[0\]\.id is "a b" -> .*letters/],
    ['an id of the suite', [{ ...check, id: 'order.flow' }], /"order.flow", which the suite has/],
    ['an id twice', [check, check], /checks\[1\]\.id is "acme.one", which own\.mjs has already/],
    ['an id of the engine', [{ ...check, id: 'party.sender' }], /which the suite keeps/],
    ['no title', [{ ...check, title: ' ' }], /checks\[0\]\.title is missing/],
    ['no requirements', [{ ...check, requirements: undefined }], /requirements is undefined/],
    [
      'an unknown requirement',
      [{ ...check, requirements: ['order.memo.ecko'] }],
      /has "order\.memo\.ecko", which is none of the requirements -> did you mean "order\.memo\.echo"/,
    ],
    ['an own requirement', [{ ...check, requirements: ['x-fast'] }], /-> ids: assay spec requ/],
    ['nobody', [{ ...check, needs: undefined }], /needs is undefined -> say who takes part/],
    [
      'a stranger',
      [{ ...check, needs: { parties: ['you'] } }],
      /parties has "you", .* one of send/,
    ],
    ['a negative wait', [{ ...check, needs: { parties: [], waitMs: -1 } }], /waitMs is -1/],
    ['nothing to do', [{ ...check, run: 1 }], /checks\[0\]\.run is no function/],
  ])('is refused: %s', (_, checks, message) => {
    expect(look(checks)).toEqual([expect.stringMatching(message)]);
  });

  it('is refused where a rule judges nothing', () => {
    expect(look([], [{ ...rule, requirements: [] }])).toEqual([
      expect.stringMatching(/rules\[0\]\.requirements is empty/),
    ]);
  });
});

describe('a file of checks and rules', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-own-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = async (name: string, text: string | undefined) => {
    const path = join(folder, name);
    if (text !== undefined) writeFileSync(path, text);
    return loadOwnSuite(name, path, taken());
  };
  const whole = `{ id: 'acme.file', title: 'T.', requirements: [], needs: { parties: [] }, run() {} }`;

  it.each([
    ['by name', 'name.mjs', `export const checks = [${whole}];`],
    ['in the default export', 'default.mjs', `export default { checks: [${whole}] };`],
  ])('is loaded %s', async (_, name, text) => {
    expect(await load(name, text)).toMatchObject({
      ok: true,
      suite: { checks: [{ id: 'acme.file' }], rules: [] },
    });
  });

  it.each([
    ['there is none', 'none.mjs', undefined, /none\.mjs: there is no such file -> check the path/],
    ['it exports nothing', 'empty.mjs', 'export const x = 1;', /exports neither checks nor rules/],
    [
      'it throws',
      'throws.mjs',
      "throw new TypeError('oh');",
      /does not load: TypeError: oh -> run/,
    ],
  ])('is refused where %s', async (_, name, text, message) => {
    expect(said(await load(name, text))).toEqual([expect.stringMatching(message)]);
  });
});
