import { expect } from 'vitest';
import { readHistory } from '../../src/history/jsonl.ts';
import type { RunReport } from '../../src/report/index.ts';
import { runHere } from './command-here.ts';
import { read } from './shipped-command.ts';

/** Verdicts by id, in the order of the alphabet. */
const verdictsOf = (some: readonly { readonly id: string; readonly verdict: string }[]): string[] =>
  some.map(({ id, verdict }) => `${id}: ${verdict}`).toSorted();

/** As much of a report as must not depend on how its run was split. */
const judgedIn = (report: RunReport) => ({
  outcome: report.outcome,
  requirements: verdictsOf(report.requirements),
  checks: verdictsOf(report.checks),
  rules: verdictsOf(report.rules),
  causes: (report.causes ?? []).map(({ id }) => id).toSorted(),
  counts: report.coverage?.checks,
  part: report.coverage?.part,
});

/** Runs the checks at once and in parts, merges the parts, and holds both to the same verdicts. */
export async function expectSameInShards(
  cwd: string,
  args: readonly string[],
  of: number,
  extent: 'whole' | 'part' = 'whole',
): Promise<RunReport> {
  const reportIn = (folder: string): RunReport =>
    JSON.parse(read(cwd, folder, 'report.json')) as RunReport;
  const whole = await runHere(['check', ...args, '--out', 'whole'], cwd);
  const shards = Array.from({ length: of }, (_, place) => `${place + 1}`);
  for (const shard of shards) {
    await runHere(['check', ...args, '--shard', `${shard}/${of}`, '--out', `part-${shard}`], cwd);
  }
  const files = shards.map((shard) => `part-${shard}/report.json`);
  const merged = await runHere(
    ['report', ...files, '--merge', '--format', 'json', '--out', 'merged'],
    cwd,
  );

  const [expected, found] = [reportIn('whole'), reportIn('merged')];
  const [one, other] = [judgedIn(expected), judgedIn(found)];
  if (extent === 'whole') expect(other).toEqual(one);
  else {
    const { requirements, rules, ...rest } = other;
    expect(one).toMatchObject(rest);
    // A stream of one check may exercise a requirement by an order of another, if both are in one
    // run.
    const sure = [...requirements, ...rules].filter((text) => !text.endsWith(': not_exercised'));
    const all = new Set([...one.requirements, ...one.rules]);
    // Each shard discovers the gap answers again, and may exercise other requirements by that.
    const isMore = (text: string): boolean => all.has(text.replace(/: pass$/, ': not_exercised'));
    expect(sure.filter((text) => !all.has(text) && !isMore(text))).toEqual([]);
    expect(sure.length).toBeGreaterThan(100);
  }
  expect(merged.code).toBe(whole.code);
  const parts = shards.map((shard) => reportIn(`part-${shard}`).checks.length);
  expect(parts.reduce((sum, n) => sum + n)).toBe(expected.checks.length);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThan(2);

  // Every exchange that a finding names is in the history, once.
  const history = readHistory(read(cwd, 'merged', 'history.jsonl'));
  const ids = history.ok
    ? history.records.flatMap((one) => (one.kind === 'end' ? [] : [one.id]))
    : [];
  expect(new Set(ids).size).toBe(ids.length);
  const named = [...found.checks, ...found.rules].flatMap(({ failures }) =>
    failures.flatMap(({ exchanges }) => exchanges),
  );
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  return found;
}
