import type { Exchange, Frame, HistoryRecord, StreamEnd } from './records.ts';

/**
 * Builds records with all their members in the order in which they are written (absent ones as `undefined`), and with
 * no others. One hidden class for each kind makes it fast to read the members of thousands of records.
 */

export const exchangeOf = (
  seen: Omit<Exchange, 'kind'>,
): Exchange & Record<keyof Exchange, unknown> => ({
  kind: 'exchange',
  id: seen.id,
  world: seen.world,
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
  shows: seen.shows,
});

export const frameOf = (
  seen: Omit<Frame, 'kind' | 'id'>,
  id: string,
): Frame & Record<keyof Frame, unknown> => ({
  kind: 'frame',
  id,
  world: seen.world,
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
  comments: seen.comments,
});

export const endOf = (
  seen: Omit<StreamEnd, 'kind'>,
): StreamEnd & Record<keyof StreamEnd, unknown> => ({
  kind: 'end',
  world: seen.world,
  stream: seen.stream,
  by: seen.by,
  party: seen.party,
  at: seen.at,
  after: seen.after,
  cause: seen.cause,
  message: seen.message,
  limit: seen.limit,
});

/** Leaves out an age that adds nothing to the times of the exchange. */
function tellingAge({ shows, sent }: Exchange): Exchange['shows'] {
  return shows && (shows.recordsAgo > 0 || shows.since < sent) ? shows : undefined;
}

export function inRecordShape(record: HistoryRecord): HistoryRecord {
  switch (record.kind) {
    case 'exchange':
      return exchangeOf({ ...record, shows: tellingAge(record) });
    case 'frame':
      return frameOf(record, record.id);
    case 'end':
      return endOf(record);
  }
}
