import { createSignal } from '../../timeline/signal.ts';
import type { Signal, Timeline } from '../../timeline/timeline.ts';

/**
 * Decides which check may call the target, and when. A check acts only while one of its calls is in flight; while it
 * waits on the timeline it can do nothing. So quiet is kept between calls, not between checks: a quiet section starts
 * as soon as no call is in flight, other checks' next calls wait until it ends, and a check that sleeps for an hour
 * neither delays a quiet section nor is delayed by it. Waits never hold the gate, so they never hold time still.
 */
export interface CallGate {
  /** Makes one call for a check, when the gate lets it. */
  pass<T>(owner: string, call: () => Promise<T>, how?: PassOptions): Promise<T>;
  /**
   * Waits until a call would be let through at once. For a check that is about to begin: while calls queue, time
   * passes, and checks that have begun may be racing a deadline. An admitted check begins, then calls `checkBegun`.
   */
  whenFree(owner: string): Promise<void>;
  /** An admitted check has begun: another one may be admitted if there is still room. */
  checkBegun(): void;
  /** Runs a body during which only this owner's calls go through; inside another of its own it just runs. */
  exclusively<T>(owner: string, body: () => Promise<T>): Promise<T>;
  /**
   * Runs a body during which nobody else changes anything: calls that only read go on, and so do other bodies of this
   * kind, side by side.
   */
  whileUnchanged<T>(owner: string, body: () => Promise<T>): Promise<T>;
}

export interface PassOptions {
  /** Ahead of the calls that queue, and beyond the most in flight: only a quiet section holds it back. */
  readonly prompt?: boolean;
  /** True if the call changes nothing: then a section in which nobody may change anything does not hold it back. */
  readonly reads?: boolean;
}

export interface CallGateOptions {
  /** Maximum number of calls in flight; a quiet section's own calls are not counted. */
  readonly concurrency: number;
  /** Target milliseconds during which calls may overtake a waiting quiet section. */
  readonly overtakingMs?: number;
}

interface Waiter {
  readonly owner: string;
  /** True for a call that changes nothing, and for a section in which others may read. */
  readonly reads: boolean;
  readonly signal: Signal;
  readonly since: number;
  admitted: boolean;
}

export function createCallGate(timeline: Timeline, options: CallGateOptions): CallGate {
  const overtakingMs = options.overtakingMs ?? 1_000;
  const promptCalls: Waiter[] = [];
  const calls: Waiter[] = [];
  const sections: Waiter[] = [];
  const waitingChecks: Waiter[] = [];
  /** Calls outside of quiet sections. */
  const inFlight = { all: 0, writes: 0 };
  /** Per owner, the number of its sections in which nobody changes anything. */
  const readers = new Map<string, number>();
  /** Checks that were admitted and have not begun yet. */
  let admittedChecks = 0;
  let exclusiveOwner: string | undefined;

  const admit = (waiter: Waiter): void => {
    waiter.admitted = true;
    waiter.signal.ring();
  };

  /** Admits the calls that may go, in their order, while there is room. */
  const admitCalls = (line: Waiter[], most: number, mayWrite: boolean): void => {
    for (let place = 0; place < line.length && inFlight.all < most; ) {
      const waiter = line[place];
      if (!waiter || !(waiter.reads || mayWrite)) {
        place += 1;
        continue;
      }
      line.splice(place, 1);
      inFlight.all += 1;
      if (!waiter.reads) inFlight.writes += 1;
      admit(waiter);
    }
  };

  const addReader = (owner: string, change: 1 | -1): void => {
    const count = (readers.get(owner) ?? 0) + change;
    if (count > 0) readers.set(owner, count);
    else readers.delete(owner);
  };

  /** Lets sections begin, those that only read side by side. */
  const admitSections = (): void => {
    for (let next = sections[0]; next; next = sections[0]) {
      const isQuiet = next.reads
        ? inFlight.writes === 0
        : inFlight.all === 0 && [...readers.keys()].every((reader) => reader === next.owner);
      if (!isQuiet) return;
      sections.shift();
      if (next.reads) addReader(next.owner, 1);
      else exclusiveOwner = next.owner;
      admit(next);
      if (!next.reads) return;
    }
  };

  // The call that frees a slot hands it over, so that a newcomer cannot slip in between.
  const dispatch = (): void => {
    if (exclusiveOwner !== undefined) return;
    admitCalls(promptCalls, Number.POSITIVE_INFINITY, readers.size === 0);
    admitSections();
    if (exclusiveOwner !== undefined) return;
    const section = sections[0];
    const isDue = section !== undefined && timeline.now() - section.since >= overtakingMs;
    if (isDue && !section.reads) return;
    admitCalls(calls, options.concurrency, readers.size === 0 && !isDue);
    while (!isDue && calls.length === 0 && inFlight.all + admittedChecks < options.concurrency) {
      const waitingCheck = waitingChecks.shift();
      if (!waitingCheck) return;
      admittedChecks += 1;
      admit(waitingCheck);
    }
  };

  /** Undefined if the call is admitted at once. */
  const queue = (line: Waiter[], owner: string, reads = false): Promise<void> | undefined => {
    const since = timeline.now();
    const waiter: Waiter = { owner, reads, signal: createSignal(), since, admitted: false };
    line.push(waiter);
    dispatch();
    return waiter.admitted ? undefined : admission(waiter);
  };
  const admission = async (waiter: Waiter): Promise<void> => {
    while (!waiter.admitted) await timeline.wait(waiter.signal);
  };

  return {
    async pass(owner, call, { prompt = false, reads = false } = {}) {
      if (exclusiveOwner === owner || readers.has(owner)) return call();
      const turn = queue(prompt ? promptCalls : calls, owner, reads);
      if (turn) await turn;
      try {
        return await call();
      } finally {
        inFlight.all -= 1;
        if (!reads) inFlight.writes -= 1;
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
    async whileUnchanged(owner, body) {
      if (exclusiveOwner === owner) return body();
      if (readers.has(owner)) addReader(owner, 1);
      else await queue(sections, owner, true);
      try {
        return await body();
      } finally {
        addReader(owner, -1);
        dispatch();
      }
    },
  };
}
