import type { Exchange, Frame, StreamEnd, WireError } from '../history/records.ts';
import { beyondAllowance } from './allowance.ts';
import { type Payload, readPayload, recordCost } from './body.ts';
import { eventDecoder, type StreamMessage } from './event-decoder.ts';
import { type Asked, type Line, runExchange } from './exchange.ts';
import type { StreamSink } from './transport.ts';

/** What one connection may bring before it is cut: whoever sends more, sends without end. */
const most = { frames: 50_000, bytes: 64 * 1024 * 1024 } as const;

export interface Listener {
  frame(frame: Frame): void;
  end(end: StreamEnd): void;
}

/** One opening of a stream. */
export interface Connection {
  readonly exchange: Exchange;
  isOpen(): boolean;
  /** Ends it from our side. */
  close(): Promise<void>;
}

/** When a piece arrived. */
interface Arrival {
  readonly received: number;
  readonly after: number | undefined;
}

type Deed = () => void;

/** Opens a stream and records its frames, from the moment its opening is recorded, and its end. */
export async function connect(line: Line, asked: Asked, listener: Listener): Promise<Connection> {
  const { timeline, recorder } = line;
  let stream = '';
  let abort: Deed = () => {};
  let isOpen = false;
  let count = 0;
  let bytesRead = 0;
  /** What arrives before the opening itself is recorded waits for that. */
  let early: Deed[] | undefined = [];
  const inOrder = (deed: Deed): void => {
    if (early) early.push(deed);
    else deed();
  };

  function arrival(): Arrival {
    const received = timeline.now();
    const after = timeline.earliest?.() ?? received;
    return { received, after: after < received ? after : undefined };
  }

  function finish(cause: StreamEnd['cause'], message?: string): void {
    if (!isOpen) return;
    isOpen = false;
    const { received: at, after } = arrival();
    listener.end(
      recorder.end({
        by: asked.by,
        party: line.party,
        stream,
        at,
        after,
        cause,
        message,
      }),
    );
  }

  function cutOff(message: string): void {
    abort();
    finish('error', message);
  }

  function take(message: StreamMessage, arrived: Arrival): void {
    if (!isOpen) return;
    const { kept, cost }: { readonly kept: Payload; readonly cost: number } =
      message.data === undefined ? { kept: {}, cost: recordCost } : readPayload(message.data);
    const beside = message.comments?.join('').length ?? 0;
    if (!line.allowance.take(cost + beside)) return cutOff(beyondAllowance);
    const frame = recorder.frame({
      by: asked.by,
      party: line.party,
      role: line.role,
      stream,
      received: arrived.received,
      after: arrived.after,
      event: message.event,
      eventId: message.id,
      data: kept.body,
      text: kept.text,
      oddities: kept.oddities,
      comments: message.comments,
    });
    listener.frame(frame);
    count += 1;
    if (count >= most.frames) cutOff(`more than ${most.frames} messages`);
  }

  let arrived = arrival();
  const decoder = eventDecoder((message) => take(message, arrived));
  const sink: StreamSink = {
    chunk(bytes) {
      const now = arrival();
      inOrder(() => {
        arrived = now;
        bytesRead += bytes.length;
        if (bytesRead > most.bytes) cutOff(`more than ${most.bytes} bytes`);
        else if (!decoder.feed(bytes)) cutOff('a message is larger than is read');
      });
    },
    end: (error?: WireError) =>
      inOrder(() => finish(error ? 'error' : 'target', error && `${error.code}: ${error.message}`)),
  };

  const { exchange, answer } = await runExchange(line, asked, (request, id) => {
    stream = id;
    return line.transport.open(request, sink);
  });
  if (answer.kind === 'stream') {
    isOpen = true;
    abort = () => answer.abort();
  }
  const deeds = early;
  early = undefined;
  for (const deed of deeds) deed();

  return {
    exchange,
    isOpen: () => isOpen,
    async close() {
      if (!isOpen) return;
      finish('us');
      // A turn, so that the target has seen it before anybody goes on; aborted in any case.
      await timeline.turn(async () => abort()).catch(() => abort());
    },
  };
}
