import type { ActionContext } from './action-context.ts';

type Bodies = readonly (() => Promise<unknown>)[];
/** What each of them answers, in its place. */
type Answers<B extends Bodies> = { -readonly [Place in keyof B]: Awaited<ReturnType<B[Place]>> };

/**
 * Does what does not build on one another side by side: a target that is slow then takes as long as for the longest of
 * it. Begins in the order given, and ends once all have ended.
 */
export async function concurrently<const B extends Bodies>(
  { target: { timeline } }: Pick<ActionContext, 'target'>,
  bodies: B,
): Promise<Answers<B>> {
  const named = bodies.map((body, place) => [`${place + 1}`, body] as const);
  return (await timeline.together<unknown>(named)) as Answers<B>;
}
