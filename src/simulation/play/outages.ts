import { tolerance } from '../../protocol/tolerances.ts';

/** A target that acts later than this could not be told from one that is late by itself. */
const longestMs = tolerance.deadlineLateMs - 500;

/** The times at which a target cannot act: they follow each other, and are never longer together than may be. */
export class Outages {
  #since = Number.NEGATIVE_INFINITY;
  #overMs = Number.NEGATIVE_INFINITY;

  /**
   * Begins one at a moment; answers how long it may last, at most as long as is asked for.
   * @param lateMs after its end the target may go on acting late for so long
   */
  begin(now: number, ms: number, lateMs = 0): number {
    if (now > this.#overMs) this.#since = now;
    const mostMs = this.#since + longestMs - now - lateMs;
    const grantedMs = Math.max(0, Math.min(ms, mostMs));
    if (grantedMs > 0) this.#overMs = Math.max(this.#overMs, now + grantedMs + lateMs);
    return grantedMs;
  }

  /** Whether what was due may not have happened yet: during one, and in the moment in which it ends. */
  isLate(now: number): boolean {
    return now <= this.#overMs;
  }

  /** When the last of them is over. */
  get overMs(): number {
    return this.#overMs;
  }
}
