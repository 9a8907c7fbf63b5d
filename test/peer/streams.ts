import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PeerClock } from './clock.ts';
import type { Defect } from './defects.ts';
import type { Dialect } from './dialect.ts';
import type { Announce } from './order-book.ts';
import type { PeerParty } from './parties.ts';

interface Stream {
  readonly member: PeerParty;
  readonly response: ServerResponse;
  readonly only: string | null;
  stop: () => void;
}

interface Opening {
  readonly member: PeerParty;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The order that the stream is limited to. */
  readonly only: string | null;
}

interface StreamsHost {
  readonly clock: PeerClock;
  readonly dialect: Dialect;
  readonly defect: Defect;
  /** Writes to a party's stream, as late as its view is. */
  readonly later: (party: string, write: () => void) => void;
  readonly moment: (ms: number) => string;
}

/** The event streams of a peer: who hears what, and the heartbeats. */
export function peerStreams({ clock, dialect, defect, later, moment }: StreamsHost) {
  const streams = new Set<Stream>();
  let sequence = 0;

  function write(stream: Stream, event: string, data: unknown): void {
    const lines: string[] = [];
    if (dialect.comments) lines.push(`: ${sequence}`);
    // Fields in an unusual order, which the format allows.
    lines.push(`data: ${JSON.stringify(data)}`, `event:${event}`);
    if (dialect.eventIds) lines.push(`id: ${sequence}`);
    sequence += 1;
    const text = `${lines.join(dialect.lineEnd)}${dialect.lineEnd}${dialect.lineEnd}`;
    later(stream.member.key, () => stream.response.write(text));
  }

  function beat(stream: Stream): void {
    const payload = { empty: {}, time: { at: moment(clock.now()) }, number: sequence };
    write(stream, 'heartbeat', payload[dialect.beat]);
  }

  function beatOn(stream: Stream): void {
    stream.stop = clock.after(defect === 'heartbeat-every-45s' ? 45_000 : 30_000, () => {
      beat(stream);
      beatOn(stream);
    });
  }

  const announce: Announce = (to, event, order, data) => {
    for (const stream of streams) {
      const isOther =
        stream.only !== null &&
        stream.only !== '' &&
        stream.only.toLowerCase() !== order.id.toLowerCase() &&
        defect !== 'stream-filter-ignored';
      if (stream.member.party === to && !isOther) write(stream, event, data);
    }
  };

  return {
    announce,
    open({ member, request, response, only }: Opening): void {
      response.writeHead(200, {
        'content-type': 'text/event-stream;charset=UTF-8',
        'cache-control': 'no-store',
      });
      const hello = dialect.bom ? `\uFEFF:hi${dialect.lineEnd}` : `retry: 500${dialect.lineEnd}`;
      response.write(`${hello}${dialect.lineEnd}`);
      const stream: Stream = { member, response, only, stop: () => {} };
      streams.add(stream);
      if (dialect.beatOnConnect) beat(stream);
      beatOn(stream);
      request.on('close', () => {
        stream.stop();
        streams.delete(stream);
      });
    },
    closeAll(): void {
      for (const stream of streams) {
        stream.stop();
        stream.response.destroy();
      }
    },
  };
}
