import type { Transport } from '../../client/http/transport.ts';

/** So many of the latest are kept. */
const mostKept = 256;

/** Once as many are known, one more changes little: they are looked at again after as many more. */
const looksAfter = 16;

/** How long a target takes to answer, in host milliseconds. */
export interface AnswerTimes {
  /** The same transport, whose answers are timed. Streams are not: they may stay silent. */
  timed(transport: Transport): Transport;
  /** What an answer takes where neither side is busy: most take longer. 0 before the first. */
  usualMs(): number;
}

/** @param now host milliseconds */
export function createAnswerTimes(now: () => number): AnswerTimes {
  const times: number[] = [];
  let seen = 0;
  /** As of so many answers. Sorting costs more than a small answer does, and it is asked for after each. */
  let usual = { ms: 0, of: 0 };
  return {
    timed: (transport) => ({
      ...transport,
      async request(request) {
        const sent = now();
        const answer = await transport.request(request);
        if (answer.kind === 'response') {
          times.push(now() - sent);
          seen += 1;
        }
        if (times.length > mostKept) times.shift();
        return answer;
      },
    }),
    usualMs() {
      const isFresh = usual.of === seen || (seen > looksAfter && seen < usual.of + looksAfter);
      if (!isFresh) {
        const ms = times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? 0;
        usual = { ms, of: seen };
      }
      return usual.ms;
    },
  };
}
