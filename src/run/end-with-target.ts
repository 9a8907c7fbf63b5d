import { type EndedEarly, endOfClock } from '../results/run-report.ts';
import { endWithRun, type RunEnd } from '../suite/engine/run-end.ts';
import type { OpenedTarget } from '../target/opened-target.ts';

/** A run on a target, which cannot go on without it. */
export interface RunOnTarget {
  /**
   * To be called once nothing more is asked. A target that left the last call without an answer may have gone, and so may
   * one whose clock was lost: that is found out. Answers how the run ended early, if it did.
   * @param lostClock why the target's clock could not be driven to the end
   */
  over(lostClock?: string): Promise<EndedEarly | undefined>;
}

/**
 * Ends a target's timeline with a run, and a run with its target.
 * @param date the host's time, in ISO 8601
 */
export function endWithTarget(
  { timeline, presence }: OpenedTarget,
  runEnd: RunEnd,
  date: () => string,
): RunOnTarget {
  const forget = endWithRun(timeline, runEnd);
  presence?.onGone(({ since, detail }) => runEnd.end({ reason: 'target_gone', at: since, detail }));
  return {
    async over(lostClock) {
      forget();
      await presence?.confirm(lostClock === undefined ? 1 : 0);
      if (lostClock !== undefined) runEnd.end(endOfClock(lostClock, date()));
      return runEnd.ended();
    },
  };
}
