import type { Timeline } from '../../timeline/timeline.ts';
import type { RunningCheck } from './check-context.ts';
import type { Verdict } from '../../results/verdicts.ts';

export interface WaitingCheck {
  readonly check: string;
  /** Milliseconds of target time that it still waits. */
  readonly leftMs: number;
}

/** Where a run stands. */
export interface Progress {
  readonly kind: 'planned' | 'started' | 'finished';
  /** The check that has just started or finished. */
  readonly check?: string;
  readonly verdict?: Verdict;
  readonly total: number;
  readonly started: number;
  readonly finished: number;
  /** Who waits for time to pass, the longest first; read it when it is needed: it follows the timeline. */
  readonly waiting: () => WaitingCheck[];
}

export interface ProgressTracker {
  planned(total: number): void;
  started(t: RunningCheck): void;
  finished(t: RunningCheck, verdict: Verdict): void;
}

export function createProgress(
  timeline: Timeline,
  report: ((progress: Progress) => void) | undefined,
): ProgressTracker {
  const running = new Set<RunningCheck>();
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
    planned(count) {
      total = count;
      tell('planned');
    },
    started(t) {
      running.add(t);
      started += 1;
      tell('started', t.check.id);
    },
    finished(t, verdict) {
      running.delete(t);
      finished += 1;
      tell('finished', t.check.id, verdict);
    },
  };
}
