import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { ActionContext } from './action-context.ts';
import { isRefusal } from '../../protocol/answers.ts';

const firstPauseMs = 100;
const longestPauseMs = 500;

/**
 * Reads with a growing pause until what is read is accepted. Backends may be eventually consistent: a party may not
 * read what it wrote itself yet, or what another party wrote (gap `views.lag`). They are given as long as they may lag;
 * then the last read is answered, accepted or not.
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
