import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { ActionContext } from './action-context.ts';
import { isRefusal } from '../../protocol/answers.ts';

const firstPauseMs = 100;
const longestPauseMs = 500;

/**
 * Reads with a growing pause until the result is accepted. Backends may be eventually consistent: a party may not
 * see its own write yet, or that of another party (gap `views.lag`). After the longest tolerated lag, it returns
 * the last read, accepted or not.
 */
export async function pollUntil<T>(
  t: ActionContext,
  read: () => Promise<T>,
  isAccepted: (seen: T) => boolean,
): Promise<T> {
  const { timeline } = t.target;
  const end = timeline.now() + tolerance.replicationLagMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const seen = await read();
    if (isAccepted(seen) || timeline.now() >= end) return seen;
    await timeline.until(Math.min(end, timeline.now() + pauseMs));
  }
}

/** Repeats a call while it is refused, as it may be by a backend that does not know the order or the quote yet. */
export const retryWhileRefused = (
  t: ActionContext,
  call: () => Promise<Exchange>,
): Promise<Exchange> => pollUntil(t, call, (exchange) => !isRefusal(exchange));
