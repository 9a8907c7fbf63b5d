import { type DiscreteOptions, discreteTimeline } from './discrete/discrete-timeline.ts';
import { drainMicrotasks } from './event-loop.ts';
import type { Timeline } from './timeline.ts';
import type { VirtualClock } from './clock/virtual-clock.ts';

/**
 * Rounds of microtasks after which all effects of an action have arrived. In process nothing waits for a socket, so
 * nothing needs a turn of the event loop, which costs as much as a small request. The stream frames that a request
 * causes come before its answer; the end of a stream comes a few rounds after its cause.
 */
const arrivedAfterRounds = 4;

/** A timeline on a virtual clock that the world of an embedded target shares: its deadlines come due among ours. */
export function virtualTimeline(clock: VirtualClock, options: DiscreteOptions = {}): Timeline {
  return discreteTimeline(
    {
      kind: 'virtual',
      now: () => clock.now(),
      at: (instant, fire) => clock.at(instant, fire, 'wakes'),
      isDue: () => clock.nextDue() !== undefined,
      // In process, data written to an open connection has been read once it is written.
      move: () => (clock.advanceToNext()?.effect ? 'arrived' : 'stirred'),
      flushPending: () => drainMicrotasks(arrivedAfterRounds),
    },
    'alone',
    options,
  );
}
