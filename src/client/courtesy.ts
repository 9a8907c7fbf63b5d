import type { RecordedResponse } from '../history/records.ts';
import type { Timeline } from '../runtime/timeline.ts';
import { retryDelayMs, usualRetryMs } from './retry-after.ts';

/** How one party's wishes to be asked less (429) are kept, over all of its requests. */
export interface Courtesy {
  /** Waits until the next request may be sent. */
  admit(): Promise<void>;
  /**
   * Waits as an answer asks for; answers whether the same request is to be sent again after that.
   * @param what names what was asked for, whoever asks
   */
  again(what: string, response: RecordedResponse | undefined, tried: Tried): Promise<boolean>;
}

export interface Tried {
  /** When the request was sent for the first time. */
  readonly since: number;
  readonly tries: number;
}

export interface CourtesyOptions {
  /** The most that one request waits in all, in milliseconds; a minute unless told. */
  readonly mostMs?: number;
  /**
   * Lets host time pass too. A target whose clock is driven may stand behind a gate that counts by the host's: a
   * request that is turned away again though the target's time has come, waits for that.
   */
  readonly hostPause?: (ms: number) => Promise<void>;
}

const gapMs = { least: 1, first: 10, longest: 250 } as const;
/** So many requests that host time did not help show that it is not what is counted: a limit of open orders, perhaps. */
const enoughInVain = 2;

/**
 * Whoever is turned away for the pace holds back all who come after, and widens the gap between requests. What is
 * refused for ever is believed once one request has run out of patience: nobody waits for it from then on, until it
 * is answered otherwise.
 */
export function createCourtesy(timeline: Timeline, options: CourtesyOptions = {}): Courtesy {
  const { mostMs = usualRetryMs, hostPause } = options;
  const hopeless = new Set<string>();
  let holdUntil = Number.NEGATIVE_INFINITY;
  let next = Number.NEGATIVE_INFINITY;
  let gap = 0;
  let pausedInVain = 0;

  function hold(until: number): void {
    // Of several that are turned away at once, the first widens the gap.
    if (timeline.now() >= holdUntil)
      gap = Math.min(Math.max(gap * 1.5, gapMs.first), gapMs.longest);
    holdUntil = Math.max(holdUntil, until);
  }

  return {
    async admit() {
      const slot = Math.max(next, holdUntil, timeline.now());
      if (gap > 0) next = slot + gap;
      if (slot > timeline.now()) await timeline.until(Math.ceil(slot));
    },
    async again(what, response, { since, tries }) {
      if (response === undefined) return false;
      if (response.status !== 429) {
        hopeless.delete(what);
        // Narrower again, little by little, so that it settles about where the target wants it.
        gap = gap < gapMs.least ? 0 : gap * 0.97;
        return false;
      }
      const now = timeline.now();
      const waited = { tries, ms: now - since, mostMs };
      const delayMs = hopeless.has(what) ? undefined : retryDelayMs(response, waited, now);
      if (delayMs === undefined) {
        if (hostPause && tries > 2) pausedInVain += 1;
        hopeless.add(what);
        return false;
      }
      hold(now + delayMs);
      await timeline.until(now + delayMs);
      if (hostPause && tries > 1 && pausedInVain < enoughInVain) {
        await timeline.turn(() => hostPause(delayMs));
      }
      return true;
    },
  };
}
