import type { CallKind, CallPolicy, EventStream } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import type { Signal, Timeline } from '../../timeline/timeline.ts';
import { streamWith } from './answered-only.ts';
import type { CallGate } from './call-gate.ts';

/** A check used up its time. Its findings by then stand. */
export class BudgetExceeded extends Error {
  override readonly name = 'Overrun';
}

/** Maximum number of calls: a target may offer endless pages, faster than any time budget would stop it. */
const mostCalls = 10_000;

/** The target time that one check may use: its announced wait, and an allowance for everything else. */
export interface Budget {
  /** The moment at which it is used up. While the check waits for the gate or the target: the earliest such moment. */
  deadline(): number;
  /** The moment up to which the check waits now; undefined while it acts. */
  waitingUntil(): number | undefined;
  /** Time that the check did not use itself does not count against it. */
  extend(ms: number): void;
  readonly timeline: Timeline;
  /** Runs a body during which only this check calls; see Gate. */
  exclusively<T>(body: () => Promise<T>): Promise<T>;
  /** Runs a body between whose calls no time passes; see CheckContext. */
  inOneMoment<T>(body: () => Promise<T>): Promise<T>;
  /** Runs a body that only reads, during which no other check changes anything; see Gate. */
  whileUnchanged<T>(body: () => Promise<T>): Promise<T>;
  /** Runs a body during which this owner's calls go ahead of those that queue. */
  promptly<T>(body: () => Promise<T>): Promise<T>;
  /** Calls pass the gate and are made only while the budget lasts. */
  readonly policy: CallPolicy;
  /** The last answer that the check saw: evidence if the check names none. */
  lastExchange(): Exchange | undefined;
  /** Closes the streams that the check has left open. */
  closeStreams(): Promise<void>;
}

/** Ends when the work ends or falls silent. After that, others may call while it goes on. */
function untilSilent<T>(
  work: (onSilence: () => void) => Promise<T>,
): Promise<{ readonly result: Promise<T> }> {
  return new Promise((resolve, reject) => {
    const result = work(() => resolve({ result }));
    result.then(() => resolve({ result }), reject);
  });
}

export function createBudget(
  owner: string,
  timeline: Timeline,
  gate: CallGate,
  budgetMs: number,
): Budget {
  let deadline = timeline.now() + budgetMs;
  let calls = 0;
  let promptSections = 0;
  let quietSections = 0;
  let last: Exchange | undefined;
  const opened: EventStream[] = [];
  const waits = new Set<number>();

  const spent = (): BudgetExceeded =>
    new BudgetExceeded(`it did not finish within its budget of ${Math.round(budgetMs / 1000)} s`);

  const check = (): void => {
    if (timeline.now() > deadline) throw spent();
  };

  /** Waits no longer than the budget lasts. A longer wait ends the check. */
  const within = async <T>(moment: number, wait: (end: number) => Promise<T>): Promise<T> => {
    check();
    const entry = Math.min(moment, deadline);
    waits.add(entry);
    try {
      const answer = await wait(entry);
      if (moment > deadline && timeline.now() >= deadline) throw spent();
      return answer;
    } finally {
      waits.delete(entry);
    }
  };

  const paused = new Set<{ readonly since: number }>();

  /**
   * Stops counting time against the check until the returned function is called: meanwhile it waits at the gate, or
   * for a silent target.
   */
  const pauseBudget = (): (() => void) => {
    const place = { since: timeline.now() };
    paused.add(place);
    return () => {
      paused.delete(place);
      deadline += timeline.now() - place.since;
    };
  };

  /** Throws at once if the budget is spent. */
  const call = <T>(work: () => Promise<T>, { reads }: CallKind): Promise<T> => {
    check();
    calls += 1;
    if (calls > mostCalls) throw new BudgetExceeded(`it made more than ${mostCalls} calls`);
    const admitted = pauseBudget();
    const send = (): Promise<T> => {
      admitted();
      return work();
    };
    return gate.pass(owner, send, { prompt: promptSections > 0, reads });
  };

  const quietly =
    (begin: CallGate['exclusively']) =>
    <T>(body: () => Promise<T>): Promise<T> => {
      const admitted = pauseBudget();
      return begin(owner, async () => {
        admitted();
        quietSections += 1;
        try {
          return await body();
        } finally {
          quietSections -= 1;
        }
      });
    };

  const promptly = async <T>(body: () => Promise<T>): Promise<T> => {
    promptSections += 1;
    try {
      return await body();
    } finally {
      promptSections -= 1;
    }
  };

  const exclusively = quietly((by, body) => gate.exclusively(by, body));

  let heldBackMs = 0;
  /** Calls are held back if the target answers 429. Up to a bound, this time does not count against the check. */
  const extendByPatience = (ms: number): void => {
    const extension = Math.max(0, Math.min(ms, budgetMs - heldBackMs));
    heldBackMs += extension;
    deadline += extension;
  };

  const recordedCall: CallPolicy['call'] = async (send, kind) => {
    let began = timeline.now();
    last = await call(() => {
      began = timeline.now();
      return send({ prompt: promptSections > 0, still: quietSections > 0 });
    }, kind);
    extendByPatience(last.sent - began);
    return last;
  };

  const stream = (inner: EventStream): EventStream =>
    streamWith(inner, {
      find: (match, until, since) => within(until, (end) => inner.find(match, end, since)),
    });

  return {
    deadline() {
      const since = Math.min(...[...paused].map((place) => place.since));
      return deadline + (paused.size > 0 ? timeline.now() - since : 0);
    },
    waitingUntil: () => (waits.size > 0 ? Math.max(...waits) : undefined),
    extend(ms) {
      deadline += ms;
    },
    lastExchange: () => last,
    async closeStreams() {
      for (const own of opened) if (own.isOpen) await own.close();
    },
    timeline: {
      kind: timeline.kind,
      now: () => timeline.now(),
      earliest: () => timeline.earliest?.() ?? timeline.now(),
      background: (name, body) => timeline.background(name, body),
      act: (name, body) => timeline.act(name, body),
      together: (bodies) => timeline.together(bodies),
      until: (moment) => within(moment, (end) => timeline.until(end)),
      sleep: (ms) => within(timeline.now() + ms, (end) => timeline.until(end)),
      wait: (signal: Signal, moment?: number) =>
        within(moment ?? Number.POSITIVE_INFINITY, (end) => timeline.wait(signal, end)),
      turn: (work, how) => timeline.turn(work, how),
      end: (error) => timeline.end(error),
    },
    exclusively,
    inOneMoment: timeline.kind === 'controlled' ? promptly : exclusively,
    whileUnchanged: quietly((by, body) => gate.whileUnchanged(by, body)),
    promptly,
    policy: {
      call: recordedCall,
      async listen(open) {
        const { result } = await call(() => untilSilent((onSilence) => open({ onSilence })), {
          reads: true,
        });
        const own = await result.finally(pauseBudget());
        opened.push(own);
        last = own.opened;
        return stream(own);
      },
      stream,
    },
  };
}
