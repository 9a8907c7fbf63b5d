import { type LimitName, ownLimits } from '../../history/limits.ts';
import type { KeptRoom } from '../../history/recorder.ts';

/** How much of what one party sends is kept: a backend without measure must not use up the memory of a run. */
export interface MemoryBudget {
  /** The limit that something at such a cost would exceed; undefined while there is room. */
  exceeded(cost: number): LimitName | undefined;
  /** Takes what something costs, in bytes of memory, about, unless it exceeds a limit: then that. */
  take(cost: number): LimitName | undefined;
  /** Takes so many bytes that an event stream brought, unless they exceed a limit: then that. */
  takeStream(bytes: number): LimitName | undefined;
}

/**
 * What costs more is no page of a usual list: that is some two thousand orders in one answer, or fifty thousand members.
 * Each takes as long to judge as all that a sound backend sends in a second, so only a few are looked at.
 */
const largeFromBytes = 2 * 1024 * 1024;
/** Answers that cost no more are kept in any case: a run makes only so many calls. */
export const alwaysKeptBytes = 16 * 1024;

/** @param run what is left for all parties together */
export function createMemoryBudget(
  run: KeptRoom,
  bytes: number = ownLimits['party.kept_bytes'],
): MemoryBudget {
  let left = bytes;
  let leftForLarge = Math.min(bytes, ownLimits['party.large_bytes']);
  const isLarge = (cost: number): boolean => cost > largeFromBytes;
  const exceeded = (cost: number): LimitName | undefined => {
    if (cost > left) return 'party.kept_bytes';
    if (cost > run.bytes) return run.limit;
    return isLarge(cost) && cost > leftForLarge ? 'party.large_bytes' : undefined;
  };
  return {
    exceeded,
    take(cost) {
      const limit = exceeded(cost);
      if (limit !== undefined) return limit;
      left -= cost;
      run.bytes -= cost;
      if (isLarge(cost)) leftForLarge -= cost;
      return undefined;
    },
    takeStream(count) {
      if (count > run.streamBytes) return 'run.stream_bytes';
      run.streamBytes -= count;
      return undefined;
    },
  };
}
