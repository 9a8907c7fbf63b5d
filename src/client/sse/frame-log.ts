import type { Frame } from '../../history/records.ts';
import { createSignal } from '../../timeline/signal.ts';
import type { Signal, Timeline } from '../../timeline/timeline.ts';

/** The frames of a stream so far, and a way to wait for more. */
export interface FrameLog {
  readonly frames: readonly Frame[];
  add(frame: Frame): void;
  /** Wakes all searches, although no frame was added. */
  wakeAll(): void;
  /** See `EventStream`. */
  find(match: (frame: Frame) => boolean, until: number, since?: number): Promise<Frame | undefined>;
}

/** Index of the first frame received at `instant` or later. Frames are in the order of their arrival. */
function indexSince(frames: readonly Frame[], instant: number): number {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((frames[middle]?.received ?? instant) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A wait for a frame that matches. */
interface Search {
  readonly match: (frame: Frame) => boolean;
  readonly signal: Signal;
  found?: Frame;
}

/** @param isOver true if no frame can come any more */
export function createFrameLog(timeline: Timeline, isOver: () => boolean): FrameLog {
  const frames: Frame[] = [];
  // Each search has a signal of its own: waking fifty searches for every frame would cost more than the frames.
  const searches = new Set<Search>();
  return {
    frames,
    add(frame) {
      frames.push(frame);
      for (const search of searches) {
        if (search.found || !search.match(frame)) continue;
        search.found = frame;
        search.signal.ring();
      }
    },
    wakeAll() {
      for (const { signal } of searches) signal.ring();
    },
    async find(match, until, since) {
      const from = since === undefined ? 0 : indexSince(frames, since);
      for (let index = from; index < frames.length; index += 1) {
        const frame = frames[index];
        if (frame && match(frame)) return frame;
      }
      const search: Search = { match, signal: createSignal() };
      searches.add(search);
      try {
        while (!search.found && !isOver() && timeline.now() < until) {
          await timeline.wait(search.signal, until);
        }
        return search.found;
      } finally {
        searches.delete(search);
      }
    },
  };
}
