import type { Clock } from './clock.ts';
import { deadlines } from './deadline-heap.ts';

/** Host timers of longer delays fire at once. */
const longestDelay = 2 ** 31 - 1;

/** The host's clock: never early, as late as the host is. One host timer stands for all deadlines. */
export function systemClock(): Clock {
  const due = deadlines();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  function arm(): void {
    const next = due.peek();
    const instant = next?.instant ?? Number.POSITIVE_INFINITY;
    if (instant === armedFor) return;
    clearTimeout(timer);
    armedFor = instant;
    timer = next && setTimeout(wake, Math.min(Math.max(instant - Date.now(), 0), longestDelay));
  }

  /** Host timers may come a little early, and a long delay comes in pieces: deadlines that are not due stay. */
  function wake(): void {
    armedFor = Number.POSITIVE_INFINITY;
    const now = Date.now();
    try {
      for (let next = due.peek(); next && next.instant <= now; next = due.peek()) {
        due.remove(next);
        next.fire();
      }
    } finally {
      arm();
    }
  }

  return {
    kind: 'system',
    now: () => Date.now(),
    at(instant, fire) {
      if (!Number.isFinite(instant)) throw new TypeError(`not a moment: ${instant}`);
      const deadline = due.add(Math.max(Math.ceil(instant), Date.now()), fire);
      arm();
      return () => {
        due.remove(deadline);
        arm();
      };
    },
  };
}
