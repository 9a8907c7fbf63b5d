import type { RecordedResponse } from '../../history/records.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { retryDelayMs, defaultRetryMs } from './retry-after.ts';

interface RetriedRequest {
  /** When the request was sent for the first time. */
  readonly since: number;
  readonly tries: number;
}

export interface BackoffOptions {
  /** Maximum total wait of one request, in milliseconds; one minute unless set. */
  readonly mostMs?: number;
  /**
   * Lets host time pass too. A target whose clock is driven may stand behind a gate that counts by the host's clock. A
   * request that is refused again, although the target's time has come, waits for host time.
   */
  readonly hostPause?: (ms: number) => Promise<void>;
}

const gapMs = { least: 1, first: 10, longest: 250 } as const;
/**
 * After this many requests for which host time did not help, host time is not the cause; perhaps a limit of open orders
 * is.
 */
const maxUselessHolds = 2;

/** After this many useless holds of host time in a row, the gate counts by the target's time. */
const ruledOutAfter = 3;

/**
 * A gate that counts by host time stops all requests alike: a request that meets it meanwhile waits too, and the
 * target's time stands still. The gate is supposed after host time alone has helped once. It is ruled out after host
 * time has not helped several times in a row.
 */
function createHostTimeGate(timeline: Timeline, pause: (ms: number) => Promise<void>) {
  let held: Promise<void> | undefined;
  let belief: 'unknown' | 'supposed' | 'ruled out' = 'unknown';
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
    /** Waits until the gate is probably open again, if a request was refused at it. */
    async pass(): Promise<void> {
      while (held) await timeline.turn(async () => held);
    },
    hold: (ms: number) => timeline.turn(() => (held ??= begin(ms))),
    /**
     * Records the result of a retry: the first one after a hold shows if the hold helped. Returns true if the belief
     * changed.
     */
    note(status: number): boolean {
      if (!isUntried || doubts >= maxUselessHolds) return false;
      isUntried = false;
      uselessHolds = status === 429 ? uselessHolds + 1 : 0;
      const before = belief;
      if (uselessHolds === 0) belief = 'supposed';
      else if (uselessHolds >= ruledOutAfter) belief = 'ruled out';
      return belief !== before;
    },
    /** Records a request that nothing helped: the belief may be wrong. After enough of them host time is ruled out. */
    doubt(): void {
      doubts += 1;
      belief = doubts < maxUselessHolds ? 'unknown' : 'ruled out';
      uselessHolds = 0;
    },
  };
}

export type Backoff = ReturnType<typeof createBackoff>;

/**
 * Backoff of one party: it delays all the party's requests as the target's 429 answers ask.
 * A request that is refused for its pace delays all later ones, and widens the gap between requests. A refusal that
 * never ends is accepted once one request has used up its wait: from then on nobody waits for requests of its kind,
 * until one is answered otherwise.
 */
export function createBackoff(timeline: Timeline, options: BackoffOptions = {}) {
  const { mostMs = defaultRetryMs, hostPause } = options;
  const givenUp = new Set<string>();
  let holdUntil = Number.NEGATIVE_INFINITY;
  let next = Number.NEGATIVE_INFINITY;
  let gap = 0;
  const host = hostPause && createHostTimeGate(timeline, hostPause);

  function hold(until: number): void {
    // If several requests are refused at once, only the first widens the gap.
    if (timeline.now() >= holdUntil)
      gap = Math.min(Math.max(gap * 1.5, gapMs.first), gapMs.longest);
    holdUntil = Math.max(holdUntil, until);
  }

  async function waitFor(slot: number): Promise<void> {
    if (slot > timeline.now()) await timeline.until(Math.ceil(slot));
    await host?.pass();
  }

  /** Resolves to true if a refused request is to be sent again, once it may be. */
  async function waitAndAskRetry(
    what: string,
    response: RecordedResponse,
    { since, tries }: RetriedRequest,
  ): Promise<boolean> {
    const now = timeline.now();
    const leftMs = mostMs - (now - since);
    const delayMs = givenUp.has(what) ? undefined : retryDelayMs(response, tries, leftMs, now);
    if (delayMs === undefined) {
      if (tries > 2) host?.doubt();
      givenUp.add(what);
      return false;
    }
    const mayCount = host && host.belief !== 'ruled out';
    // Waits for one of the two times only, so that it shows which one has helped.
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
    /** Waits until the next request may be sent; undefined if it may be sent at once, which is the usual case. */
    admit(): Promise<void> | undefined {
      const slot = Math.max(next, holdUntil, timeline.now());
      if (gap > 0) next = slot + gap;
      return host || slot > timeline.now() ? waitFor(slot) : undefined;
    },
    /**
     * Waits as an answer asks. Resolves to true if the same request is to be sent again after that. Returns false at
     * once if the answer asks for nothing.
     * @param what key of the request's kind, whoever sends it
     */
    shouldRetry(
      what: string,
      response: RecordedResponse | undefined,
      tried: RetriedRequest,
    ): Promise<boolean> | false {
      if (response === undefined) return false;
      // The first attempt may be counted nowhere: only a retry shows if waiting helped.
      if (tried.tries > 1 && host?.note(response.status) && host.belief === 'supposed') {
        [gap, next] = [0, Number.NEGATIVE_INFINITY];
      }
      if (response.status === 429) return waitAndAskRetry(what, response, tried);
      givenUp.delete(what);
      // Narrows the gap little by little, so that it settles near the pace that the target wants.
      gap = gap < gapMs.least ? 0 : gap * 0.97;
      return false;
    },
  };
}
