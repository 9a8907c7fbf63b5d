/**
 * A bucket that holds the requests of one second and refills evenly, on the clock that the caller reads. Returns the
 * milliseconds until the next request is let through; 0 if this one is.
 */
const tokenBucket = (perSecond: number) => {
  let filled = perSecond;
  let at = Number.NEGATIVE_INFINITY;
  return (now: number): number => {
    if (now > at) {
      filled = Math.min(perSecond, filled + ((now - at) * perSecond) / 1000);
      at = now;
    }
    if (filled < 1) return Math.ceil(((1 - filled) * 1000) / perSecond);
    filled -= 1;
    return 0;
  };
};

/** Rate limit of gap `limits.rate`: `none`, or a number of requests per second. */
export function rateLimitOf(answer: string) {
  const perSecond = Number.parseInt(answer, 10);
  return Number.isNaN(perSecond) ? undefined : tokenBucket(perSecond);
}
