import type { CallPolicy } from '../../client/contract.ts';
import type { History } from '../../history/records.ts';
import type { EndedEarly } from '../../results/run-report.ts';
import { type RunEnd, RunEndedError } from './run-end.ts';

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
