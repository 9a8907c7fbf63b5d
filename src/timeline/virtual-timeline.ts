import { type DiscreteOptions, discreteTimeline } from './discrete/discrete-timeline.ts';
import { flushPending } from './event-loop.ts';
import type { Timeline } from './timeline.ts';
import type { VirtualClock } from './clock/virtual-clock.ts';

/** A timeline on a virtual clock that the world of an embedded target shares: its deadlines come due among ours. */
export function virtualTimeline(clock: VirtualClock, options: DiscreteOptions = {}): Timeline {
  let isOurs = false;
  return discreteTimeline(
    {
      kind: 'virtual',
      now: () => clock.now(),
      at: (instant, fire) =>
        clock.at(instant, () => {
          isOurs = true;
          fire();
        }),
      isDue: () => clock.nextDue() !== undefined,
      move() {
        isOurs = false;
        clock.advanceToNext();
        return isOurs ? 'woke' : 'stirred';
      },
      flushPending: () => flushPending(),
    },
    'alone',
    options,
  );
}
