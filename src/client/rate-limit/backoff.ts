import type { RecordedResponse } from '../../history/records.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { retryDelayMs, defaultRetryMs } from './retry-after.ts';

/** How one party's wishes to be asked less (429) are kept, over all of its requests. */
export interface Backoff {
  /** Waits until the next request may be sent; undefined where it may be at once, as nearly always. */
  admit(): Promise<void> | undefined;
  /**
   * Waits as an answer asks for; answers whether the same request is to be sent again after that. At once where the
   * answer asks for nothing.
   * @param what names what was asked for, whoever asks
   */
  shouldRetry(
    what: string,
    response: RecordedResponse | undefined,
    tried: RetriedRequest,
  ): Promise<boolean> | false;
}

export interface RetriedRequest {
  /** When the request was sent for the first time. */
  readonly since: number;
  readonly tries: number;
}

export interface BackoffOptions {
  /** The most that one request waits in all, in milliseconds; a minute unless set. */
  readonly mostMs?: number;
  /**
   * Lets host time pass too. A target whose clock is driven may stand behind a gate that counts by the host's: a
   * request that is turned away again though the target's time has come, waits for that.
   */
  readonly hostPause?: (ms: number) => Promise<void>;
}

const gapMs = { least: 1, first: 10, longest: 250 } as const;
/** So many requests that host time did not help show that it is not what is counted: a limit of open orders, perhaps. */
const maxUselessHolds = 2;

/** Holds of the host's time in a row that helped nobody, after which it is the target's that is counted. */
const ruledOutAfter = 3;

/**
 * A gate that counts by the host's time holds back all alike: whoever meets it meanwhile waits along, and the target's
 * time stands still. Supposed once host time alone has helped, ruled out once that helps nobody again and again.
 */
interface HostTimeGate {
  readonly belief: 'unknown' | 'supposed' | 'ruled out';
  /** Waits until the gate is thought open again, if anybody was turned away at it. */
  pass(): Promise<void>;
  hold(ms: number): Promise<void>;
  /** Takes note of a retry: the first after a hold tells whether that helped. Answers whether the belief is new. */
  note(status: number): boolean;
  /** Nothing helped a request: whatever was believed may be wrong; the host's time is, once enough were not helped. */
  doubt(): void;
}

function createHostTimeGate(
  timeline: Timeline,
  pause: (ms: number) => Promise<void>,
): HostTimeGate {
  let held: Promise<void> | undefined;
  let belief: HostTimeGate['belief'] = 'unknown';
  let isUntried = false;
  let uselessHolds = 0;
  let doubts = 0;
  const begin = async (ms: number): Promise<void> => {
    await pause(ms);
    held = undefined;
    isUntried = true;
  };
  return {
    get belief() {
      return belief;
    },
    async pass() {
      while (held) await timeline.turn(async () => held);
    },
    hold: (ms) => timeline.turn(() => (held ??= begin(ms))),
    note(status) {
      if (!isUntried || doubts >= maxUselessHolds) return false;
      isUntried = false;
      uselessHolds = status === 429 ? uselessHolds + 1 : 0;
      const before = belief;
      if (uselessHolds === 0) belief = 'supposed';
      else if (uselessHolds >= ruledOutAfter) belief = 'ruled out';
      return belief !== before;
    },
    doubt() {
      doubts += 1;
      belief = doubts < maxUselessHolds ? 'unknown' : 'ruled out';
      uselessHolds = 0;
    },
  };
}

/**
 * Whoever is turned away for the pace holds back all who come after, and widens the gap between requests. What is
 * refused for ever is believed once one request has run out of patience: nobody waits for it from then on, until it
 * is answered otherwise.
 */
export function createBackoff(timeline: Timeline, options: BackoffOptions = {}): Backoff {
  const { mostMs = defaultRetryMs, hostPause } = options;
  const givenUp = new Set<string>();
  let holdUntil = Number.NEGATIVE_INFINITY;
  let next = Number.NEGATIVE_INFINITY;
  let gap = 0;
  const host = hostPause && createHostTimeGate(timeline, hostPause);

  function hold(until: number): void {
    // Of several that are turned away at once, the first widens the gap.
    if (timeline.now() >= holdUntil)
      gap = Math.min(Math.max(gap * 1.5, gapMs.first), gapMs.longest);
    holdUntil = Math.max(holdUntil, until);
  }

  async function waitFor(slot: number): Promise<void> {
    if (slot > timeline.now()) await timeline.until(Math.ceil(slot));
    await host?.pass();
  }

  /** Answers whether a request that was turned away is to be sent again, once it may be. */
  async function waitAndAskRetry(
    what: string,
    response: RecordedResponse,
    { since, tries }: RetriedRequest,
  ): Promise<boolean> {
    const now = timeline.now();
    const waited = { tries, ms: now - since, mostMs };
    const delayMs = givenUp.has(what) ? undefined : retryDelayMs(response, waited, now);
    if (delayMs === undefined) {
      if (tries > 2) host?.doubt();
      givenUp.add(what);
      return false;
    }
    const mayCount = host && host.belief !== 'ruled out';
    // One at a time, so that it shows which of the two has helped.
    const alone = host?.belief === 'supposed' ? 1 : 2;
    if (mayCount && tries === alone) {
      await host.hold(delayMs);
      return true;
    }
    hold(now + delayMs);
    await timeline.until(now + delayMs);
    if (mayCount && tries > alone) await host.hold(delayMs);
    return true;
  }

  return {
    admit() {
      const slot = Math.max(next, holdUntil, timeline.now());
      if (gap > 0) next = slot + gap;
      return host || slot > timeline.now() ? waitFor(slot) : undefined;
    },
    shouldRetry(what, response, tried) {
      if (response === undefined) return false;
      // What is asked for the first time may be counted nowhere: only who was turned away shows whether waiting helped.
      if (tried.tries > 1 && host?.note(response.status) && host.belief === 'supposed') {
        [gap, next] = [0, Number.NEGATIVE_INFINITY];
      }
      if (response.status === 429) return waitAndAskRetry(what, response, tried);
      givenUp.delete(what);
      // Narrower again, little by little, so that it settles about where the target wants it.
      gap = gap < gapMs.least ? 0 : gap * 0.97;
      return false;
    },
  };
}
