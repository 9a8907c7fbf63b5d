import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../random/seed.ts';
import type { RecoveryTamper, Tamper } from '../../reference/http/index.ts';
import { drawPlan } from '../draw/draw-plan.ts';
import type { FaultStep, Plan } from '../plan.ts';
import type { Restart } from '../play/target-lives.ts';
import { runPlan } from '../run-plan.ts';
import { playAndJudge } from '../run-world.ts';
import { situationsOf } from '../situations.ts';
import { viewOfRun } from '../judge-run.ts';
import { hashOf } from '../world-hash.ts';
import { watchRestarts } from './restarts.ts';

const calm = drawPlan(formatSeed(8n), { faults: [], steps: 10 });
const at = { afterMs: 0 } as const;

/** The world with a fault between any two of its steps. */
const struckBy = (...faults: readonly FaultStep[]): Plan => ({
  ...calm,
  steps: calm.steps.flatMap((step, index) => [
    step,
    ...faults.slice(index % faults.length).slice(0, 1),
  ]),
});

const always = struckBy({ at, fault: 'restart', ms: 0 });

async function rulesOf(recovery: RecoveryTamper): Promise<ReadonlySet<string>> {
  const options = { depth: 'process', mutation: 'a broken recovery' } as const;
  const tamperOf = (): Tamper => ({ recovery });
  const { outcome } = await playAndJudge(always, options, { tamperOf });
  return new Set(outcome.findings.map(({ rule }) => rule));
}

describe('a world that is started again from its journal', () => {
  it('is what it was, whether nothing was under way or a write was cut short', async () => {
    const seen: Restart['killed'][] = [];
    const { restarted, findings } = watchRestarts();
    const plan = struckBy(
      { at, fault: 'restart', ms: 0 },
      { at, fault: 'restart', ms: 40, tornBytes: 0 },
      { at, fault: 'restart', ms: 0, tornBytes: 1 },
    );
    const run = await runPlan(plan, {
      restarted(restart) {
        seen.push(restart.killed);
        restarted(restart);
      },
    });
    expect(new Set(seen)).toEqual(new Set(['at rest', 'write kept', 'write torn']));
    expect(run.restarts).toHaveLength(seen.length - 1);
    expect(findings()).toEqual([]);
  });

  it('shows nothing wrong to anybody, also where its disk is full', async () => {
    const plan = struckBy({ at, fault: 'restart', ms: 0 }, { at, fault: 'disk full', ms: 400 });
    const { run, outcome } = await playAndJudge(plan, { depth: 'process' });
    expect(outcome.findings).toEqual([]);
    expect(situationsOf(run, viewOfRun(run))).toMatchObject({
      'restart: at rest': expect.any(Number),
      'disk full: something refused': expect.any(Number),
    });
  });

  it('begins once where room comes back in the moment in which it is to begin', async () => {
    const together = [
      { at: { afterMs: 3_000 }, fault: 'restart', ms: 40 },
      { at, fault: 'disk full', ms: 40 },
    ] as const;
    const steps = calm.steps.flatMap((step, n) => (n === 8 ? [...together, step] : [step]));
    const run = await runPlan({ ...calm, steps });
    expect(run.restarts).toHaveLength(1);
  });

  it('plays the same with a journal as without', async () => {
    // At rest nothing is written any more.
    const restart = { at: { afterMs: 300_000 }, fault: 'restart', ms: 0, tornBytes: 0 } as const;
    const plan = { ...calm, steps: [...calm.steps, restart] };
    // With a defect that is not about recovery there is no journal.
    const [kept, plain] = [await runPlan(plan), await runPlan(plan, { tamper: {} })];
    expect([kept, plain].map(({ effects }) => effects.at(-1))).toMatchObject([
      { why: 'nothing followed that it could strike' },
      { why: 'the target has no journal to start again from' },
    ]);
    expect(hashOf(kept.history.records).hash).toBe(hashOf(plain.history.records).hash);
  });

  it.each<[string, RecoveryTamper, string]>([
    ['forgets deadlines', { deadline: () => undefined }, 'inside.no-deadline-missed'],
    ['tells an event twice', { event: (event) => [event, event] }, 'restart.events'],
    ['issues identifiers twice', { sameDraws: true }, 'wire.refusals'],
  ])('fails if it %s', async (_, recovery, rule) => {
    expect(await rulesOf(recovery)).toContain(rule);
  });
});
