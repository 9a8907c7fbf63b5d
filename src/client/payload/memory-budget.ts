/** How much of what one party sends is kept: a backend without measure must not use up the memory of a run. */
export interface MemoryBudget {
  /** Whether something at such a cost could be taken. */
  hasRoom(cost: number): boolean;
  /** Takes what something costs, in bytes of memory, about; false: that much is not left. */
  take(cost: number): boolean;
}

const usualBytes = 128 * 1024 * 1024;

/**
 * What costs more is no page of a usual list: that is some two thousand orders in one answer, or fifty thousand members.
 * Each takes as long to judge as all that a sound backend sends in a second, so only a few are looked at.
 */
const largeFromBytes = 2 * 1024 * 1024;
/** What all that is so large may cost together. */
const allLargeBytes = 24 * 1024 * 1024;

/** Answers that cost no more are kept in any case: a run makes only so many calls. */
export const alwaysKeptBytes = 16 * 1024;

export const overMemoryBudget = 'this party has sent more than is kept of one';

export function createMemoryBudget(bytes: number = usualBytes): MemoryBudget {
  let left = bytes;
  let leftForLarge = Math.min(bytes, allLargeBytes);
  const isLarge = (cost: number): boolean => cost > largeFromBytes;
  const hasRoom = (cost: number): boolean =>
    cost <= left && !(isLarge(cost) && cost > leftForLarge);
  return {
    hasRoom,
    take(cost) {
      if (!hasRoom(cost)) return false;
      left -= cost;
      if (isLarge(cost)) leftForLarge -= cost;
      return true;
    },
  };
}
