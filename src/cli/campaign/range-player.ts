import { createHash } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import type { CampaignSummary } from '../../simulation/outcome.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { version } from '../../run/version.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import { startThread, threadCode } from '../threads.ts';
import type { RangeMessage, RangeOrder } from './range-thread.ts';

export type PlayedRange =
  | { readonly ok: true; readonly summary: CampaignSummary }
  | { readonly ok: false; readonly problem: string };

export type RangePlayer = ReturnType<typeof createRangePlayer>;

/** Timeout of a world. A world takes a second at most: one that reaches this limit would never end. */
const stuckMs = 600_000;

export function createRangePlayer() {
  const clock = systemClock();
  let thread: Worker | undefined;
  let giveUp: ((problem: string) => void) | undefined;

  /** Ends the thread. The range in play is not finished. */
  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    giveUp?.('the worker was stopped');
    await ending?.terminate();
  }

  /** Never throws: a thread that breaks is a range that was not played. */
  async function play(order: RangeOrder, onWorld: (causes: number) => void): Promise<PlayedRange> {
    const working = (thread ??= startThread('range-thread', undefined));
    const played = await new Promise<PlayedRange>((resolve) => {
      let forget = (): void => {};
      const finish = (range: PlayedRange): void => {
        forget();
        resolve(range);
      };
      giveUp = (problem) => finish({ ok: false, problem });
      const watch = (): void => {
        forget();
        forget = clock.at(clock.now() + stuckMs, () => giveUp?.('a world did not end'));
      };
      working.removeAllListeners();
      working.on('error', (error) => giveUp?.(`its thread broke: ${error.message}`));
      working.on('exit', () => giveUp?.('its thread ended'));
      working.on('message', (message: RangeMessage) => {
        if (message.kind === 'world') {
          onWorld(message.causes);
          return watch();
        }
        if (message.kind === 'broke') return finish({ ok: false, problem: message.problem });
        finish({ ok: true, summary: message.summary });
      });
      watch();
      working.postMessage(order);
    });
    giveUp = undefined;
    // The state of a failed thread is unknown: the next range gets a new one.
    if (!played.ok) await end();
    return played;
  }

  return { play, end };
}

/**
 * Identity of the code that plays worlds. The thread entry names its chunks by hashes of their content: a digest of
 * this one file covers all code that could change the result of a seed.
 */
export const simulationSuite = (): Suite => ({
  version,
  digest: createHash('sha256').update(threadCode('range-thread')).digest('hex'),
});
