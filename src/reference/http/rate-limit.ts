/** Milliseconds until the next request is let through; 0 if this one is. */
export type RateLimit = (now: number) => number;

/** A bucket that holds the requests of one second and refills evenly, on the clock that the caller reads. */
function tokenBucket(perSecond: number): RateLimit {
  let filled = perSecond;
  let at = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now > at) {
      filled = Math.min(perSecond, filled + ((now - at) * perSecond) / 1000);
      at = now;
    }
    if (filled >= 1) {
      filled -= 1;
      return 0;
    }
    return Math.ceil(((1 - filled) * 1000) / perSecond);
  };
}

/** Rate limit of gap `limits.rate`: `none`, or a number of requests per second. */
export function rateLimitOf(answer: string): RateLimit | undefined {
  const perSecond = Number.parseInt(answer, 10);
  return Number.isNaN(perSecond) ? undefined : tokenBucket(perSecond);
}
