import type { Deadline } from '../../core/contract.ts';
import type { Cancel, Clock } from '../../../timeline/clock/clock.ts';
import { deadlines as deadlineHeap } from '../../../timeline/clock/deadline-heap.ts';
import type { WorldTime } from './world-time.ts';

interface DeadlineTimerOptions {
  readonly clock: Clock;
  readonly time: WorldTime;
  readonly carryOut: (deadline: Deadline) => void;
  /** Called after the clock reached a moment and its deadlines were carried out. */
  readonly onFired: () => void;
  /** No deadline fires before this moment. */
  readonly notBefore: () => number;
}

/** All deadlines of a world behind one timer of its clock. */
export function createDeadlineTimer(options: DeadlineTimerOptions) {
  const { clock, time, carryOut, onFired, notBefore } = options;
  let due = deadlineHeap();
  let armedFor = Number.POSITIVE_INFINITY;
  let cancelTimer: Cancel | undefined;

  function schedule(deadline: Deadline): void {
    due.add(deadline.at, () => carryOut(deadline));
  }

  /**
   * Carries out all that is due by a moment, each deadline as of its own moment, however late the host is. A command
   * comes after all that was due by then, so the core never sees time go back.
   */
  function fireDue(instant: number): void {
    try {
      for (let next = due.peek(); next && next.instant <= instant; next = due.peek()) {
        due.remove(next);
        time.advanceTo(next.instant);
        next.fire();
      }
    } finally {
      arm();
    }
  }

  /** Sets the clock's timer for the earliest deadline. */
  function arm(): void {
    const earliest = due.peek()?.instant ?? Number.POSITIVE_INFINITY;
    const instant = Math.max(earliest, notBefore());
    if (instant >= armedFor) return;
    cancelTimer?.();
    armedFor = instant;
    cancelTimer = clock.at(instant, () => {
      armedFor = Number.POSITIVE_INFINITY;
      fireDue(time.now());
      onFired();
    });
  }

  return {
    schedule,
    fireDue,
    arm,
    /** Replaces all deadlines with these. */
    restart(deadlines: readonly Deadline[]): void {
      due = deadlineHeap();
      for (const deadline of deadlines) schedule(deadline);
      cancelTimer?.();
      armedFor = Number.POSITIVE_INFINITY;
      arm();
    },
    /** Nothing fires afterwards. */
    stop(): void {
      cancelTimer?.();
      cancelTimer = undefined;
      armedFor = Number.NEGATIVE_INFINITY;
    },
  };
}
