import { type LimitName, ownLimits } from '../../history/limits.ts';
import type { KeptRoom } from '../../history/recorder.ts';

/**
 * An answer that costs more is no page of a usual list: it has some two thousand orders, or fifty thousand members.
 * Judging one takes as long as judging all that a sound backend sends in a second, so only a few are read.
 */
const largeFromBytes = 2 * 1024 * 1024;
/** Answers up to this cost are always kept: the number of calls in a run is limited. */
export const alwaysKeptBytes = 16 * 1024;

export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

/**
 * Limits on keeping what one party sends: a backend without bounds must not use up the memory of a run.
 * @param run remaining room of all parties together
 */
export function createMemoryBudget(run: KeptRoom, bytes: number = ownLimits['party.kept_bytes']) {
  let left = bytes;
  let leftForLarge = Math.min(bytes, ownLimits['party.large_bytes']);
  const isLarge = (cost: number): boolean => cost > largeFromBytes;
  /** The limit that an item of this cost would exceed; undefined while there is room. */
  const exceeded = (cost: number): LimitName | undefined => {
    if (cost > left) return 'party.kept_bytes';
    if (cost > run.bytes) return run.limit;
    return isLarge(cost) && cost > leftForLarge ? 'party.large_bytes' : undefined;
  };
  return {
    exceeded,
    /** Takes about `cost` bytes of memory. If that exceeds a limit, takes nothing and returns the limit. */
    take(cost: number): LimitName | undefined {
      const limit = exceeded(cost);
      if (limit !== undefined) return limit;
      left -= cost;
      run.bytes -= cost;
      if (isLarge(cost)) leftForLarge -= cost;
      return undefined;
    },
    /** Takes bytes that an event stream brought. If they exceed a limit, takes nothing and returns the limit. */
    takeStream(count: number): LimitName | undefined {
      if (count > run.streamBytes) return 'run.stream_bytes';
      run.streamBytes -= count;
      return undefined;
    },
  };
}
