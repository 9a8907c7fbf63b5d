import type { Plan } from '../conformance/plan.ts';
import { formatDuration } from '../yaml/index.ts';

const waitOf = (ms: number): string => (ms === 0 ? '-' : formatDuration(ms));

/** What a run would do, for `--dry-run`. */
export function showPlan(plan: Plan): string {
  const width = Math.max(...plan.checks.map(({ check }) => check.id.length), 5);
  const lines = plan.checks.map(({ check, outOfScope, waitMs }) => {
    const scope = outOfScope.length > 0 ? `out of scope: ${outOfScope.join('; ')}` : check.title;
    return `${check.id.padEnd(width)}  ${waitOf(waitMs).padStart(8)}  ${scope}`;
  });
  const running = plan.checks.filter(({ outOfScope }) => outOfScope.length === 0).length;
  const longest =
    plan.longestWaitOf === undefined
      ? 'nothing waits'
      : `longest wait ${formatDuration(plan.longestWaitMs)} (${plan.longestWaitOf})`;
  return [
    `${'check'.padEnd(width)}  ${'waits'.padStart(8)}`,
    ...lines,
    '',
    `${running} of ${plan.checks.length} checks would run; ${longest}; about ${formatDuration(
      Math.ceil(plan.expectedWallMs / 100) * 100,
    )} of wall time.`,
  ].join('\n');
}
