import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Cancel, Clock } from '../../../timeline/clock/clock.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import { heartbeat } from '../../../spec/events.ts';
import { formatTimestamp } from '../../../spec/forms.ts';
import { limits } from '../../../spec/limits.ts';
import { createFeed, frameWriter } from './feed.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';
import type { FrameContext } from '../tamper.ts';
import type { World } from '../world/world.ts';
import type { PartySpec } from '../world/world-options.ts';

/** `retained`: events that a feed keeps for readers that resume. `maxBacklog`: events that a reader may fall behind. */
export interface StreamBounds {
  readonly retained: number;
  readonly maxBacklog: number;
}
export const defaultBounds: StreamBounds = { retained: 2048, maxBacklog: 1024 };

type StreamRequest = {
  /** Lower-case id of the order that the stream is limited to. */
  readonly intentId?: string;
  readonly lastEventId?: string;
};

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/**
 * The event streams of one party's backend (part 6).
 * @param jsonOf shared by all parties: one event often goes to several
 */
export function createStreams(
  world: World,
  party: PartySpec,
  epoch: string,
  jsonOf: (value: unknown) => string,
  bounds: StreamBounds,
) {
  const { clock, assignment, tamper } = world.options;
  const write = frameWriter(assignment['stream.line_end']);
  const resumes = assignment['stream.resume'] === 'last-event-id';
  const feed = createFeed(
    epoch,
    resumes ? write : (event, json) => write(event, json),
    bounds.retained,
    jsonOf,
    world.sent(party.partyId),
  );
  const subscribers = new Map<Subscriber, Cancel>();
  const intervalMs = tamper?.heartbeatMs ?? limits.heartbeatIntervalMs;
  const started = world.now();

  world.subscribe(party.partyId, (event) => {
    feed.push(event);
    for (const subscriber of subscribers.keys()) subscriber.pump();
  });

  const startOf = ({ lastEventId }: StreamRequest): number => {
    if (lastEventId === undefined || !resumes) return feed.next;
    return feed.after(lastEventId) ?? feed.next;
  };

  /** Lets the tamper, if there is one, alter the text of a message. */
  function frameHook(request: StreamRequest) {
    const hook = tamper?.frame?.bind(tamper);
    if (!hook) return (text: string): string | undefined => text;
    const stream = world.tamperContext(party).count('assay.streams');
    return (text: string, event: string, intentId?: string): string | undefined =>
      hook(text, {
        ...world.tamperContext(party),
        event: event as FrameContext['event'],
        stream,
        ...(intentId !== undefined && { intentId }),
        ...(request.intentId !== undefined && { filter: request.intentId }),
        resumed: request.lastEventId !== undefined,
      });
  }

  function attach(raw: ServerResponse, request: StreamRequest): void {
    // Without a socket there is no chunked framing, which would cost three writes a message.
    raw.useChunkedEncodingByDefault = raw.socket instanceof Socket;
    raw.writeHead(200, headers);
    raw.flushHeaders();
    const { intentId } = request;
    const applyFrameHook = frameHook(request);
    const subscriber = createSubscriber({
      feed,
      raw,
      from: startOf(request),
      maxBacklog: bounds.maxBacklog,
      wants: ({ event }) => intentId === undefined || event.intentId === intentId,
      textOf: (retained) =>
        applyFrameHook(retained.text(), retained.event.event, retained.event.intentId),
      onClose() {
        subscribers.get(subscriber)?.();
        subscribers.delete(subscriber);
      },
    });
    const send = (event: string, payload: unknown): void => {
      const text = applyFrameHook(write(event, JSON.stringify(payload)), event);
      if (text !== undefined) subscriber.send(text);
    };
    const beat = (): void => send(heartbeat, heartbeatPayload(assignment, world.now()));
    subscribers.set(subscriber, repeatEvery(clock, firstBeat(), intervalMs, beat));
    if (assignment['stream.extra_events'] === 'connected')
      send('connected', { timestamp: formatTimestamp(world.now()) });
    if (assignment['heartbeat.phase'] === 'on-connect-too') beat();
    subscriber.pump();
  }

  function firstBeat(): number {
    const now = world.now();
    if (assignment['heartbeat.phase'] !== 'common-tick') return now + intervalMs;
    return now + intervalMs - ((now - started) % intervalMs);
  }

  return {
    get open(): number {
      return subscribers.size;
    },
    attach,
    /** Cuts every connection, as a network does. */
    dropAll(): void {
      for (const subscriber of subscribers.keys()) subscriber.drop();
    },
    /** Cuts the connections that take nothing more. */
    dropStalled(): void {
      for (const subscriber of subscribers.keys()) if (subscriber.full) subscriber.drop();
    },
    /** Ends every stream; for good, at shutdown. */
    endAll(): void {
      for (const subscriber of subscribers.keys()) subscriber.end();
    },
    async flushed(): Promise<void> {
      await Promise.all([...subscribers.keys()].map((subscriber) => subscriber.flushed()));
    },
  };
}

/** Writes at a moment and every interval after it, without drift; never for an interval of 0. */
function repeatEvery(clock: Clock, first: number, intervalMs: number, write: () => void): Cancel {
  if (intervalMs <= 0) return () => undefined;
  let moment = first;
  const fireAndGoOn = (): void => {
    // A host that slept does not make up for the beats it missed.
    const missed = Math.max(0, Math.floor((clock.now() - moment) / intervalMs));
    moment += (missed + 1) * intervalMs;
    cancel = next();
    write();
  };
  const next = (): Cancel => clock.at(moment, fireAndGoOn, 'writes');
  let cancel = next();
  return () => cancel();
}

function heartbeatPayload(assignment: Assignment, now: number): unknown {
  switch (assignment['heartbeat.payload']) {
    case 'timestamp':
      return { timestamp: formatTimestamp(now) };
    case 'empty-object':
      return {};
    case 'server-time':
      return { server_time: formatTimestamp(now), status: 'alive' };
  }
}
