import type { EventTail, SentEvent } from './records.ts';

/**
 * The last events to each party, numbered as its streams number them.
 * @param capacity number of events kept for each party; up to twice as many for a while
 */
export function eventTails(capacity: number, from: readonly EventTail[] = []) {
  const tails = new Map(
    from.map(({ to, next, events }) => [to, { next, events: events.slice(-capacity) }]),
  );
  const tailOf = (to: string): EventTail => {
    const { next, events } = tails.get(to) ?? { next: 1, events: [] };
    return { to, next, events: events.slice(-capacity) };
  };
  return {
    push(event: SentEvent): void {
      const tail = tails.get(event.to) ?? { next: 1, events: [] };
      tails.set(event.to, tail);
      tail.next += 1;
      tail.events.push(event);
      if (tail.events.length >= 2 * capacity) tail.events = tail.events.slice(-capacity);
    },
    of: tailOf,
    all: () => [...tails.keys()].sort().map(tailOf),
  };
}
