import { type DiscreteOptions, discreteTimeline } from './discrete/discrete-timeline.ts';
import { flushPending } from './event-loop.ts';
import type { Timeline } from './timeline.ts';
import type { VirtualClock } from './clock/virtual-clock.ts';

/**
 * Turns after which all that an action set off has arrived. In process nothing waits for a socket: an answer, and the
 * stream frames that it caused, come before the event loop has gone round once.
 */
const arrivedAfterTurns = 1;

/** A timeline on a virtual clock that the world of an embedded target shares: its deadlines come due among ours. */
export function virtualTimeline(clock: VirtualClock, options: DiscreteOptions = {}): Timeline {
  return discreteTimeline(
    {
      kind: 'virtual',
      now: () => clock.now(),
      at: (instant, fire) => clock.at(instant, fire, 'wakes'),
      isDue: () => clock.nextDue() !== undefined,
      // In process, what is written to an open connection has been read once it is written.
      move: () => (clock.advanceToNext()?.effect ? 'arrived' : 'stirred'),
      flushPending: () => flushPending(arrivedAfterTurns),
    },
    'alone',
    options,
  );
}
