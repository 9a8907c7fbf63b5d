import type { CallPolicy } from '../../client/contract.ts';
import type { History } from '../../history/records.ts';

/** How much a whole run may take, for runs that must be short whatever the target does. */
export interface RunLimit {
  /** Why nothing more is done; undefined as long as there is room. */
  spent(): string | undefined;
  /** The same, where somebody was kept from something by it. */
  cut(): string | undefined;
  /** Host milliseconds that are left. */
  leftMs(): number;
  /** The same calls, each made only while there is room. */
  within(policy?: CallPolicy): CallPolicy;
}

/** The run has used up its time or its requests: what it had judged by then stands. */
export class RunLimitReached extends Error {
  override readonly name = 'RunLimitReached';
}

export interface RunLimitOptions {
  /** By whose name it is said to have ended: `profile smoke`. */
  readonly owner: string;
  /** Host milliseconds in all, and how many of them are left. */
  readonly wallMs: number;
  readonly leftMs: () => number;
  /** Requests in all. */
  readonly requests: number;
  /** What was recorded so far, whoever sent it. */
  readonly history: () => History;
}

export function createRunLimit(options: RunLimitOptions): RunLimit {
  const { owner, wallMs, requests, leftMs } = options;
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
  let cut: string | undefined;
  const usedUp = (): string | undefined => {
    if (leftMs() <= 0) return `its ${wallMs / 1000} s were used up`;
    return sent() >= requests ? `its ${requests} requests were used up` : undefined;
  };
  const spent = (): string | undefined => {
    const what = usedUp();
    if (what !== undefined) cut ??= `${owner} ended: ${what}`;
    return what === undefined ? undefined : cut;
  };
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    const reason = spent();
    if (reason !== undefined) throw new RunLimitReached(reason);
    inFlight += 1;
    try {
      return await work();
    } finally {
      inFlight -= 1;
    }
  };
  return {
    spent,
    cut: () => cut,
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
