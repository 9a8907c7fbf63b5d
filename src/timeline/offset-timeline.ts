import type { Timeline } from './timeline.ts';

/** A timeline as seen with a clock that is `ms` milliseconds behind; ahead if `ms` is negative. */
export function offsetTimeline(line: Timeline, ms: number): Timeline {
  const theirs = (instant: number): number => instant + ms;
  const earliest = (): number => (line.earliest?.() ?? line.now()) - ms;
  return {
    ...line,
    now: () => line.now() - ms,
    ...(line.earliest && { earliest }),
    until: (instant) => line.until(theirs(instant)),
    wait: (signal, instant) =>
      line.wait(signal, instant === undefined ? undefined : theirs(instant)),
  };
}
