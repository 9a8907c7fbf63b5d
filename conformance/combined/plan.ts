import type { DrivenLife } from '../../src/combinations/factors.ts';

/** Moments of a life's actions on the target's clock, in milliseconds since the epoch. */
export interface Moments {
  /** Submission of the quote that is to be accepted. Absent: at once. */
  readonly quoteAt?: number;
  /** Acceptance. Absent: as soon as the quote exists. */
  readonly acceptAt?: number;
  /** Deadline of that quote. Absent: the usual validity. */
  readonly validUntil?: number;
}

/** Before `valid_until`: longer than a settlement takes, shorter than "far". */
const secondsMs = 8_500;
/** Like `secondsMs`, but before `expires_at`, with room for the quote to end in between. */
const nearExpiryMs = 9_500;
/** Within the last second, and long enough for a request. */
const lastMs = 980;
/** Within the last second of a quote: settlement begins before the deadline if it begins at once, or after it. */
const lastOfQuoteMs = { settled: 950, expired: 250 } as const;
/** Longer than the delay until a deadline takes effect. */
const afterMs = 4_000;
const briefMs = 2_500;
const farMs = 30_000;

/** Time from the submission of a quote to its acceptance or to the order's own deadline. */
const aheadMs = 2_500;

const beforeExpiry = {
  seconds: nearExpiryMs,
  last: lastMs,
  after: -afterMs,
} as const;

/** The moments of a life in which a quote is accepted. */
export function momentsOf(life: DrivenLife, now: number, expiresAt: number): Moments {
  const valid = life['valid-until'];
  const expires = life['expires-at'];
  const leadMs = lastOfQuoteMs[life.ending === 'settled' ? 'settled' : 'expired'];
  if (expires === 'far' || expires === 'none') {
    if (valid === 'seconds') return { validUntil: now + secondsMs };
    if (valid === 'last') return { validUntil: now + briefMs, acceptAt: now + briefMs - leadMs };
    if (valid === 'after') return { validUntil: now + briefMs, acceptAt: now + briefMs + afterMs };
    return {};
  }
  const acceptAt = expiresAt - beforeExpiry[expires];
  const lastChance = Math.min(acceptAt, expiresAt);
  const quoteAt = lastChance - aheadMs;
  if (valid === 'seconds') return { quoteAt, acceptAt, validUntil: acceptAt + secondsMs };
  if (valid === 'last') return { quoteAt, acceptAt, validUntil: acceptAt + leadMs };
  if (valid === 'after') {
    const early = lastChance - briefMs - afterMs;
    return { quoteAt: early, acceptAt, validUntil: early + briefMs };
  }
  return { quoteAt, acceptAt, validUntil: acceptAt + farMs };
}

/** True if its acceptance must be granted, whatever the target's answers to the gaps. */
export const isInTime = (life: DrivenLife): boolean =>
  [life['valid-until'], life['expires-at']].every((near) => near === 'far' || near === 'seconds');

/** True if its acceptance comes too late. */
export const isTooLate = (life: DrivenLife): boolean =>
  [life['valid-until'], life['expires-at']].includes('after');

/** True if it ends only at the order's own deadline. */
export const awaitsExpiry = (life: DrivenLife): boolean =>
  !['far', 'none'].includes(life['expires-at']) ||
  (life.ending === 'expired' && life['valid-until'] !== 'last');
