import type { WorldRun } from './run-plan.ts';
import { isFault } from './plan.ts';

export function situationsOf(run: WorldRun): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  run.plan.steps.forEach((step, index) => {
    if (!isFault(step) || !run.effects[index]?.took) return;
    const name = `fault: ${step.fault}`;
    counts[name] = (counts[name] ?? 0) + 1;
  });
  return counts;
}
