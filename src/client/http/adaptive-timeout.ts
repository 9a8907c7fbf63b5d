import type { WireAnswer, WireStream } from './transport.ts';

/** So many timeouts in a row are full ones; those after them are halved each time, down to this fraction of it. */
const timeoutShrinking = { full: 3, least: 16 } as const;

/** Shortens the timeout of a backend that lets one after the other pass, until it answers. */
export function createAdaptiveTimeout(): {
  of(ms: number): number;
  seen(answer: WireAnswer | WireStream): void;
} {
  let silences = 0;
  return {
    of: (ms) =>
      Math.ceil(
        ms /
          Math.min(2 ** Math.max(silences - timeoutShrinking.full + 1, 0), timeoutShrinking.least),
      ),
    seen(answer) {
      if (answer.kind !== 'error') silences = 0;
      else if (answer.error.code === 'timeout') silences += 1;
    },
  };
}
