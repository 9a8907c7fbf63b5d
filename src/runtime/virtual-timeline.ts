import { type DiscreteOptions, discreteTimeline } from './discrete-timeline.ts';
import { settle } from './settle.ts';
import type { Timeline } from './timeline.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A timeline on a virtual clock that the world of an embedded target shares: its deadlines come due among ours. */
export function virtualTimeline(clock: VirtualClock, options: DiscreteOptions = {}): Timeline {
  let isOurs = false;
  return discreteTimeline(
    {
      kind: 'virtual',
      now: () => clock.now(),
      at: (moment, fire) =>
        clock.at(moment, () => {
          isOurs = true;
          fire();
        }),
      isDue: () => clock.nextDue() !== undefined,
      move() {
        isOurs = false;
        clock.advanceToNext();
        return isOurs ? 'woke' : 'stirred';
      },
      settle: () => settle(),
    },
    'alone',
    options,
  );
}
