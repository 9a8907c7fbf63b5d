import { type DiscreteOptions, discreteTimeline } from './discrete-timeline.ts';
import { settle } from './settle.ts';
import type { Timeline } from './timeline.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A timeline on a virtual clock that the world of an embedded target shares: its deadlines come due among ours. */
export function virtualTimeline(clock: VirtualClock, options: DiscreteOptions = {}): Timeline {
  return discreteTimeline(
    {
      kind: 'virtual',
      now: clock.now,
      at: clock.at,
      isDue: () => clock.nextDue() !== undefined,
      move() {
        clock.advanceToNext();
      },
      settle,
    },
    'alone',
    options,
  );
}
