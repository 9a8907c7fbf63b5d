import type { Exchange, Frame, History, HistoryRecord, StreamEnd } from './records.ts';

/** Collects what is seen in a run. It keeps what was sent and received as it was: masking is for what is written. */
export interface Recorder extends History {
  /** The id for the next exchange of one driver: its own count, so that nobody else can shift it. */
  nextId(by: string): string;
  /** Under an id drawn when it was sent. */
  exchange(exchange: Omit<Exchange, 'kind'>): Exchange;
  frame(frame: Omit<Frame, 'kind' | 'id'>): Frame;
  end(end: Omit<StreamEnd, 'kind'>): StreamEnd;
}

// All records of a kind have all members in one order, those that are absent too: whoever reads some thousands of them
// is served far faster than with as many shapes as there are combinations.

const exchangeOf = (seen: Omit<Exchange, 'kind'>): Exchange & Record<keyof Exchange, unknown> => ({
  kind: 'exchange',
  id: seen.id,
  by: seen.by,
  party: seen.party,
  role: seen.role,
  sent: seen.sent,
  received: seen.received,
  endpoint: seen.endpoint,
  params: seen.params,
  query: seen.query,
  auth: seen.auth,
  request: seen.request,
  response: seen.response,
  error: seen.error,
  opensStream: seen.opensStream,
  claims: seen.claims,
  precededBy: seen.precededBy,
});

const frameOf = (
  id: string,
  seen: Omit<Frame, 'kind' | 'id'>,
): Frame & Record<keyof Frame, unknown> => ({
  kind: 'frame',
  id,
  stream: seen.stream,
  by: seen.by,
  party: seen.party,
  role: seen.role,
  received: seen.received,
  after: seen.after,
  event: seen.event,
  eventId: seen.eventId,
  data: seen.data,
  text: seen.text,
  oddities: seen.oddities,
});

export function createRecorder(): Recorder {
  const records: HistoryRecord[] = [];
  const counts = new Map<string, number>();

  function nextId(by: string): string {
    const count = (counts.get(by) ?? 0) + 1;
    counts.set(by, count);
    return `${by}#${count}`;
  }

  function add<T extends HistoryRecord>(record: T): T {
    records.push(record);
    return record;
  }

  return {
    records,
    nextId,
    exchange: (exchange) => add(exchangeOf(exchange)),
    frame: (frame) => add(frameOf(nextId(frame.by), frame)),
    end: (end) => add({ ...end, kind: 'end' }),
  };
}
