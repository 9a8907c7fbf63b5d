import type { EndedEarly } from '../results/run-report.ts';
import { endWithRun, type RunEnd } from '../suite/engine/run-end.ts';
import type { OpenedTarget } from '../target/opened-target.ts';

/**
 * Ends a target's timeline with a run, and a run with its target.
 * @param date the host's time, in ISO 8601
 */
export function endWithTarget(
  { timeline, presence }: OpenedTarget,
  runEnd: RunEnd,
  date: () => string,
) {
  const forget = endWithRun(timeline, runEnd);
  presence?.onGone(({ since, detail }) => runEnd.end({ reason: 'target_gone', at: since, detail }));
  return {
    /**
     * To be called after the last request. Finds out if the target is gone: it may be, if the last call had no answer
     * or its clock was lost. Returns the early end of the run, if any.
     * @param lostClock reason why the target's clock could not be driven to the end
     */
    async over(lostClock?: string): Promise<EndedEarly | undefined> {
      forget();
      await presence?.confirm(lostClock === undefined ? 1 : 0);
      if (lostClock !== undefined)
        runEnd.end({ reason: 'clock_lost', at: date(), detail: lostClock });
      return runEnd.ended();
    },
  };
}

/** Milliseconds of a step that any clock shows. */
const lastStepMs = 2_000;

/**
 * Moves a driven clock once more after the last request, so that a lost clock is noticed: failures under a lost clock
 * are no verdict. Throws a `LostClockError`.
 */
export async function confirmClock({ clock, timeline }: OpenedTarget): Promise<void> {
  if (clock.kind !== 'controlled') return;
  await timeline.act('last step', () => timeline.sleep(lastStepMs));
}
