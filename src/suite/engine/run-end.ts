import type { EndedEarly } from '../../results/run-report.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import { EndedError } from '../../timeline/timeline-errors.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { CallPolicy } from '../../client/contract.ts';
import type { History } from '../../history/records.ts';

/** The one way to end a run before all is judged: earlier findings stand, and work under way is given up. */
export interface RunEnd {
  /** Ends the run. The first reason stands; later calls change nothing. */
  end(how: EndedEarly): void;
  ended(): EndedEarly | undefined;
  /** Calls back when the run is ended; at once if it has ended. Returns a function that cancels this. */
  onEnd(act: (how: EndedEarly) => void): () => void;
}

/** The run was ended: thrown by all work under way, and by all work that begins later. */
export class RunEndedError extends EndedError {
  override readonly name = 'RunEndedError';
  readonly how: EndedEarly;

  constructor(how: EndedEarly) {
    super(`the run ended early: ${how.detail}`);
    this.how = how;
  }
}

export function createRunEnd(): RunEnd {
  const listeners = new Set<(how: EndedEarly) => void>();
  let ended: EndedEarly | undefined;
  return {
    end(how) {
      if (ended) return;
      ended = how;
      for (const act of listeners) act(how);
    },
    ended: () => ended,
    onEnd(act) {
      listeners.add(act);
      if (ended) act(ended);
      return () => void listeners.delete(act);
    },
  };
}

/** Ends a timeline, with all its waits and work, when the run ends. Returns a function that cancels this. */
export const endWithRun = (timeline: Timeline, runEnd: RunEnd): (() => void) =>
  runEnd.onEnd((how) => timeline.end(new RunEndedError(how)));

/** Turns of the event loop within which all waits on an ended timeline are rejected. */
const turnsToReject = 3;

/** Waits until calls under way are recorded as such, before anything is judged: they may have had their effect. */
export async function everythingRejected(): Promise<void> {
  for (let turn = 0; turn < turnsToReject; turn += 1) await eventLoopTurn();
}

/** Limit of a whole run, for runs that must be short on any target. */
export interface RunLimit {
  /** Ends the run once nothing is left, and says so; undefined as long as there is room. */
  spent(): EndedEarly | undefined;
  /** Host milliseconds that are left. */
  leftMs(): number;
  /** Wraps calls: each is made only while there is room. */
  within(policy?: CallPolicy): CallPolicy;
}

export interface RunLimitOptions {
  /** Owner of the limit: `profile smoke`. */
  readonly owner: string;
  /** Host milliseconds in all; `leftMs` returns the number left. */
  readonly wallMs: number;
  readonly leftMs: () => number;
  /** Requests in all. */
  readonly requests: number;
  /** All records so far, of any sender. */
  readonly history: () => History;
  /** Ended once either is used up. */
  readonly runEnd: RunEnd;
  /** The moment that an end is dated with. */
  readonly date: () => string;
}

export function createRunLimit(options: RunLimitOptions): RunLimit {
  const { owner, wallMs, requests, leftMs, runEnd } = options;
  let looked = 0;
  let recorded = 0;
  let inFlight = 0;

  const sent = (): number => {
    const { records } = options.history();
    for (; looked < records.length; looked += 1) {
      if (records[looked]?.kind === 'exchange') recorded += 1;
    }
    return recorded + inFlight;
  };
  const usedUp = (): string | undefined => {
    if (leftMs() <= 0) return `the ${wallMs / 1000} s of ${owner} were used up`;
    return sent() >= requests ? `the ${requests} requests of ${owner} were used up` : undefined;
  };
  const spent = (): EndedEarly | undefined => {
    const detail = usedUp();
    if (detail !== undefined) runEnd.end({ reason: 'budget', at: options.date(), detail });
    return runEnd.ended();
  };
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    const used = spent();
    if (used) throw new RunEndedError(used);
    inFlight += 1;
    try {
      return await work();
    } finally {
      inFlight -= 1;
    }
  };
  return {
    spent,
    leftMs,
    within: (policy) => ({
      call(send, kind) {
        const sendCounted: typeof send = (how) => counted(() => send(how));
        return policy ? policy.call(sendCounted, kind) : sendCounted();
      },
      listen(open) {
        const openCounted: typeof open = (observer) => counted(() => open(observer));
        return policy ? policy.listen(openCounted) : openCounted({ onSilence: () => undefined });
      },
      stream: (stream) => policy?.stream(stream) ?? stream,
    }),
  };
}
