import type { Correlation, Exchange, HistoryRecord } from './records.ts';

/** Headers that name a request in the target's own logs: W3C Trace Context, and the usual header beside it. */
export const correlationHeaders = ['traceparent', 'x-request-id'] as const;

export const isCorrelationHeader = (name: string): boolean =>
  (correlationHeaders as readonly string[]).includes(name);

export function correlationIn({ id, request }: Exchange): Correlation | undefined {
  const { traceparent, 'x-request-id': x_request_id } = request.headers;
  if (traceparent === undefined && x_request_id === undefined) return undefined;
  return {
    exchange: id,
    ...(x_request_id !== undefined && { x_request_id }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

/** Finds the correlation ids of exchanges and frames; a frame has those of the request that opened its stream. */
export function correlationFinder(
  records: readonly HistoryRecord[],
): (ids: readonly string[]) => readonly Correlation[] {
  const requests = new Map<string, Correlation>();
  for (const record of records) {
    const carried = record.kind === 'exchange' ? correlationIn(record) : undefined;
    if (carried) requests.set(carried.exchange, carried);
  }
  if (requests.size === 0) return () => [];
  const streams = new Map(
    records.flatMap((one) => (one.kind === 'frame' ? [[one.id, one.stream] as const] : [])),
  );
  return (ids) => {
    const opened = new Set(ids.map((id) => streams.get(id) ?? id));
    return [...opened].flatMap((id) => requests.get(id) ?? []);
  };
}

/** "order.cancel#3: x-request-id 4k…-9f…, traceparent 00-…". */
export const correlationText = ({ exchange, x_request_id, traceparent }: Correlation): string =>
  `${exchange}: ${[
    ...(x_request_id === undefined ? [] : [`x-request-id ${x_request_id}`]),
    ...(traceparent === undefined ? [] : [`traceparent ${traceparent}`]),
  ].join(', ')}`;
