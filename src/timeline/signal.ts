import type { Signal } from './timeline.ts';

export function createSignal(): Signal {
  let waiting = new Set<() => void>();
  return {
    ring() {
      // A wait that begins while the signal rings waits for the next ring.
      const now = waiting;
      waiting = new Set();
      for (const wake of now) wake();
    },
    onRing(wake) {
      // A fresh function each time: the same wake may wait twice.
      const entry = (): void => wake();
      waiting.add(entry);
      return () => {
        waiting.delete(entry);
      };
    },
  };
}
