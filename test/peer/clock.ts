/** A peer's own time: the host's, or one that is moved by hand. */
export interface PeerClock {
  now(): number;
  after(ms: number, fire: () => void): () => void;
}

export const hostClock = (): PeerClock => ({
  now: () => Date.now(),
  after: (ms, fire) => {
    // Pending work of a peer must not keep the process alive.
    const timer = setTimeout(fire, Math.min(ms, 2 ** 31 - 1)).unref();
    return () => clearTimeout(timer);
  },
});

export interface ManualClock extends PeerClock {
  advanceTo(moment: number): Promise<void>;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Moves only by `advanceTo`. Fires due timers in order, and lets streams flush after each. */
export function manualClock(start: number): ManualClock {
  let current = start;
  /** The earliest last, of one moment in the order of their coming. */
  const due: { readonly at: number; fire: (() => void) | undefined }[] = [];
  return {
    now: () => current,
    after(ms, fire) {
      const entry: (typeof due)[number] = { at: current + Math.max(0, ms), fire };
      let [low, high] = [0, due.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((due[middle]?.at ?? 0) > entry.at) low = middle + 1;
        else high = middle;
      }
      due.splice(low, 0, entry);
      return () => {
        entry.fire = undefined;
      };
    },
    async advanceTo(moment) {
      for (let next = due.at(-1); next && next.at <= moment; next = due.at(-1)) {
        due.pop();
        if (!next.fire) continue;
        current = Math.max(current, next.at);
        next.fire();
        await turn();
      }
      current = Math.max(current, moment);
      await turn();
    },
  };
}
