import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { runHere } from './command-here.ts';
import { read, run } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const own = (id: string, more = '') =>
  `{ id: '${id}', title: 'Mine.', requirements: [], needs: { parties: ['sender'] }, async run() {}${more} }`;
const rule = `{ id: 'mine.rule', title: 'Wrong.', requirements: ['order.memo.echo'],
  judge: () => [{ requirement: 'order.memo.echo', outcome: 'fail', message: 'It was wrong.', evidence: [] }] }`;

const work = testDirectory();
beforeAll(() => {
  const put = (name: string, text: string) => writeFileSync(join(work, name), text);
  put('one.mjs', `export const checks = [${own('mine.one')}];`);
  put('two.mjs', `export default { checks: [${own('mine.two')}], rules: [${rule}] };`);
  put('same.mjs', `export const checks = [${own('mine.one')}];`);
  put(
    'wrong.mjs',
    `export const checks = [${own('order.state.none', ", needs: { parties: ['me'] }")}];`,
  );
});

const ran = (...args: readonly string[]) => runHere(args, work);

describe('assay check --checks', () => {
  it('runs the checks of several files, and lets their rules decide', async () => {
    const files = ['--checks', 'one.mjs', '--checks', 'two.mjs'];
    const { code, out } = await run(['check', ...files, '--only', 'mine.*', '--out', 'out'], work);
    expect(out).toContain('FAIL  order.memo.echo');
    expect(out).toContain('It was wrong. (mine.rule)');
    expect(code).toBe(1);
    const report = JSON.parse(read(work, 'out', 'report.json')) as RunReport;
    expect(report.checks.map(({ id }) => id)).toEqual(['mine.one', 'mine.two']);
  });

  it('plans and replays them', async () => {
    const planned = await ran('check', '--checks', 'one.mjs', '--only', 'mine.one', '--dry-run');
    expect(planned.out).toContain('1 of 1 checks would run');
    const { code } = await ran('replay', 'mine.one', '--checks', 'one.mjs', '--out', 'out');
    expect(code).toBe(0);
  });

  it.each([
    ['none.mjs', /--checks none\.mjs: there is no such file\n {2}next: check the path/],
    ['wrong.mjs', /wrong\.mjs: checks\[0\]\.needs\.parties has "me".*\n {2}next: /],
  ])('refuses %s', async (file, message) => {
    const { code, err } = await ran('check', '--checks', file);
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it('refuses an id that two files have', async () => {
    const { code, err } = await ran('check', '--checks', 'one.mjs', '--checks', 'same.mjs');
    expect(err).toMatch(/same\.mjs: checks\[0\]\.id is "mine\.one", which one\.mjs has already/);
    expect(code).toBe(2);
  });
});

const scenario = `scenario: One order
parties: [sender]
steps:
  - sender: create order
    expect: { status: PENDING }
`;

describe("rules of one's own", () => {
  it('judge what a play did, and a recording', async () => {
    writeFileSync(join(work, 'one.yaml'), scenario);
    const played = await ran('play', 'one.yaml', '--checks', 'two.mjs', '--out', 'played');
    expect(played.out).toContain('It was wrong.');
    expect(played.code).toBe(1);
    const audited = await ran('audit', 'played/history.jsonl', '--checks', 'two.mjs');
    expect(audited.out).toContain('It was wrong. (mine.rule)');
    expect(audited.code).toBe(1);
  });

  it('judge worlds, and are named in what plays one again', async () => {
    const words = ['simulate', '--seeds', '2', '--checks', 'two.mjs', '--no-shrink'];
    const found = await run(words, work);
    expect(found.out).toContain('mine.rule');
    expect(found.out).toMatch(/next: assay simulate --seed 0x\w+ --checks .*two\.mjs/);
    expect(found.code).toBe(1);
    const refused = await ran('simulate', '--checks', 'two.mjs', '--depth', 'core');
    expect(refused.err).toContain('--checks and --depth core do not go together');
    expect(refused.code).toBe(2);
  });
});
