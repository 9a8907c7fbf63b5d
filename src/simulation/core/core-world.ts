import { createHash } from 'node:crypto';
import { drawPlan } from '../draw/draw-plan.ts';
import type { SimulationOptions, WorldOutcome } from '../outcome.ts';
import { coreFaults } from '../play/faults.ts';
import { tamperOf, type WorldTools } from '../run-world.ts';
import { type CoreRun, runOnCore } from './run-core.ts';

/**
 * Plays one world on the core alone. There are no exchanges: the hash covers the effects of the steps and the end of
 * the world.
 */
export async function playOnCore(
  seed: string,
  options: SimulationOptions,
  tools: WorldTools = {},
): Promise<WorldOutcome> {
  const started = tools.hostMs?.() ?? 0;
  const known: readonly string[] = coreFaults;
  const faults = options.faults?.filter((fault) => known.includes(fault)) ?? coreFaults;
  const plan = drawPlan(seed, { faults, steps: options.steps });
  const run = await runOnCore(plan, { tamper: tamperOf(options, tools) });
  const { effects, end, endMs, findings } = run;
  return {
    seed,
    hash: createHash('sha256')
      .update(JSON.stringify([effects, end, endMs]))
      .digest('hex'),
    steps: plan.steps.length,
    effective: effects.filter(({ took }) => took).length,
    exchanges: 0,
    frames: 0,
    target_ms: endMs - plan.startMs,
    host_ms: Math.round((tools.hostMs?.() ?? 0) - started),
    findings,
    reached: reachedIn(run),
    met: [],
  };
}

/** Situations that can be seen without a history: how orders ended, and which faults struck. */
function reachedIn({ plan, effects, end }: CoreRun): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const reach = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  for (const { status, reason } of Object.values(end.orders)) {
    reach(`end: ${status}`);
    if (reason !== undefined) reach(`reason: ${reason}`);
  }
  for (const [index, step] of plan.steps.entries())
    if ('fault' in step && effects[index]?.took) reach(`fault: ${step.fault}`);
  return counts;
}
