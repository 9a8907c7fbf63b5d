/** A peer's own time: the host's, or one that is moved by hand. */
export interface PeerClock {
  now(): number;
  after(ms: number, fire: () => void): () => void;
}

export const hostClock = (): PeerClock => ({
  now: () => Date.now(),
  after: (ms, fire) => {
    // What a peer still has to do does not keep a process alive that is done with it.
    const timer = setTimeout(fire, Math.min(ms, 2 ** 31 - 1)).unref();
    return () => clearTimeout(timer);
  },
});

export interface ManualClock extends PeerClock {
  advanceTo(moment: number): Promise<void>;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Moves only when told; fires what is due in order, and lets streams flush after each. */
export function manualClock(start: number): ManualClock {
  let current = start;
  let count = 0;
  let due: { at: number; order: number; fire: () => void }[] = [];
  return {
    now: () => current,
    after(ms, fire) {
      const entry = { at: current + Math.max(0, ms), order: count++, fire };
      due.push(entry);
      return () => {
        due = due.filter((other) => other !== entry);
      };
    },
    async advanceTo(moment) {
      for (;;) {
        const next = due
          .filter((entry) => entry.at <= moment)
          .toSorted((a, b) => a.at - b.at || a.order - b.order)[0];
        if (!next) break;
        due = due.filter((entry) => entry !== next);
        current = Math.max(current, next.at);
        next.fire();
        await turn();
      }
      current = Math.max(current, moment);
      await turn();
    },
  };
}
