import type { Frame, StreamEnd, WireError } from '../../history/records.ts';
import { type LimitError, limitError, type LimitName, ownLimits } from '../../history/limits.ts';
import { readPayload } from '../payload/recorded-body.ts';
import { eventDecoder, type StreamMessage } from './event-decoder.ts';
import { type PreparedRequest, type PartyContext, runExchange } from '../exchange.ts';
import type { StreamSink } from '../http/transport.ts';

interface Listener {
  frame(frame: Frame): void;
  end(end: StreamEnd): void;
}

export type StreamConnection = Awaited<ReturnType<typeof connect>>;

type Task = () => void;

/** Opens a stream and records its frames, from the moment its opening is recorded, and its end. */
export async function connect(
  context: PartyContext,
  prepared: PreparedRequest,
  listener: Listener,
) {
  const { timeline, recorder } = context;
  let stream = '';
  let abort: Task = () => {};
  let isOpen = false;
  let count = 0;
  /** Pieces that arrive before the opening itself is recorded; they are handled after it. */
  let queued: Task[] | undefined = [];
  const inOrder = (task: Task): void => {
    if (queued) queued.push(task);
    else task();
  };

  /** Time at which a piece arrives. */
  function arrival() {
    const received = timeline.now();
    const since = context.views?.streamSince(context.party) ?? received;
    const after = Math.min(timeline.earliest?.() ?? received, since);
    return { received, after: after < received ? after : undefined };
  }

  function finish(cause: StreamEnd['cause'], message?: string, limit?: LimitName): void {
    if (!isOpen) return;
    isOpen = false;
    noteMidMessage();
    const { received: at, after } = arrival();
    const { by } = prepared;
    const { party } = context;
    listener.end(recorder.end({ by, party, stream, at, after, cause, message, limit }));
  }

  /** Ends the stream at a limit of ours. Later pieces are not seen, as if the stream had ended there. */
  function cutOff({ message, limit }: LimitError): void {
    abort();
    finish('us', message, limit);
  }

  function take({ event, id: eventId, data, comments }: StreamMessage): void {
    if (!isOpen) return;
    const idLength = eventId?.length ?? 0;
    if (Math.max(event.length, idLength) > ownLimits['text.chars'])
      return cutOff(limitError('text.chars'));
    const payload = readPayload(data);
    if (payload.limit) return cutOff(payload.limit);
    const { kept, cost } = payload;
    const beside = event.length + idLength + (comments ?? []).join('').length;
    const exceeded = context.memoryBudget.take(cost + beside);
    if (exceeded) return cutOff(limitError(exceeded));
    const frame = recorder.frame({
      by: prepared.by,
      party: context.party,
      role: context.role,
      stream,
      ...arrived,
      event,
      eventId,
      data: kept.body,
      text: kept.text,
      oddities: kept.oddities,
      comments,
    });
    listener.frame(frame);
    count += 1;
    if (count >= ownLimits['stream.messages']) cutOff(limitError('stream.messages'));
  }

  let arrived = arrival();
  const decoder = eventDecoder(take);
  const noteMidMessage = (): void => {
    if (isOpen && decoder.isMidMessage()) context.midMessage?.add(decoder);
    else context.midMessage?.delete(decoder);
  };
  const sink: StreamSink = {
    chunk(bytes) {
      const now = arrival();
      inOrder(() => {
        arrived = now;
        const exceeded = context.memoryBudget.takeStream(bytes.length);
        if (exceeded) cutOff(limitError(exceeded));
        else if (!decoder.feed(bytes)) cutOff(limitError('stream.message_chars'));
        noteMidMessage();
      });
    },
    end: (error?: WireError) =>
      inOrder(() => {
        // A connection that we close ourselves ends without an error.
        const cause = error?.code === 'aborted' ? 'us' : error ? 'error' : 'target';
        finish(cause, error && `${error.code}: ${error.message}`);
      }),
  };

  const { exchange, answer } = await runExchange(context, prepared, (request, id) => {
    stream = id;
    return context.transport.open(request, sink);
  });
  if (answer.kind === 'stream') {
    isOpen = true;
    abort = () => answer.abort();
  }
  const tasks = queued;
  queued = undefined;
  for (const task of tasks) task();

  return {
    exchange,
    isOpen: () => isOpen,
    /** Ends the stream from our side. */
    async close(): Promise<void> {
      if (!isOpen) return;
      finish('us');
      // In a turn, so that the target has seen the end before other work continues; aborted in any case.
      await timeline.turn(async () => abort()).catch(() => abort());
    },
  };
}
