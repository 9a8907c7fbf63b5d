import { createActors } from './actors.ts';
import { createPump } from './pump.ts';
import type { Mover } from './mover.ts';
import type { Random } from './random.ts';
import { LostTurnError, StalledError } from './stalls.ts';
import type { Timeline } from './timeline.ts';
import { createTurns } from './turns.ts';
import { createWaits, type WaitKind } from './waits.ts';
import { watchdog } from './watchdog.ts';

export interface DiscreteOptions {
  /** How many milliseconds of host time an actor may hold the target's time still for: 10,000 unless told. */
  readonly watchdogMs?: number;
  /** Picks who gets the next turn; without it first come, first served. */
  readonly random?: Random;
}

type Body<T> = readonly [name: string, body: () => Promise<T>];

/**
 * A timeline on which time moves by the discrete-event rule (see `createPump` and decision 1).
 * @param turns `alone`: one at a time, when everybody else waits. `free`: they just run, and time waits for them.
 */
export function discreteTimeline(
  mover: Mover,
  turnsRun: 'alone' | 'free',
  { watchdogMs = 10_000, random }: DiscreteOptions,
): Timeline {
  const actors = createActors();
  const turns = createTurns(actors, random);
  let inFlight = 0;
  let failed: Error | undefined;

  const pump = createPump({
    mover,
    actors,
    turns,
    waits: () => waits,
    inFlight: () => inFlight,
    fail,
  });
  const waits = createWaits(actors, (wake) => pump.deliver(wake));
  const watch = watchdog(watchdogMs, {
    progress: () => actors.progress(),
    held: () => pump.isRunning() || actors.busy() > 0,
    bark,
  });

  /** Ends everything that goes on here: who waits, who queues, who acts. */
  function fail(error: Error): void {
    failed = error;
    waits.rejectAll(error);
    turns.rejectAll(error);
    actors.failAll(error);
    pump.stop();
  }

  function bark(): void {
    const running = turns.running();
    const names = actors.busyNames();
    if (running !== undefined) {
      turns.stall(new LostTurnError(`${running} has had the turn for ${watchdogMs} ms`));
    } else if (names.length > 0 && inFlight === 0) {
      fail(new StalledError(`time was held still for ${watchdogMs} ms by ${names.join(', ')}`));
    }
  }

  /** Tells the pump and the watchdog that somebody began to wait. */
  function started<T>(wait: Promise<T>): Promise<T> {
    watch();
    pump.kick();
    return wait;
  }

  function wait<T>(kind: WaitKind, register: Parameters<typeof waits.add<T>>[1]) {
    if (failed) return Promise.reject(failed);
    if (turns.isInside()) return Promise.reject(new Error('a turn cannot wait on the timeline'));
    return started(waits.add(kind, register));
  }

  /** Makes an actor that is busy from now on; the answer lets it begin. */
  function ready<T>(kind: 'act' | 'background', [name, body]: Body<T>): () => Promise<T> {
    let failActor: (error: Error) => void = () => {};
    const actor = actors.start(name, kind, (error) => failActor(error));
    watch();
    const begin = () =>
      new Promise<T>((resolve, reject) => {
        failActor = reject;
        actors.enter({ actor }, async () => body()).then(resolve, reject);
      });
    return () =>
      begin().finally(() => {
        actors.end(actor);
        pump.kick();
      });
  }

  async function together<T>(bodies: readonly Body<T>[]): Promise<T[]> {
    if (failed) throw failed;
    const parent = actors.current();
    // All are busy before the first begins, so that none can see time move before it has started.
    const begins = bodies.map((body) => ready('act', body));
    actors.pause(parent);
    let first: { readonly error: unknown } | undefined;
    const results = await Promise.all(
      begins.map((begin) =>
        begin().catch((error: unknown) => {
          first ??= { error };
          return undefined as T;
        }),
      ),
    );
    // The last body ended some promises ago; the pump looks only after all promises were acted upon.
    actors.resume(parent);
    if (first) throw first.error;
    return results;
  }

  async function freely<T>(work: () => Promise<T>): Promise<T> {
    inFlight += 1;
    try {
      return await work();
    } finally {
      inFlight -= 1;
      pump.kick();
    }
  }

  return {
    kind: mover.kind,
    now: () => mover.now(),
    ...(mover.earliest && { earliest: () => mover.earliest?.() ?? mover.now() }),
    async act<T>(name: string, body: () => Promise<T>): Promise<T> {
      const [result] = await together([[name, body]]);
      return result as T;
    },
    together,
    background: (name, body) => ready('background', [name, body])(),
    until: (moment) => wait('asleep', (wake) => mover.at(moment, () => wake(undefined))),
    sleep: (ms) => wait('asleep', (wake) => mover.at(mover.now() + ms, () => wake(undefined))),
    wait: (bell, moment) =>
      wait(moment === undefined ? 'endless' : 'listening', (wake) => {
        const forget = bell.onRing(() => wake('rung'));
        const cancel = moment === undefined ? () => {} : mover.at(moment, () => wake('due'));
        return () => {
          forget();
          cancel();
        };
      }),
    turn(work) {
      if (failed) return Promise.reject(failed);
      return turnsRun === 'free' ? freely(work) : started(turns.add(work));
    },
  };
}
