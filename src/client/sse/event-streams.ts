import type { Exchange, Frame, StreamEnd } from '../../history/records.ts';
import { createSignal } from '../../timeline/signal.ts';
import type { Signal, Timeline } from '../../timeline/timeline.ts';
import { type StreamConnection, connect } from './stream-connection.ts';
import type { EventStream } from '../contract.ts';
import type { PreparedRequest, PartyContext } from '../exchange.ts';

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

/**
 * The frames of a stream so far, and a way to wait for more.
 * @param isOver true if no frame can come any more
 */
function createFrameLog(timeline: Timeline, isOver: () => boolean) {
  const frames: Frame[] = [];
  // Each search has a signal of its own: waking fifty searches for every frame would cost more than the frames.
  const searches = new Set<Search>();
  return {
    frames: frames as readonly Frame[],
    add(frame: Frame): void {
      frames.push(frame);
      for (const search of searches) {
        if (search.found || !search.match(frame)) continue;
        search.found = frame;
        search.signal.ring();
      }
    },
    /** Wakes all searches, although no frame was added. */
    wakeAll(): void {
      for (const { signal } of searches) signal.ring();
    },
    find: async (...[match, until, since]: Parameters<EventStream['find']>) => {
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

/** Opens a stream that ends once and is not opened again. */
export async function openStream(
  context: PartyContext,
  prepared: PreparedRequest,
): Promise<EventStream> {
  let ended: StreamEnd | undefined;
  let connection: StreamConnection | undefined;
  const isOpen = (): boolean => connection?.isOpen() ?? ended === undefined;
  const log = createFrameLog(context.timeline, () => !isOpen());
  const opened = await connect(context, prepared, {
    frame: (frame) => log.add(frame),
    end(end) {
      ended = end;
      log.wakeAll();
    },
  });
  connection = opened;
  return {
    opened: opened.exchange,
    get isOpen() {
      return isOpen();
    },
    frames: log.frames,
    get ended() {
      return ended;
    },
    find: log.find,
    close: () => opened.close(),
  };
}

/** A stream that lasted at least this long is opened again at once. Others wait, longer each time. */
const reconnectAtOnceAfterMs = 10_000;
const pauseMs = { first: 1_000, longest: 30_000 } as const;

/**
 * A stream that is opened again whenever it ends, until it is closed.
 * @param prepare makes the request, given the id of the last message that had one
 */
export function reconnectingStream(
  context: PartyContext,
  prepare: (lastEventId: string | undefined) => Promise<PreparedRequest>,
): EventStream & { open(): Promise<Exchange> } {
  const { timeline } = context;
  let connection: StreamConnection | undefined;
  let ended: StreamEnd | undefined;
  let lastEventId: string | undefined;
  let openedAt = 0;
  let pause: number = pauseMs.first;
  let closed = false;
  const closing = createSignal();
  const log = createFrameLog(timeline, () => closed);

  async function openOnce(): Promise<Exchange> {
    const prepared = { ...(await prepare(lastEventId)), once: true } as const;
    openedAt = timeline.now();
    let made: StreamConnection | undefined;
    made = await connect(context, prepared, {
      frame(frame) {
        lastEventId = frame.eventId ?? lastEventId;
        log.add(frame);
      },
      end(end) {
        ended = end;
        log.wakeAll();
        if (made) reopen();
      },
    });
    connection = made;
    if (closed) await made.close();
    else if (!made.isOpen()) reopen();
    return made.exchange;
  }

  function reopen(): void {
    if (closed) return;
    timeline
      .background(`events of ${context.party}`, async () => {
        if (timeline.now() - openedAt >= reconnectAtOnceAfterMs) pause = pauseMs.first;
        else await timeline.wait(closing, timeline.now() + pause);
        pause = Math.min(pause * 2, pauseMs.longest);
        if (!closed) await openOnce();
      })
      // It fails only where the whole timeline fails, and then every wait on it fails as well.
      .catch(() => {});
  }

  return {
    get opened() {
      if (!connection) throw new Error(`the events of ${context.party} were never opened`);
      return connection.exchange;
    },
    get isOpen() {
      return connection?.isOpen() ?? false;
    },
    frames: log.frames,
    get ended() {
      return connection?.isOpen() ? undefined : ended;
    },
    /** Opens the stream for the first time, and keeps it open from then on. Returns the exchange of that attempt. */
    open: async () => connection?.exchange ?? openOnce(),
    find: log.find,
    async close() {
      closed = true;
      closing.ring();
      log.wakeAll();
      await connection?.close();
    },
  };
}
