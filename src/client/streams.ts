import type { Exchange, StreamEnd } from '../history/records.ts';
import { createBell } from '../runtime/bell.ts';
import { type Connection, connect } from './connection.ts';
import type { EventStream } from './contract.ts';
import type { Asked, Line } from './exchange.ts';
import { createFrameLog } from './frame-log.ts';

/** A stream of its own: it ends once. */
export async function openStream(line: Line, asked: Asked): Promise<EventStream> {
  let ended: StreamEnd | undefined;
  let connection: Connection | undefined;
  const isOpen = (): boolean => connection?.isOpen() ?? ended === undefined;
  const log = createFrameLog(line.timeline, () => !isOpen());
  const opened = await connect(line, asked, {
    frame: (frame) => log.add(frame),
    end(end) {
      ended = end;
      log.stir();
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

/** A stream that is opened anew whenever it ends, until it is closed. */
export interface LastingStream extends EventStream {
  /** Opens it for the first time; answers the exchange that did, or tried. From then on it is kept open. */
  open(): Promise<Exchange>;
}

/** One that lasted so long is opened anew at once; others only after a while, and each time a longer one. */
const steadyMs = 10_000;
const pauseMs = { first: 1_000, longest: 30_000 } as const;

/** @param ask how to ask for it, given the id of the last message that had one */
export function lastingStream(
  line: Line,
  ask: (lastEventId: string | undefined) => Promise<Asked>,
): LastingStream {
  const { timeline } = line;
  let connection: Connection | undefined;
  let ended: StreamEnd | undefined;
  let lastEventId: string | undefined;
  let openedAt = 0;
  let pause: number = pauseMs.first;
  let closed = false;
  const closing = createBell();
  const log = createFrameLog(timeline, () => closed);

  async function dial(): Promise<Exchange> {
    const asked = await ask(lastEventId);
    openedAt = timeline.now();
    let made: Connection | undefined;
    made = await connect(line, asked, {
      frame(frame) {
        lastEventId = frame.eventId ?? lastEventId;
        log.add(frame);
      },
      end(end) {
        ended = end;
        log.stir();
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
      .background(`events of ${line.party}`, async () => {
        if (timeline.now() - openedAt >= steadyMs) pause = pauseMs.first;
        else await timeline.wait(closing, timeline.now() + pause);
        pause = Math.min(pause * 2, pauseMs.longest);
        if (!closed) await dial();
      })
      // It fails only with the whole timeline, which tells everybody who waits.
      .catch(() => {});
  }

  return {
    get opened() {
      if (!connection) throw new Error(`the events of ${line.party} were never opened`);
      return connection.exchange;
    },
    get isOpen() {
      return connection?.isOpen() ?? false;
    },
    frames: log.frames,
    get ended() {
      return connection?.isOpen() ? undefined : ended;
    },
    open: async () => connection?.exchange ?? dial(),
    find: (match, until, since) => log.find(match, until, since),
    async close() {
      closed = true;
      closing.ring();
      log.stir();
      await connection?.close();
    },
  };
}
