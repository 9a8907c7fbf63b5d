import type { Transport } from '../../client/http/transport.ts';

/** So many of the latest are kept. */
const mostKept = 256;

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
  // It is asked for far more often than anything is answered.
  let usual: number | undefined;
  return {
    timed: (transport) => ({
      ...transport,
      async request(request) {
        const sent = now();
        const answer = await transport.request(request);
        if (answer.kind === 'response') times.push(now() - sent);
        usual = undefined;
        if (times.length > mostKept) times.shift();
        return answer;
      },
    }),
    usualMs() {
      usual ??= times.toSorted((one, other) => one - other)[Math.floor(times.length / 4)] ?? 0;
      return usual;
    },
  };
}
