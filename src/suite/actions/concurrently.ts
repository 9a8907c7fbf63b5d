import type { ActionContext } from './action-context.ts';

type Bodies = readonly (() => Promise<unknown>)[];
/** Result of each body, at the same index. */
type Answers<B extends Bodies> = { -readonly [Place in keyof B]: Awaited<ReturnType<B[Place]>> };

/**
 * Runs independent bodies side by side, so that a slow target takes only as long as for the longest one. Begins in the
 * order given, and ends once all have ended.
 */
export async function concurrently<const B extends Bodies>(
  { target: { timeline } }: Pick<ActionContext, 'target'>,
  bodies: B,
): Promise<Answers<B>> {
  const named = bodies.map((body, place) => [`${place + 1}`, body] as const);
  return (await timeline.together<unknown>(named)) as Answers<B>;
}
