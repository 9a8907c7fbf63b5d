import { createDeferredCalls } from './deferred-calls.ts';
import { type Actors, createActors, type ReadyActor } from './actors.ts';
import { createScheduler } from './scheduler.ts';
import type { TimeDriver } from './time-driver.ts';
import type { Random } from '../../random/random.ts';
import { LostTurnError, StalledError } from '../timeline-errors.ts';
import type { Timeline, TurnOptions } from '../timeline.ts';
import { createTurnQueue } from './turn-queue.ts';
import { createWaits, type WaitKind } from './waits.ts';

const looks = 4;

/**
 * Calls `onStall` when time is held by an actor without progress for `watchdogMs` milliseconds of host time. It counts
 * looks and not elapsed time, so that a host that was suspended or busy for long does not set it off.
 * @returns a function to call when an actor comes or goes: it starts watching, and is harmless if it watches already.
 * The watchdog rests by itself while nobody holds time, and keeps no process alive if no actor is left.
 */
function watchdog(
  watchdogMs: number,
  actors: Actors,
  isHeld: () => boolean,
  onStall: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seen = -1;
  let still = 0;

  function look(): void {
    timer = undefined;
    if (!isHeld()) return;
    const progress = actors.progress();
    still = progress === seen ? still + 1 : 0;
    seen = progress;
    if (still >= looks) {
      still = 0;
      onStall();
    }
    watch();
  }

  function watch(): void {
    timer ??= setTimeout(look, Math.ceil(watchdogMs / looks));
    if (actors.count() > 0) timer.ref();
    else timer.unref();
  }

  return watch;
}

export interface DiscreteOptions {
  /** Milliseconds of host time for which an actor may hold the target's time still: 10,000 by default. */
  readonly watchdogMs?: number;
  /** Picks the next turn; without it, first come, first served. */
  readonly random?: Random;
}

type Body<T> = readonly [name: string, body: () => Promise<T>];

/**
 * A timeline on which time moves by the discrete-event rule (see `createScheduler` and decision 1).
 * @param turnMode `alone`: turns run one at a time, when everybody else waits. `free`: they just run, and time waits
 * for them.
 */
export function discreteTimeline(
  driver: TimeDriver,
  turnMode: 'alone' | 'free',
  { watchdogMs = 10_000, random }: DiscreteOptions,
): Timeline {
  const actors = createActors();
  const deliver = (due: ReadyActor): void => scheduler.deliver(due);
  const turns = createTurnQueue(actors, random, deliver);
  const waits = createWaits(actors, deliver);
  let inFlight = 0;
  const held = createDeferredCalls(driver, () => inFlight);
  /** Rejects work that is under way. */
  const giveUps = new Set<(error: Error) => void>();
  let failed: Error | undefined;

  const scheduler = createScheduler({
    driver,
    actors,
    turns,
    waits,
    held,
    inFlight: () => inFlight,
    fail,
  });
  const isHeld = (): boolean => scheduler.isRunning() || actors.busy() > 0;
  const watch = watchdog(watchdogMs, actors, isHeld, onStall);

  /** Ends all waits, queued turns and actors with the error. */
  function fail(error: Error): void {
    if (failed) return;
    failed = error;
    scheduler.stop();
    waits.rejectAll(error);
    turns.rejectAll(error);
    held.rejectAll(error);
    for (const giveUp of giveUps) giveUp(error);
    actors.failAll(error);
  }

  function onStall(): void {
    const running = turns.running();
    const names = actors.busyNames();
    if (running !== undefined) {
      turns.stall(new LostTurnError(`${running} has had the turn for ${watchdogMs} ms`));
    } else if (names.length > 0 && inFlight === 0) {
      const why = 'what an actor awaits comes from the timeline, anything else is a turn';
      const held = `time was held still for ${watchdogMs} ms by ${names.join(', ')}`;
      fail(new StalledError(`${held} (${why})`));
    }
  }

  /** Tells the pump and the watchdog that somebody began to wait. */
  function started<T>(wait: Promise<T>): Promise<T> {
    watch();
    scheduler.kick();
    return wait;
  }

  function wait<T>(kind: WaitKind, register: Parameters<typeof waits.add<T>>[1]) {
    if (failed) return Promise.reject(failed);
    const actor = actors.current();
    if (actor) actor.chain = undefined;
    if (turns.isInside()) return Promise.reject(new Error('a turn cannot wait on the timeline'));
    return started(waits.add(kind, register));
  }

  /** Runs a body as an actor, which begins once it is its turn to go on. */
  function play<T>(kind: 'act' | 'background', [name, body]: Body<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const actor = actors.start(name, kind, reject);
      const end = (): void => {
        actors.end(actor);
        if (actors.count() === 0) watch();
        scheduler.kick();
      };
      const begin = async (): Promise<T> => body();
      deliver({ actor, resume: () => void begin().finally(end).then(resolve, reject) });
      watch();
    });
  }

  async function together<T>(bodies: readonly Body<T>[]): Promise<T[]> {
    if (failed) throw failed;
    const parent = actors.current();
    actors.pause(parent);
    let first: { readonly error: unknown } | undefined;
    const results = await Promise.all(
      bodies.map((body) =>
        play('act', body).catch((error: unknown) => {
          first ??= { error };
          return undefined as T;
        }),
      ),
    );
    return new Promise((resolve, reject) => {
      const end = first;
      deliver({ actor: parent, resume: () => (end ? reject(end.error) : resolve(results)) });
    });
  }

  function freely<T>(work: () => Promise<T>, { still = false }: TurnOptions): Promise<T> {
    const actor = actors.current();
    actors.pause(actor);
    return started(
      new Promise((resolve, reject) => {
        const end = (resume: () => void): void => {
          if (!giveUps.delete(giveUp)) return;
          inFlight -= 1;
          if (still) held.stillEnded();
          deliver({ actor, resume });
        };
        const giveUp = (error: Error): void => end(() => reject(error));
        const run = async (): Promise<T> => work();
        const begin = (): void => {
          inFlight += 1;
          giveUps.add(giveUp);
          run().then(
            (value) => end(() => resolve(value)),
            (error) => end(() => reject(error)),
          );
        };
        const refuse = (error: Error): void => deliver({ actor, resume: () => reject(error) });
        held.begin(actor, still, { begin, reject: refuse });
      }),
    );
  }

  return {
    kind: driver.kind,
    now: () => driver.now(),
    ...(driver.earliest && { earliest: () => driver.earliest?.() ?? driver.now() }),
    async act<T>(name: string, body: () => Promise<T>): Promise<T> {
      const [result] = await together([[name, body]]);
      return result as T;
    },
    together,
    background: (name, body) => play('background', [name, body]),
    until: (instant) => wait('asleep', (wake) => driver.at(instant, () => wake(undefined))),
    sleep: (ms) => wait('asleep', (wake) => driver.at(driver.now() + ms, () => wake(undefined))),
    wait: (signal, instant) =>
      wait(instant === undefined ? 'endless' : 'listening', (wake) => {
        const forget = signal.onRing(() => wake('rung'));
        const cancel = instant === undefined ? () => {} : driver.at(instant, () => wake('due'));
        return () => {
          forget();
          cancel();
        };
      }),
    turn(work, how = {}) {
      if (failed) return Promise.reject(failed);
      return turnMode === 'free' ? freely(work, how) : started(turns.add(work));
    },
    end: fail,
  };
}
