import { afterAll, describe, expect, it } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { checkInShards } from '../../src/cli/shards.ts';
import type { RunReport } from '../../src/report/index.ts';
import { isBuilt, read, run, workDirectory } from './run.ts';

const work = workDirectory();
afterAll(work.remove);

const still = { onStage: () => {}, onProgress: () => {}, date: () => '', wallMs: () => 0 };

/** All but the host's times. */
const lasting = ({ run: { seed, target_ms }, ...report }: RunReport) => ({
  ...report,
  run: { seed, target_ms },
});

/** Sources that run as they are have no other thread: the worlds come one after the other then. */
describe('the embedded reference in two worlds', () => {
  it.runIf(isBuilt)(
    'comes to the same side by side as one after the other',
    async () => {
      const { code } = await run(['check', '--out', 'beside'], work.path);
      const after = await checkInShards({ seed: 1n }, undefined, still);
      const beside = JSON.parse(read(work.path, 'beside', 'report.json')) as RunReport;
      const ofBundle = {
        ...beside,
        suite: { ...beside.suite, version: after.report.suite.version },
      };
      expect(code).toBe(0);
      expect(lasting(ofBundle)).toEqual(lasting(JSON.parse(JSON.stringify(after.report))));
      expect(read(work.path, 'beside', 'history.jsonl') === [...after.history].join('')).toBe(true);
    },
    120_000,
  );

  it('runs every check once, and shows each finding with records that have ids of their own', async () => {
    const mutation = 'sender-shown-to-those-who-quoted';
    const { report, history, shown } = await checkInShards(
      { seed: 2n, mutation },
      undefined,
      still,
    );
    expect(report.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
    const lines = [...history].join('').trimEnd().split('\n');
    const ids = lines.flatMap((line) => (JSON.parse(line) as { readonly id?: string }).id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const failures = [...report.checks, ...report.rules].flatMap((judge) => judge.failures);
    const named = new Set(failures.flatMap(({ exchanges }) => exchanges));
    expect([...named].some((id) => id.startsWith('world 2 '))).toBe(true);
    const known = new Set(shown.records.flatMap((one) => (one.kind === 'end' ? [] : [one.id])));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
  }, 120_000);
});
