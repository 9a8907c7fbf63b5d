import type { Actor } from './actors.ts';
import type { TimeDriver } from './time-driver.ts';

interface Held {
  /** Moment up to which time may go on before it begins. */
  readonly limit: number;
  readonly begin: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Work that could begin at once, but lets time go on first: if answers take long, actors whose moment comes soon then
 * act meanwhile. See decision 22.
 */
export type DeferredCalls = ReturnType<typeof createDeferredCalls>;

/** If this many pieces are under way, time need not go on to start more of them. */
const enoughUnderWay = 24;

/** @param underWay number of pieces that have begun and not ended */
export function createDeferredCalls(driver: TimeDriver, underWay: () => number) {
  let held: Held[] = [];
  let still = 0;
  /** Moment when the first held piece came; `hasMoved`: time has moved since. */
  let since = 0;
  let hasMoved = false;

  const patienceMs = (): number => driver.patienceMs?.() ?? 0;

  /** Moment that a slow target's clock would show after this turn of the actor, if the clock were not driven. */
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
    /** Begins the work, or holds it. */
    begin(
      actor: Actor | undefined,
      isStill: boolean,
      { begin, reject }: Omit<Held, 'limit'>,
    ): void {
      const limit = actor && limitOf(actor);
      if (isStill) {
        // Time stands still while it runs: held work has nothing to wait for.
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
      // Time stands still until this work has ended: held work may as well begin with it.
      if (hasMoved) beginAll();
    },
    /** Work that was `still` has ended. */
    stillEnded(): void {
      still -= 1;
    },
    waiting: (): number => held.length,
    /** The moment that time may move on to before the work begins; undefined if there is none. */
    nextDue(): number | undefined {
      const limit = Math.min(...held.map((one) => one.limit));
      // First any moment up to the limit. After a move, only moments within `patienceMs` of the first held piece.
      return dueBy(hasMoved ? Math.min(limit, since + patienceMs()) : limit);
    },
    /** Time has moved on to that moment. */
    moved(): void {
      hasMoved = true;
    },
    beginAll,
    rejectAll(error: Error): void {
      const all = held;
      held = [];
      for (const one of all) one.reject(error);
    },
  };
}
