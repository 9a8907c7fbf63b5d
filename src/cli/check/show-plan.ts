import type { Plan } from '../../suite/engine/plan.ts';
import { formatDuration } from '../../yaml/index.ts';

const waitOf = (ms: number): string => (ms === 0 ? '-' : formatDuration(ms));

const roughly = (ms: number): string => {
  const grain = ms < 10_000 ? 100 : 1_000;
  return formatDuration(Math.ceil(ms / grain) * grain);
};

/** What a run would do, and how long it would take in host milliseconds, for `--dry-run`. */
export function showPlan(plan: Plan, wallMs: number): string {
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
    `${running} of ${plan.checks.length} checks would run; ${longest}; about ${roughly(wallMs)} of wall time.`,
  ].join('\n');
}
