import type { Frame } from '../history/records.ts';
import { createBell } from '../runtime/bell.ts';
import type { Timeline } from '../runtime/timeline.ts';

/** The frames of a stream so far, and a way to wait for more. */
export interface FrameLog {
  readonly frames: readonly Frame[];
  add(frame: Frame): void;
  /** Wakes whoever searches, though nothing was added. */
  stir(): void;
  /** See `EventStream`. */
  find(match: (frame: Frame) => boolean, until: number, since?: number): Promise<Frame | undefined>;
}

/** Where the frames begin that were received at a moment or later. They stand in the order in which they came. */
export function indexSince(frames: readonly Frame[], moment: number): number {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((frames[middle]?.received ?? moment) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param isOver whether no frame can come any more */
export function createFrameLog(timeline: Timeline, isOver: () => boolean): FrameLog {
  const frames: Frame[] = [];
  const bell = createBell();
  return {
    frames,
    add(frame) {
      frames.push(frame);
      bell.ring();
    },
    stir: () => bell.ring(),
    async find(match, until, since) {
      let next = since === undefined ? 0 : indexSince(frames, since);
      for (;;) {
        for (; next < frames.length; next += 1) {
          const frame = frames[next];
          if (frame && match(frame)) return frame;
        }
        if (isOver() || timeline.now() >= until) return undefined;
        await timeline.wait(bell, until);
      }
    },
  };
}
