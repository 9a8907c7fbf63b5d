import { createSecrets } from '../../src/history/secrets/secrets.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playEmbedded } from '../../src/run/play-embedded.ts';
import type { PlayedScenario } from '../../src/run/play-run.ts';
import { writeHistory } from '../../src/history/jsonl.ts';
import type { Scenario } from '../../src/scenario/language/load.ts';
import { root } from '../architecture/source.ts';
import { isLoad, loaded, played } from './play-library.ts';

const judged = (scenarios: readonly Scenario[], seed: bigint): Promise<readonly PlayedScenario[]> =>
  playEmbedded(scenarios, { seed, keepsRecords: true, onPlayed: () => undefined });

const historyOf = (some: readonly PlayedScenario[]): string =>
  some.map(({ records }) => writeHistory(records, createSecrets())).join('\n');

describe('the library of scenarios', () => {
  const all = loaded('scenarios');

  it('holds at least 40 files, and none of those that must fail', () => {
    const files = new Set(all.map(({ draft }) => draft.file));
    expect(files.size).toBeGreaterThanOrEqual(40);
    expect([...files].filter((file) => file.includes('failing'))).toEqual([]);
  });

  it('names a schema for editors in every file', () => {
    const without = readdirSync(join(root, 'scenarios'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml') && !name.startsWith('failing'))
      .filter(
        (name) =>
          !/^# yaml-language-server: \$schema=\S+scenario\.schema\.json\n/.test(
            readFileSync(join(root, 'scenarios', name), 'utf8'),
          ),
      );
    expect(without).toEqual([]);
  });

  // All of them in library.long.test.ts.
  it('passes on the embedded reference, over more than two days of its time, and no rule objects', async () => {
    const quick = all.filter((one) => !isLoad(one));
    const some = quick.filter(
      ({ draft: { file } }, place) => place % 4 === 0 || file.endsWith('/two-days-later.yaml'),
    );
    const { bad, targetMs } = await played(some);
    expect(some.length).toBeGreaterThan(10);
    expect(bad).toEqual([]);
    expect(targetMs).toBeGreaterThan(2 * 24 * 3_600_000);
  });
});

describe('a seed', () => {
  const races = loaded('scenarios/makers', 'scenarios/happy/two-orders-one-maker.yaml');

  it('gives the same history each time', async () => {
    expect(historyOf(await judged(races, 7n))).toBe(historyOf(await judged(races, 7n)));
  });

  it('of another number draws another order, and says which', async () => {
    const drawn = new Set<string>();
    const three = loaded('scenarios/makers/three-makers.yaml');
    for (let seed = 1n; seed <= 6n; seed += 1n) {
      const [one] = await judged(three, seed);
      drawn.add(one?.played.drawn.join() ?? '');
    }
    expect(drawn.size).toBeGreaterThan(2);
    for (const one of drawn) expect(one).toMatch(/^line \d+: [123], [123], [123]$/);
  });
});
