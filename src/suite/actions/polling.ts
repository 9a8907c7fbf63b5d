import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { ActionContext } from './action-context.ts';
import { isRefusal } from '../../protocol/answers.ts';

const firstPauseMs = 100;
const longestPauseMs = 500;

/**
 * Looks again until what is seen will do, for as long as the backends of two parties may lag behind each other (gap
 * `views.lag`): what one has answered, another may learn a moment later. Answers with the last look, whether it would
 * do or not.
 */
export async function pollUntil<T>(
  t: ActionContext,
  look: () => Promise<T>,
  willDo: (seen: T) => boolean,
): Promise<T> {
  const { timeline } = t.target;
  const end = timeline.now() + tolerance.replicationLagMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const seen = await look();
    if (willDo(seen) || timeline.now() >= end) return seen;
    await timeline.until(Math.min(end, timeline.now() + pauseMs));
  }
}

/** Repeats a call while it is refused, as it may be by a backend that does not know yet what it is about. */
export const retryWhileRefused = (
  t: ActionContext,
  call: () => Promise<Exchange>,
): Promise<Exchange> => pollUntil(t, call, (exchange) => !isRefusal(exchange));
