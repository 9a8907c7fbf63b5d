import type { ActionContext } from './action-context.ts';

/**
 * Does what does not build on one another side by side: a target that is slow then takes as long as for the longest of
 * it. Begins in the order given, and ends once all have ended.
 */
export const sideBySide = <T>(
  { target: { timeline } }: Pick<ActionContext, 'target'>,
  bodies: readonly (() => Promise<T>)[],
): Promise<T[]> => timeline.together(bodies.map((body, place) => [`${place + 1}`, body]));
