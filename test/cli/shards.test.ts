import { afterAll, expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import type { RunReport } from '../../src/report/index.ts';
import { isBuilt, read, run, workDirectory } from './shipped-command.ts';

const work = workDirectory();
afterAll(work.remove);

const idsOf = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { readonly id?: string }).id ?? []);

// That another thread changes nothing of what comes out is looked at by .ci/run, which may keep a processor to itself.
it.runIf(isBuilt)(
  'the reference in two worlds: every check once, every record under one id',
  async () => {
    const mutation = 'sender-shown-to-those-who-quoted';
    const { code } = await run(['check', '--mutation', mutation, '--out', 'two'], work.path);
    const report = JSON.parse(read(work.path, 'two', 'report.json')) as RunReport;
    const ids = idsOf(read(work.path, 'two', 'history.jsonl'));
    expect(code).toBe(1);
    expect(report.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    const failures = [...report.checks, ...report.rules].flatMap((judge) => judge.failures);
    const named = [...new Set(failures.flatMap(({ exchanges }) => exchanges))];
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    const page = read(work.path, 'two', 'report.html');
    // As it stands beside an exchange that is shown, not where one is only named.
    expect(page).toMatch(/<\/code> <span class="soft">world 2 /);
  },
  120_000,
);
