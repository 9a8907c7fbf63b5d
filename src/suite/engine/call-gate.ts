import { createBell } from '../../timeline/bell.ts';
import type { Bell, Timeline } from '../../timeline/timeline.ts';

/**
 * Who may call the target when. A check acts only while one of its calls is in flight; while it waits on the
 * timeline it can do nothing. So quiet is kept between calls, not between checks: a quiet section starts as soon
 * as no call is in flight, other checks' next calls wait until it ends, and a check that sleeps for an hour
 * neither delays a quiet section nor is delayed by it. Waits never hold the gate, so they never hold time still.
 */
export interface CallGate {
  /**
   * Makes one call for a check, when the gate lets it.
   * @param prompt ahead of the calls that queue, and beyond the most in flight: only a quiet section holds it back
   */
  pass<T>(owner: string, call: () => Promise<T>, prompt?: boolean): Promise<T>;
  /**
   * Waits until a call would be let through at once. For a check that is about to begin: while calls queue time passes,
   * and those that have begun may be racing a deadline. Whoever was let in begins, and then calls `next`.
   */
  whenFree(owner: string): Promise<void>;
  /** Whoever was let in has begun: another may be, where there is room still. */
  checkBegun(): void;
  /** Runs a body during which only this owner's calls go through; inside another of its own it just runs. */
  exclusively<T>(owner: string, body: () => Promise<T>): Promise<T>;
}

export interface CallGateOptions {
  /** Most calls in flight at once; a quiet section's own are not counted. */
  readonly concurrency: number;
  /** How long calls may overtake a quiet section that waits, in milliseconds of target time. */
  readonly overtakingMs?: number;
}

interface Waiter {
  readonly owner: string;
  readonly bell: Bell;
  readonly since: number;
  admitted: boolean;
}

export function createCallGate(timeline: Timeline, options: CallGateOptions): CallGate {
  const overtakingMs = options.overtakingMs ?? 1_000;
  const promptCalls: Waiter[] = [];
  const calls: Waiter[] = [];
  const sections: Waiter[] = [];
  const waitingChecks: Waiter[] = [];
  let inFlight = 0;
  /** Let in, and not yet begun. */
  let admittedChecks = 0;
  let exclusiveOwner: string | undefined;

  const admit = (waiter: Waiter): void => {
    waiter.admitted = true;
    waiter.bell.ring();
  };

  // A slot is handed over by whoever frees it, so that a newcomer cannot slip in between.
  const dispatch = (): void => {
    if (exclusiveOwner !== undefined) return;
    for (const waiter of promptCalls.splice(0)) {
      inFlight += 1;
      admit(waiter);
    }
    const section = sections[0];
    if (section && inFlight === 0) {
      sections.shift();
      exclusiveOwner = section.owner;
      return admit(section);
    }
    if (section && timeline.now() - section.since >= overtakingMs) return;
    while (inFlight < options.concurrency) {
      const call = calls.shift();
      if (!call) break;
      inFlight += 1;
      admit(call);
    }
    while (calls.length === 0 && inFlight + admittedChecks < options.concurrency) {
      const waitingCheck = waitingChecks.shift();
      if (!waitingCheck) return;
      admittedChecks += 1;
      admit(waitingCheck);
    }
  };

  /** Undefined where nobody is to be waited for. */
  const queue = (line: Waiter[], owner: string): Promise<void> | undefined => {
    const waiter: Waiter = { owner, bell: createBell(), since: timeline.now(), admitted: false };
    line.push(waiter);
    dispatch();
    return waiter.admitted ? undefined : admission(waiter);
  };
  const admission = async (waiter: Waiter): Promise<void> => {
    while (!waiter.admitted) await timeline.wait(waiter.bell);
  };

  return {
    async pass(owner, call, prompt = false) {
      if (exclusiveOwner === owner) return call();
      const turn = queue(prompt ? promptCalls : calls, owner);
      if (turn) await turn;
      try {
        return await call();
      } finally {
        inFlight -= 1;
        dispatch();
      }
    },
    async whenFree(owner) {
      await queue(waitingChecks, owner);
    },
    checkBegun() {
      admittedChecks -= 1;
      dispatch();
    },
    async exclusively(owner, body) {
      if (exclusiveOwner === owner) return body();
      await queue(sections, owner);
      try {
        return await body();
      } finally {
        exclusiveOwner = undefined;
        dispatch();
      }
    },
  };
}
