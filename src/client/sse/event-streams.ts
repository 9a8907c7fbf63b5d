import type { Exchange, StreamEnd } from '../../history/records.ts';
import { createSignal } from '../../timeline/signal.ts';
import { type StreamConnection, connect } from './stream-connection.ts';
import type { EventStream } from '../contract.ts';
import type { PreparedRequest, PartyContext } from '../exchange.ts';
import { createFrameLog } from './frame-log.ts';

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
    find: (match, until, since) => log.find(match, until, since),
    close: () => opened.close(),
  };
}

/** A stream that is opened again whenever it ends, until it is closed. */
export interface ReconnectingStream extends EventStream {
  /** Opens the stream for the first time, and keeps it open from then on. Returns the exchange of that attempt. */
  open(): Promise<Exchange>;
}

/** A stream that lasted at least this long is opened again at once. Others wait, longer each time. */
const reconnectAtOnceAfterMs = 10_000;
const pauseMs = { first: 1_000, longest: 30_000 } as const;

/** @param prepare makes the request, given the id of the last message that had one */
export function reconnectingStream(
  context: PartyContext,
  prepare: (lastEventId: string | undefined) => Promise<PreparedRequest>,
): ReconnectingStream {
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
    open: async () => connection?.exchange ?? openOnce(),
    find: (match, until, since) => log.find(match, until, since),
    async close() {
      closed = true;
      closing.ring();
      log.wakeAll();
      await connection?.close();
    },
  };
}
