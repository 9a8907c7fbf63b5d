import type { Flags } from '../flags.ts';
import type { ChosenTarget } from '../../run/open.ts';
import { profiles } from '../../run/profiles.ts';
import type { ProfiledRun } from '../../run/run-target.ts';
import { defaultMaxWaitMs } from '../../target/file/target-file.ts';
import { usageFailure } from '../command.ts';

interface AppliedProfile {
  /** Undefined: as the target says. */
  readonly maxWaitMs: number | undefined;
  readonly profile: ProfiledRun | undefined;
}

/**
 * Combines a profile with the other flags. It never waits longer than the target allows; `--max-wait` goes first.
 * @param since start of the command, in host milliseconds
 */
export function applyProfile(
  { profile: name = 'full', only, maxWait }: Flags,
  chosen: ChosenTarget,
  since: number,
): AppliedProfile {
  const { maxWaitMs: most, only: own, probes, limits } = profiles[name];
  if (own && only) {
    const next = 'leave out one of both; `--profile standard` goes with --only';
    throw usageFailure(`--profile ${name} names its checks itself, and --only others`, next);
  }
  const profile: ProfiledRun = {
    name,
    ...(own && { only: own }),
    ...(probes && { probes }),
    ...(limits && { limits: { ...limits, since } }),
  };
  return {
    maxWaitMs: maxWait ?? (most === undefined ? undefined : Math.min(maxWaitOf(chosen), most)),
    profile: name === 'full' ? undefined : profile,
  };
}

function maxWaitOf(chosen: ChosenTarget): number {
  if (chosen.kind === 'embedded') return Number.POSITIVE_INFINITY;
  return chosen.kind === 'file' ? chosen.file.clock.maxWaitMs : defaultMaxWaitMs;
}
