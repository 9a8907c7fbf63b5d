import type { Timeline } from './timeline.ts';

/** A timeline as somebody lives it whose clock stands so many milliseconds behind; ahead, where that is negative. */
export function timelineBehind(line: Timeline, ms: number): Timeline {
  const theirs = (moment: number): number => moment + ms;
  const earliest = (): number => (line.earliest?.() ?? line.now()) - ms;
  return {
    ...line,
    now: () => line.now() - ms,
    ...(line.earliest && { earliest }),
    until: (moment) => line.until(theirs(moment)),
    wait: (bell, moment) => line.wait(bell, moment === undefined ? undefined : theirs(moment)),
  };
}
