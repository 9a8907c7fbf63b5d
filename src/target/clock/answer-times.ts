import type { Transport } from '../../client/http/transport.ts';

/** So many of the latest are kept. */
const mostKept = 256;

/** Once as many are known, one more changes little: to sort them costs as much as a small answer does. */
const sortedAfter = 16;

/** Answer times of a target, in host milliseconds. */
export interface AnswerTimes {
  /** The same transport, whose answers are timed. Streams are not: they may stay silent. */
  timed(transport: Transport): Transport;
  /** Time of an answer if neither side is busy: most take longer. 0 before the first answer. */
  usualMs(): number;
}

/** @param now host milliseconds */
export function createAnswerTimes(now: () => number): AnswerTimes {
  const times: number[] = [];
  let count = 0;
  let usual = 0;

  function add(ms: number): void {
    times.push(ms);
    if (times.length > mostKept) times.shift();
    count += 1;
    if (count > sortedAfter && count % sortedAfter !== 0) return;
    usual = times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? 0;
  }

  return {
    timed: (transport) => ({
      ...transport,
      async request(request) {
        const sent = now();
        const answer = await transport.request(request);
        if (answer.kind === 'response') add(now() - sent);
        return answer;
      },
    }),
    usualMs: () => usual,
  };
}
