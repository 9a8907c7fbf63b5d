import { nextTick } from 'node:process';

/** Lets the event loop go round once: whatever is ready to run in this process runs. */
export const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Ends once every promise that is settled has been acted upon, and all that `nextTick` put off has run; in each round
 * anew. Far cheaper than a turn of the event loop.
 */
export async function drainMicrotasks(rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => nextTick(resolve));
  }
}

/** Turns after which what has reached this process from a socket has been read, most likely. */
const settledAfterTurns = 3;

/** One promise, however many turns: whoever drives a run in process waits so several times for every request. */
export const flushPending = (turns: number = settledAfterTurns): Promise<void> =>
  new Promise((resolve) => {
    const turn = (left: number): void => {
      if (left <= 0) resolve();
      else setImmediate(turn, left - 1);
    };
    turn(turns);
  });
