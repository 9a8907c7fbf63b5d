import { beforeAll, describe, expect, it } from 'vitest';
import type { Tamper } from '../reference/http/index.ts';
import { formatSeed } from '../random/seed.ts';
import { drawPlan } from './draw/draw-plan.ts';
import type { Inside } from './run-plan.ts';
import type { PlannedStep } from './plan.ts';
import { runPlan } from './run-plan.ts';
import { playAndJudge, playSeed, runsTwice } from './run-world.ts';
import { situations } from './catalogue.ts';
import { hashOf } from './world-hash.ts';

const process = { depth: 'process' } as const;
/** More of them in run-world.long.test.ts. */
const seeds = Array.from({ length: 5 }, (_, index) => formatSeed(BigInt(100 + index)));

/** One after the other: what a world holds is let go before the next. */
async function all<T>(of: readonly string[], play: (seed: string) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const seed of of) done.push(await play(seed));
  return done;
}

describe('a world', () => {
  let worlds: Awaited<ReturnType<typeof playSeed>>[];
  beforeAll(async () => {
    worlds = await all(seeds, (seed) => playSeed(seed, process));
  });

  it('is the same however often it is run, also from its plan as text', async () => {
    const plan = JSON.parse(JSON.stringify(drawPlan(seeds[0] ?? '')));
    const again = await playAndJudge(plan, process);
    expect(again.outcome).toEqual(worlds[0]?.outcome);
    expect(again.outcome.hash).toBe(hashOf(again.run.history.records).hash);
  });

  it('finds nothing wrong with the sound reference, and most of its steps take effect', () => {
    expect(worlds.flatMap(({ outcome }) => outcome.findings)).toEqual([]);
    const sum = (of: (world: (typeof worlds)[number]) => number): number =>
      worlds.reduce((total, world) => total + of(world), 0);
    expect(sum(({ outcome }) => outcome.effective)).toBeGreaterThan(
      0.6 * sum(({ outcome }) => outcome.steps),
    );
    const reached = new Set(worlds.flatMap(({ outcome }) => Object.keys(outcome.reached)));
    for (const name of reached) expect(situations).toContain(name);
    expect(reached).toContain('end: SETTLED');
  });

  it('names the step of each exchange', () => {
    const [{ run }] = worlds as [(typeof worlds)[number]];
    const creators = run.history.records.flatMap((record) => {
      if (record.kind !== 'exchange' || record.endpoint !== 'order.create') return [];
      const step = run.plan.steps[run.stepOf(record.id) ?? -1];
      return [step && 'do' in step ? step.do : 'no step'];
    });
    expect(creators).toContain('create');
    expect(creators.filter((what) => what !== 'create' && what !== 'repeat')).toEqual([]);
  });

  it('also waits for the end of orders on the second page of a list', async () => {
    const drawn = drawPlan(seeds[0] ?? '', { faults: [] });
    const create = drawn.steps.find((step) => 'do' in step && step.do === 'create');
    const steps = Array.from({ length: 11 }, (_, n) => {
      const at = { afterMs: n === 10 ? 20_000 : 0 };
      return { ...create, label: `order ${n + 1}`, at } as PlannedStep;
    });
    const assignment = { 'list.max_page_size': '10', 'list.order': 'oldest-first' } as const;
    const { run, outcome } = await playAndJudge({ ...drawn, steps, assignment }, process);
    expect(run.effects.filter(({ took }) => took)).toHaveLength(11);
    expect(outcome.findings).toEqual([]);
  });

  it('can be observed from the inside whenever no call is in flight', async () => {
    const seen: Pick<Inside, 'phase' | 'now' | 'step'>[] = [];
    const plan = drawPlan(seeds[1] ?? '');
    const run = await runPlan(plan, {
      observe: ({ phase, now, step }) => seen.push({ phase, now, step }),
    });
    expect(seen[0]?.phase).toBe('opening');
    expect(seen.slice(-2).map(({ phase }) => phase)).toEqual(['aftermath', 'end']);
    expect(seen.map(({ now }) => now)).toEqual(
      seen.map(({ now }) => now).toSorted((a, b) => a - b),
    );
    expect(seen.at(-1)?.now).toBe(run.endMs);
  });

  it('shows a defect under one name in every world that has it', async () => {
    const tamperOf = (): Tamper => ({
      event: (event) => (event.event === 'order_updated' ? [] : [event]),
    });
    const options = { ...process, mutation: 'tells nobody of a changed order' };
    const broken = await all(seeds, (seed) =>
      playSeed(seed, { ...options, faults: [] }, { tamperOf }),
    );
    const found = broken.map(({ outcome }) => outcome.findings.map(({ cause }) => cause));
    const telling = found.filter((causes) =>
      causes.some((cause) => cause.startsWith('order_updated:')),
    );
    expect(telling.length).toBeGreaterThan(1);
    expect(found.flat().join('\n')).not.toMatch(/\d/);
  });

  it('is run twice for one seed in twenty', () => {
    const twice = Array.from({ length: 400 }, (_, index) => formatSeed(BigInt(index))).filter(
      runsTwice,
    );
    expect(twice).toHaveLength(20);
  });
});
