import type { Actor } from './actors.ts';
import type { TimeDriver } from './time-driver.ts';

interface Held {
  /** How far time may go on before it begins. */
  readonly limit: number;
  readonly begin: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Work that could begin at once, and lets time go on before: where answers take long, others whose moment comes soon
 * then have theirs meanwhile. See decision 22.
 */
export interface HeldWork {
  /** Begins the work, or holds it. */
  begin(actor: Actor | undefined, still: boolean, work: Omit<Held, 'limit'>): void;
  /** Work that was `still` has ended. */
  stillEnded(): void;
  waiting(): number;
  /** The moment that time may move on to before the work begins; undefined where there is none. */
  nextDue(): number | undefined;
  beginAll(): void;
  rejectAll(error: Error): void;
}

/** While so many pieces are under way, time has no need to go on for there to be more of them. */
const enoughUnderWay = 24;

/** @param underWay how many pieces have begun and not ended */
export function createHeldWork(driver: TimeDriver, underWay: () => number): HeldWork {
  let held: Held[] = [];
  let still = 0;

  /** As far as the clock of a target that is not driven had gone on, while the actor had its answers. */
  function limitOf(actor: Actor): number {
    const now = driver.now();
    actor.chain ??= { since: now, turns: 0 };
    const limit = actor.chain.since + actor.chain.turns * (driver.patienceMs?.() ?? 0);
    actor.chain.turns += 1;
    return limit;
  }

  function dueBy(limit: number): number | undefined {
    const due = driver.nextDue?.();
    return due !== undefined && due > driver.now() && due <= limit ? due : undefined;
  }

  function beginAll(): void {
    const all = held;
    held = [];
    for (const one of all) one.begin();
  }

  return {
    begin(actor, isStill, { begin, reject }) {
      const limit = actor && limitOf(actor);
      if (isStill) {
        // Time stands as long as it takes: nobody has anything to wait for.
        still += 1;
        beginAll();
      }
      const mayWait = still === 0 && underWay() < enoughUnderWay;
      const isHeld = mayWait && limit !== undefined && dueBy(limit) !== undefined;
      if (isHeld) held.push({ limit, begin, reject });
      else begin();
    },
    stillEnded() {
      still -= 1;
    },
    waiting: () => held.length,
    nextDue: () => dueBy(Math.min(...held.map(({ limit }) => limit))),
    beginAll,
    rejectAll(error) {
      const all = held;
      held = [];
      for (const one of all) one.reject(error);
    },
  };
}
