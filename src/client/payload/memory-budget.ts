/** How much of what one party sends is kept: a backend without measure must not use up the memory of a run. */
export interface MemoryBudget {
  /** Whether something at such a cost could be taken. */
  hasRoom(cost: number): boolean;
  /** Takes what something costs, in bytes of memory, about; false: that much is not left. */
  take(cost: number): boolean;
}

const usualBytes = 128 * 1024 * 1024;

/** Answers that cost no more are kept in any case: a run makes only so many calls. */
export const alwaysKeptBytes = 16 * 1024;

export const overMemoryBudget = 'this party has sent more than is kept of one';

export function createMemoryBudget(bytes: number = usualBytes): MemoryBudget {
  let left = bytes;
  return {
    hasRoom: (cost) => cost <= left,
    take(cost) {
      if (cost > left) return false;
      left -= cost;
      return true;
    },
  };
}
