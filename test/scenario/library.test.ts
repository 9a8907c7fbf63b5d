import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findScenarios, loadScenarios } from '../../src/cli/play/scenario-files.ts';
import { playEmbedded } from '../../src/run/play-embedded.ts';
import type { PlayedScenario } from '../../src/run/play-run.ts';
import { writeHistory } from '../../src/history/jsonl.ts';
import type { Scenario } from '../../src/scenario/language/load.ts';
import { root } from '../architecture/source.ts';
import { recordingTerminal } from './recording-terminal.ts';

const terminal = recordingTerminal();

function loaded(...words: string[]): readonly Scenario[] {
  const files = findScenarios(words, terminal);
  const found = files && loadScenarios(files, terminal);
  if (!found) throw new Error(terminal.text());
  return found.scenarios;
}

const played = (scenarios: readonly Scenario[], seed: bigint): Promise<readonly PlayedScenario[]> =>
  playEmbedded(scenarios, { seed, keepsRecords: true, onPlayed: () => undefined });

const historyOf = (judged: readonly PlayedScenario[]): string =>
  judged.map(({ records }) => writeHistory(records, [])).join('\n');

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

  it('passes on the embedded reference, over more than two days of its time, and no rule objects', async () => {
    const judged = await playEmbedded(all, {
      seed: 1n,
      keepsRecords: false,
      onPlayed: () => undefined,
    });
    const bad = judged.flatMap(({ played: one, rules }) => [
      ...(one.verdict === 'pass'
        ? []
        : [`${one.scenario.id}: ${one.verdict} ${one.reason ?? one.failures[0]?.message ?? ''}`]),
      ...rules.flatMap(({ id, verdict, failures }) =>
        verdict === 'fail' || verdict === 'error'
          ? [`${one.scenario.id}: rule ${id}: ${failures[0]?.message ?? verdict}`]
          : [],
      ),
    ]);
    expect(bad).toEqual([]);
    const ms = judged.reduce((sum, { played: one }) => sum + one.targetMs, 0);
    expect(ms).toBeGreaterThan(2 * 24 * 3_600_000);
  });
});

describe('a seed', () => {
  const races = loaded('scenarios/makers', 'scenarios/happy/two-orders-one-maker.yaml');

  it('gives the same history each time', async () => {
    expect(historyOf(await played(races, 7n))).toBe(historyOf(await played(races, 7n)));
  });

  it('of another number draws another order, and says which', async () => {
    const drawn = new Set<string>();
    for (let seed = 1n; seed <= 6n; seed += 1n) {
      const [judged] = await played(loaded('scenarios/makers/three-makers.yaml'), seed);
      drawn.add(judged?.played.drawn.join() ?? '');
    }
    expect(drawn.size).toBeGreaterThan(2);
    for (const one of drawn) expect(one).toMatch(/^line \d+: [123], [123], [123]$/);
  });
});
