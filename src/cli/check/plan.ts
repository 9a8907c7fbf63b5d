import { defaultRate } from '../../client/rate-limit/pacer.ts';
import { keyElsewhere } from '../../client/token-signing.ts';
import { leftOutLines } from '../../report/index.ts';
import { coverageOf } from '../../results/coverage.ts';
import type { ChosenTarget } from '../../run/open.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { Check } from '../../suite/engine/check.ts';
import { expectedWallMs, type Plan, plan, type Scope } from '../../suite/engine/plan.ts';
import { embeddedScope } from '../../target/embedded/embedded.ts';
import type { TargetFile } from '../../target/file/target-file.ts';
import { assignCast, targetFileFor } from '../../target/remote/base-urls.ts';
import { formatDuration } from '../../yaml/index.ts';
import { openingFailure } from '../command.ts';
import type { Flags } from '../flags.ts';

/** Plan of a run, for `--dry-run`. Asks the target nothing, except who the parties are if only addresses are given. */
export async function planText(
  checks: readonly Check[],
  chosen: ChosenTarget,
  only: readonly string[] | undefined,
  maxWait: number | undefined,
  { rate, shard }: Flags,
): Promise<string> {
  const scope = await scopeOf(chosen, maxWait);
  const planned = plan(checks, scope, requirements, only, shard);
  const { kind, maxWaitMs } = scope.clock;
  const text = textOf(planned, expectedWallMs(planned, kind, rate ?? defaultRate[kind]));
  const coverage = coverageOf(
    {
      checks: planned.checks.map(({ check, lacks }) => ({
        requirements: check.requirements,
        verdict: lacks.length > 0 ? 'out_of_scope' : 'not_exercised',
        lacks,
      })),
      requirements: [],
    },
    { all: checks.length },
  );
  const lines = leftOutLines(coverage, Number.isFinite(maxWaitMs) ? maxWaitMs : undefined);
  return [text, ...lines.map((line) => `  ${line}`)].join('\n');
}

async function scopeOf(chosen: ChosenTarget, maxWait: number | undefined): Promise<Scope> {
  if (chosen.kind === 'embedded') return embeddedScope(maxWait);
  if (chosen.kind === 'file') return scopeOfFile(chosen.file, maxWait);
  const cast = await assignCast(chosen.urls, chosen.route ?? {});
  if (!cast.ok) throw openingFailure(cast);
  return scopeOfFile(targetFileFor(cast.participants), maxWait);
}

const scopeOfFile = (file: TargetFile, maxWait: number | undefined): Scope => ({
  parties: Object.fromEntries(
    file.participants.map(({ name, role, baseUrl }) => [name, { role, baseUrl }]),
  ),
  clock: {
    kind: file.clock.kind,
    maxWaitMs: maxWait ?? file.clock.maxWaitMs,
    offset: { least: 0, most: 0 },
  },
  controls: Object.fromEntries(Object.keys(file.controls).map((name) => [name, {}])),
  ...(file.signing && { signing: keyElsewhere(file.signing.alg, 'a plan mints nothing') }),
});

const waitOf = (ms: number): string => (ms === 0 ? '-' : formatDuration(ms));

const roughly = (ms: number): string => {
  const grain = ms < 10_000 ? 100 : 1_000;
  return formatDuration(Math.ceil(ms / grain) * grain);
};

/** @param wallMs estimated duration, in host milliseconds */
function textOf(plan: Plan, wallMs: number): string {
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
