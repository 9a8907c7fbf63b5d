import type { Timeline } from '../../src/timeline/timeline.ts';

/** Lets actors act side by side, each under its name. */
export const sideBySide = <T>(
  timeline: Timeline,
  actors: Readonly<Record<string, () => Promise<T>>>,
): Promise<readonly T[]> => timeline.together(Object.entries(actors));
