import { readPayload } from '../client/payload/recorded-body.ts';
import { eventDecoder } from '../client/sse/event-decoder.ts';
import { type LimitError, limitError, ownLimits } from '../history/limits.ts';
import type { StreamEnd } from '../history/records.ts';
import { driver, type ProxiedParty } from './proxied-party.ts';
import type { Window } from './window.ts';

/** Records the messages of one stream, each at the moment at which it passed, and the end of the stream. */
export interface StreamReader {
  feed(bytes: Buffer, at: number): void;
  end(cause: StreamEnd['cause'], at: number): void;
}

/** @param stream the id of the exchange that opened it */
export function createStreamReader(
  { name: party, role }: ProxiedParty,
  stream: string,
  window: Pick<Window, 'frame' | 'end' | 'weigh'>,
): StreamReader {
  const of = { by: driver, party, stream } as const;
  let received = 0;
  let isOver = false;
  let count = 0;

  function end(cause: StreamEnd['cause'], at: number, reached?: LimitError): void {
    if (isOver) return;
    isOver = true;
    window.end({ ...of, at, cause, message: reached?.message, limit: reached?.limit });
  }

  const decoder = eventDecoder(({ data, id: eventId, ...message }) => {
    if (isOver) return;
    const payload = readPayload(data);
    if (payload.limit) return end('us', received, payload.limit);
    const { body, ...kept } = payload.kept;
    window.frame({ ...of, ...message, ...kept, role, received, eventId, data: body });
    window.weigh(data?.length ?? 0);
    count += 1;
    if (count >= ownLimits['stream.messages']) end('us', received, limitError('stream.messages'));
  });

  return {
    feed(bytes, at) {
      received = at;
      if (!isOver && !decoder.feed(bytes)) end('us', at, limitError('stream.message_chars'));
    },
    end,
  };
}
