import type { Actors, ReadyActor } from './actors.ts';
import type { MoveEffect, TimeDriver } from './time-driver.ts';
import { drainMicrotasks, eventLoopTurn } from '../event-loop.ts';
import type { DeferredCalls } from './deferred-calls.ts';
import type { TurnQueue } from './turn-queue.ts';
import type { Waits } from './waits.ts';

export interface SchedulerParts {
  readonly driver: TimeDriver;
  readonly actors: Actors;
  readonly turns: TurnQueue;
  readonly waits: Waits;
  readonly held: DeferredCalls;
  /** Work outside of the queue of turns that time must wait for. */
  readonly inFlight: () => number;
  readonly fail: (error: Error) => void;
}

/** Target time after which waits without a moment are given up, even if heartbeats keep coming due. */
const endlessMs = 24 * 3_600_000;

/** Steps between two turns of the event loop, so that the host is not starved even if nothing is awaited from it. */
const stepsPerTurn = 128;

/**
 * The discrete-event rule. When every actor waits or queues: give one queued actor its turn, or else move time to the
 * next deadline; let all effects arrive; wake the actors that wait for them; repeat.
 */
export function createScheduler({
  driver,
  actors,
  turns,
  waits,
  held,
  inFlight,
  fail,
}: SchedulerParts) {
  let running = false;
  let stopped = false;
  /** Actors that are to go on. The scheduler runs while there are any. */
  const ready: ReadyActor[] = [];
  let endlessSince: { readonly progress: number; readonly instant: number } | undefined;

  /** True if time moved for a day although no actor acted, or waited for a moment. */
  function isEndless(): boolean {
    const progress = actors.progress();
    const { asleep, listening } = waits.moving;
    if (asleep + listening > 0 || endlessSince?.progress !== progress) {
      endlessSince = { progress, instant: driver.now() };
    }
    return driver.now() - endlessSince.instant > endlessMs;
  }

  /**
   * True if an actor waits for the clock's present moment. If answers take long, it need not wait for those of all
   * others, since no time has to move.
   */
  function isOverdue(): boolean {
    const isPatient = (driver.patienceMs?.() ?? 0) > 0;
    return isPatient && (driver.nextDue?.() ?? Number.POSITIVE_INFINITY) <= driver.now();
  }

  /** The next thing to do; undefined for nothing. At once, so that no kick is lost while it decides. */
  function nextStep(): (() => MoveEffect | Promise<MoveEffect>) | undefined {
    if (stopped || actors.busy() > 0) return undefined;
    if (inFlight() > 0) return isOverdue() ? () => driver.move(false) : undefined;
    if (turns.waiting() > 0) return giveTurn;
    if (held.waiting() > 0) return goOnBeforeHeld;
    const { asleep, listening, endless } = waits.moving;
    if (asleep + listening + endless === 0) return undefined;
    const isCalm = listening + endless === 0;
    return driver.isDue() && !isEndless() ? () => driver.move(isCalm) : giveUp;
  }

  /** Moves time a little before held work begins: the actors that it wakes then go on side by side with that work. */
  async function goOnBeforeHeld(): Promise<MoveEffect> {
    const due = held.nextDue();
    const effect = due === undefined ? 'arrived' : await driver.move(false);
    if (due === undefined) held.beginAll();
    else if (driver.now() >= due) held.moved();
    return effect;
  }

  function giveUp(): MoveEffect {
    waits.giveUpEndless();
    return 'arrived';
  }

  const giveTurn = (): Promise<MoveEffect> =>
    turns.runOne().then((due) => {
      // Its actor goes on before the actors that its work woke, whichever came first.
      ready.unshift(due);
      return 'stirred';
    });

  /**
   * Lets one actor after another go on until it waits here again: every call meanwhile is by that actor, so promises
   * need not be tracked to find the caller.
   */
  async function release(): Promise<void> {
    for (;;) {
      const due = ready.shift();
      if (!due) return actors.rest();
      actors.resumeActor(due.actor);
      due.resume();
      await drainMicrotasks();
    }
  }

  function releaseAll(): void {
    for (let due = ready.shift(); due; due = ready.shift()) {
      actors.resumeActor(due.actor);
      due.resume();
    }
  }

  async function run(): Promise<void> {
    try {
      let moved: MoveEffect = 'stirred';
      let steps = 0;
      await drainMicrotasks();
      await release();
      while (ready.length > 0 || nextStep()) {
        if (moved === 'stirred') await driver.flushPending();
        await release();
        const step = nextStep();
        if (!step) break;
        moved = await step();
        steps += 1;
        if (steps % stepsPerTurn === 0) await eventLoopTurn();
      }
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
    running = false;
    if (ready.length > 0) start();
  }

  function start(): void {
    if (running) return;
    running = true;
    void run();
  }

  return {
    /** Starts the next step if there is one; called whenever somebody begins to wait. */
    kick(): void {
      if (!running && nextStep()) start();
    },
    isRunning: (): boolean => running,
    /** Lets an actor go on, once everything has arrived and the actors before it have gone as far as they can. */
    deliver(due: ReadyActor): void {
      ready.push(due);
      if (stopped) releaseAll();
      else start();
    },
    /** Stops moving time, and lets all actors go on at once from now on: a step under way may never end. */
    stop(): void {
      stopped = true;
      releaseAll();
    },
  };
}
