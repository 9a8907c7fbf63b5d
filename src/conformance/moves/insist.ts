import type { Exchange } from '../../history/records.ts';
import { patience } from '../../rules/patience.ts';
import type { Trial } from '../check.ts';
import { isRefusal } from './answers.ts';

/**
 * Repeats a call while it is refused, for as long as the backends of two parties may lag behind each other: what one
 * has answered, another may learn a moment later. For laying ground only; a refusal that is judged is judged at once.
 */
export async function insist(trial: Trial, call: () => Promise<Exchange>): Promise<Exchange> {
  const { timeline } = trial.target;
  const end = timeline.now() + patience.betweenParties;
  for (let pauseMs = 100; ; pauseMs *= 2) {
    const exchange = await call();
    if (!isRefusal(exchange) || timeline.now() >= end) return exchange;
    await timeline.until(Math.min(end, timeline.now() + pauseMs));
  }
}
