import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../random/seed.ts';
import type { RecoveryTamper, Tamper } from '../../reference/http/index.ts';
import { drawPlan } from '../draw/draw-plan.ts';
import { runPlan } from '../run-plan.ts';
import { playAndJudge } from '../run-world.ts';
import { hashOf } from '../world-hash.ts';
import { probeRestarts, probesRestarts } from './restarts.ts';

const plan = drawPlan(formatSeed(27n));

async function rulesOf(recovery?: RecoveryTamper): Promise<ReadonlySet<string>> {
  const tamper = (): Tamper | undefined => recovery && { recovery };
  const probe = probeRestarts(plan, tamper);
  await runPlan(plan, { tamper: tamper(), journal: probe.journal, observe: probe.observe });
  return new Set(probe.findings().map(({ rule }) => rule));
}

describe('a world that is started again from its journal', () => {
  it('is what it was, and goes on the same', async () => {
    expect(await rulesOf()).toEqual(new Set());
  });

  it('plays the same with a journal as without', async () => {
    const { journal } = probeRestarts(plan, () => undefined);
    const kept = await runPlan(plan, { journal });
    const plain = await runPlan(plan);
    expect(hashOf(kept.history.records).hash).toBe(hashOf(plain.history.records).hash);
  });

  it('is found out where it forgets deadlines', async () => {
    expect(await rulesOf({ deadline: () => undefined })).toContain('restart.no-deadline-missed');
  });

  it('is found out where it tells an event twice', async () => {
    expect(await rulesOf({ event: (event) => [event, event] })).toContain('restart.events');
  });

  it('is found out where it issues identifiers twice', async () => {
    expect(await rulesOf({ sameDraws: true })).toContain('restart.identifiers');
  });

  it('is looked at for one seed in ten', async () => {
    const seeds = Array.from({ length: 100 }, (_, index) => formatSeed(BigInt(index)));
    expect(seeds.filter(probesRestarts)).toHaveLength(10);
    const options = { depth: 'process', mutation: 'forgets deadlines' } as const;
    const tamperOf = (): Tamper => ({ recovery: { deadline: () => undefined } });
    const { outcome } = await playAndJudge(plan, options, { tamperOf });
    expect(outcome.findings.map(({ rule }) => rule)).toContain('restart.no-deadline-missed');
  });
});
