import { nextTick } from 'node:process';

/** Lets the event loop go round once: everything that is ready to run in this process runs. */
export const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Each round waits until the callbacks of all settled promises, and all `nextTick` callbacks, have run. Far cheaper
 * than a turn of the event loop.
 */
export async function drainMicrotasks(rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => nextTick(resolve));
  }
}

/** Turns after which data that has reached this process from a socket has most likely been read. */
const settledAfterTurns = 3;

/** One promise for any number of turns, because a run in process waits like this several times for every request. */
export const flushPending = (turns: number = settledAfterTurns): Promise<void> =>
  new Promise((resolve) => {
    const turn = (left: number): void => {
      if (left <= 0) resolve();
      else setImmediate(turn, left - 1);
    };
    turn(turns);
  });
