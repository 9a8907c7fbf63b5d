import type { WireErrorCode } from '../history/records.ts';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import type { Clock } from '../timeline/clock/clock.ts';

/** A call that was not made: too many calls like it were left unanswered by the target. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

/** Unanswered calls are counted by party, endpoint and caller. */
export interface CallKind {
  readonly party: string;
  /** Name of the endpoint; one text for all paths that are no endpoint. */
  readonly endpoint: string;
  /** Caller: a check, or a part of the engine. */
  readonly by: string;
}

/** End of a call. It counts as unanswered if it timed out, was aborted or ran into a limit of ours. */
export interface CallEnd {
  readonly error?: WireErrorCode | undefined;
  /** The target's clock was moved while it waited, so that the wait cost the run nothing. */
  readonly isFree?: boolean;
}

/** Total waiting in vain, in host milliseconds: a run must end within three minutes beyond its waits. */
const mostWaitingMs = 100_000;
/** An answer that took at least this long counts as waiting in vain, too. */
const slowMs = 5_000;
/**
 * Total waiting in vain, in milliseconds, up to which calls keep the usual timeout: enough for a stream past one
 * heartbeat, or for three other calls. Later calls have a timeout that is long compared with all answers so far.
 */
const fullTimeoutsMs = 35_000;
const shortTimeout = { leastMs: 3_000, timesSlowest: 3 } as const;

const unanswered: readonly (WireErrorCode | undefined)[] = ['timeout', 'limit', 'aborted'];

/** Unanswered calls since the last answered one. */
interface UnansweredRow {
  count: number;
  /** End of the last counted call. A call that began before it is not counted. */
  lastEnd: number;
  readonly by: Set<string>;
}

/** Unanswered calls in a row that open a circuit, counted under a key. */
interface Circuit {
  readonly key: string;
  readonly isOpened: (row: UnansweredRow) => boolean;
  readonly reason: string;
}

/**
 * Circuits of a call, the narrowest first: of one check to one endpoint; of different checks to one endpoint (calls of
 * a single check may be unusual); of any caller to one party.
 */
const circuitsOf = ({ party, endpoint, by }: CallKind): readonly Circuit[] => [
  {
    key: `${party} ${endpoint} ${by}`,
    isOpened: ({ count }) => count >= 3,
    reason: `3 calls in a row to ${endpoint} of ${party} had no answer of use`,
  },
  {
    key: `${party} ${endpoint}`,
    isOpened: ({ by: checks }) => checks.size >= 3,
    reason: `${endpoint} of ${party} was asked no more: 3 checks in a row had no answer of use`,
  },
  {
    key: party,
    isOpened: ({ count }) => count >= 8,
    reason: `${party} was asked no more: 8 calls in a row had no answer of use`,
  },
];

/** The headers of a stream may come with its first heartbeat, so their delay says nothing about other answers. */
type Expected = 'body' | 'stream';

const expectedOf = ({ endpoint }: CallKind): Expected =>
  Object.hasOwn(endpoints, endpoint) && endpoints[endpoint as EndpointName].result === 'stream'
    ? 'stream'
    : 'body';

/** Total time spent waiting. The common time of parallel calls counts once. */
function createWaiting() {
  let ms = 0;
  let until = Number.NEGATIVE_INFINITY;
  return {
    ms: () => ms,
    add(began: number, ended: number): void {
      ms += ended - Math.max(began, Math.min(until, ended));
      until = Math.max(until, ended);
    },
  };
}

const createAnswerTimes = () => ({ inVain: createWaiting(), slowestMs: 0 });

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/**
 * Protects a run from waiting again and again for a target that leaves calls unanswered. After some such calls in a row
 * no more calls of their kind are made; after too much waiting in all no calls at all. All parties of a target share
 * one.
 * @param clock clock of the host
 */
export function createCircuitBreaker(clock: Pick<Clock, 'now'>) {
  const rows = new Map<string, UnansweredRow>();
  const openCircuits = new Map<string, string>();
  const waiting = createWaiting();
  const answerTimes = { body: createAnswerTimes(), stream: createAnswerTimes() };

  function countUnanswered(key: string, by: string, began: number): UnansweredRow {
    const row = rows.get(key) ?? { count: 0, lastEnd: began, by: new Set() };
    rows.set(key, row);
    if (began < row.lastEnd) return row;
    row.count += 1;
    row.lastEnd = clock.now();
    row.by.add(by);
    return row;
  }

  const reasonForAll = (): string | undefined =>
    waiting.ms() > mostWaitingMs
      ? `nothing was asked any more: answers had been waited for in vain, or for long, for ${mostWaitingMs / 1_000} s in all`
      : undefined;

  return {
    /** Reason why a call of this kind is not made any more; undefined while it may be made. */
    reasonNotToCall(kind: CallKind): string | undefined {
      const open = circuitsOf(kind).findLast(({ key }) => openCircuits.has(key));
      return reasonForAll() ?? (open && openCircuits.get(open.key));
    },
    /** Call this when a call is sent, and call its result when the call ends. */
    begin(kind: CallKind): (end: CallEnd) => void {
      const began = clock.now();
      return ({ error, isFree = false }) => {
        const ended = clock.now();
        const isUnanswered = unanswered.includes(error);
        if (!isFree) {
          const ofKind = answerTimes[expectedOf(kind)];
          if (isUnanswered || ended - began >= slowMs) waiting.add(began, ended);
          if (isUnanswered) ofKind.inVain.add(began, ended);
          else ofKind.slowestMs = Math.max(ofKind.slowestMs, ended - began);
        }
        for (const { key, isOpened, reason } of circuitsOf(kind)) {
          if (!isUnanswered) rows.delete(key);
          else if (isOpened(countUnanswered(key, kind.by, began)) && !openCircuits.has(key))
            openCircuits.set(key, reason);
        }
      };
    },
    /** Timeout of a call in milliseconds. It is shortened after a long time of waiting in vain for calls like it. */
    timeoutFor(ms: number, expects: Expected): number {
      const { inVain, slowestMs } = answerTimes[expects];
      if (inVain.ms() < fullTimeoutsMs) return ms;
      const { leastMs, timesSlowest } = shortTimeout;
      return Math.min(ms, Math.max(leastMs, timesSlowest * slowestMs));
    },
    /** Kinds of calls that are not made any more, with the reason, for the report. */
    reasons(): readonly string[] {
      const all = reasonForAll();
      const lasting = [...openCircuits].filter(([key]) => key.split(' ').length <= 2);
      return [...(all === undefined ? [] : [all]), ...lasting.map(([, reason]) => reason)];
    },
  };
}
