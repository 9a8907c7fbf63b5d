import type { Actors, ReadyActor } from './actors.ts';
import type { MoveEffect, TimeDriver } from './time-driver.ts';
import { drainMicrotasks, eventLoopTurn } from '../event-loop.ts';
import type { DeferredCalls } from './deferred-calls.ts';
import type { TurnQueue } from './turn-queue.ts';
import type { Waits } from './waits.ts';

export interface Scheduler {
  /** Looks whether anything is to be done now; called whenever somebody begins to wait. */
  kick(): void;
  isRunning(): boolean;
  /** Lets an actor go on, once everything has arrived and those before it have gone as far as they can. */
  deliver(due: ReadyActor): void;
  /** Moves time no more, and from now on lets everybody go on at once: a step under way may never end. */
  stop(): void;
}

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

/** Target time after which those who wait without a moment are given up, though heartbeats keep coming due. */
const endlessMs = 24 * 3_600_000;

/** The host is not to be starved: after so many steps the event loop goes round, though nothing is awaited from it. */
const stepsPerTurn = 128;

/**
 * The discrete-event rule. When every actor waits or queues: let one that queues have its turn, or else move time to
 * what is due next; let everything that follows arrive; wake whoever it concerns; look again.
 */
export function createScheduler({
  driver,
  actors,
  turns,
  waits,
  held,
  inFlight,
  fail,
}: SchedulerParts): Scheduler {
  let running = false;
  let stopped = false;
  /** Those who are to go on. While there are any, it runs. */
  const ready: ReadyActor[] = [];
  let endlessSince: { readonly progress: number; readonly instant: number } | undefined;

  /** Whether time moved for a day without anybody having acted, or having a moment to wait for. */
  function isEndless(): boolean {
    const progress = actors.progress();
    const { asleep, listening } = waits.moving;
    if (asleep + listening > 0 || endlessSince?.progress !== progress) {
      endlessSince = { progress, instant: driver.now() };
    }
    return driver.now() - endlessSince.instant > endlessMs;
  }

  /**
   * Whether somebody waits for the moment at which the clock stands. Where answers take long, whoever does is not to
   * wait for those of all others: no time has to move.
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

  /** Time moves a little before what was held begins: whoever it wakes goes on side by side with that. */
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
      // Its actor goes on before those whom its work woke, whichever came first.
      ready.unshift(due);
      return 'stirred';
    });

  /**
   * Lets one after another go on until it waits here again: whatever is called meanwhile is called by that one, and
   * nothing has to follow every promise to know whose it is.
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
    kick() {
      if (!running && nextStep()) start();
    },
    isRunning: () => running,
    deliver(due) {
      ready.push(due);
      if (stopped) releaseAll();
      else start();
    },
    stop() {
      stopped = true;
      releaseAll();
    },
  };
}
