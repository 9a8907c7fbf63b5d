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
export interface DeferredCalls {
  /** Begins the work, or holds it. */
  begin(actor: Actor | undefined, still: boolean, work: Omit<Held, 'limit'>): void;
  /** Work that was `still` has ended. */
  stillEnded(): void;
  waiting(): number;
  /** The moment that time may move on to before the work begins; undefined where there is none. */
  nextDue(): number | undefined;
  /** Time has moved on to that moment. */
  moved(): void;
  beginAll(): void;
  rejectAll(error: Error): void;
}

/** While so many pieces are under way, time has no need to go on for there to be more of them. */
const enoughUnderWay = 24;

/** @param underWay how many pieces have begun and not ended */
export function createDeferredCalls(driver: TimeDriver, underWay: () => number): DeferredCalls {
  let held: Held[] = [];
  let still = 0;
  /** When the first that is held came, and whether time has moved since. */
  let since = 0;
  let hasMoved = false;

  const patienceMs = (): number => driver.patienceMs?.() ?? 0;

  /** As far as the clock of a slow target that is not driven had gone on, by the end of this answer of the actor's. */
  function limitOf(actor: Actor): number {
    const now = driver.now();
    actor.chain ??= { since: now, turns: 0 };
    const { since: begun, turns } = actor.chain;
    const limit = begun + (turns + 1) * patienceMs();
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
    hasMoved = false;
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
      if (isHeld) {
        if (held.length === 0) since = driver.now();
        held.push({ limit, begin, reject });
        return;
      }
      begin();
      // Time stands until that has ended: whoever waits may as well go with it.
      if (hasMoved) beginAll();
    },
    stillEnded() {
      still -= 1;
    },
    waiting: () => held.length,
    nextDue() {
      const limit = Math.min(...held.map((one) => one.limit));
      // To one moment; and to those after it, as long as what is held may yet be on its way.
      return dueBy(hasMoved ? Math.min(limit, since + patienceMs()) : limit);
    },
    moved() {
      hasMoved = true;
    },
    beginAll,
    rejectAll(error) {
      const all = held;
      held = [];
      for (const one of all) one.reject(error);
    },
  };
}
