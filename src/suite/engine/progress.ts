import type { Timeline } from '../../timeline/timeline.ts';
import type { Check } from './check.ts';
import type { RunningCheck } from './check-context.ts';
import type { Verdict } from '../../results/verdicts.ts';

export interface WaitingCheck {
  readonly check: string;
  /** Milliseconds of target time that it still waits. */
  readonly leftMs: number;
}

/** Progress of a run. */
export interface Progress {
  readonly kind: 'planned' | 'started' | 'finished';
  /** The check that has just started or finished. */
  readonly check?: string;
  readonly verdict?: Verdict;
  readonly total: number;
  readonly started: number;
  readonly finished: number;
  /** Checks that wait for time to pass, the longest wait first. It follows the timeline, so call it when needed. */
  readonly waiting: () => WaitingCheck[];
}

export interface ProgressTracker {
  /** Sets the number of runs of each check. A check starts with its first run, and finishes with its last one. */
  planned(runs: ReadonlyMap<Check, number>): void;
  started(t: RunningCheck): void;
  finished(t: RunningCheck, verdict: Verdict): void;
}

export function createProgress(
  timeline: Timeline,
  report: ((progress: Progress) => void) | undefined,
): ProgressTracker {
  const running = new Set<RunningCheck>();
  const left = new Map<Check, number>();
  const begun = new Set<Check>();
  let total = 0;
  let started = 0;
  let finished = 0;

  const waiting = (): WaitingCheck[] =>
    [...running]
      .flatMap(({ check, budget }) => {
        const until = budget.waitingUntil();
        return until === undefined ? [] : [{ check: check.id, leftMs: until - timeline.now() }];
      })
      .toSorted((one, other) => other.leftMs - one.leftMs);

  const tell = (kind: Progress['kind'], check?: string, verdict?: Verdict): void => {
    report?.({
      kind,
      ...(check !== undefined && { check }),
      ...(verdict !== undefined && { verdict }),
      total,
      started,
      finished,
      waiting,
    });
  };

  return {
    planned(runs) {
      total = runs.size;
      for (const [check, count] of runs) left.set(check, count);
      tell('planned');
    },
    started(t) {
      running.add(t);
      if (begun.has(t.check)) return;
      begun.add(t.check);
      started += 1;
      tell('started', t.check.id);
    },
    finished(t, verdict) {
      running.delete(t);
      const more = (left.get(t.check) ?? 1) - 1;
      left.set(t.check, more);
      if (more !== 0) return;
      finished += 1;
      tell('finished', t.check.id, verdict);
    },
  };
}
