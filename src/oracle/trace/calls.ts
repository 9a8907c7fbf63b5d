import { isCorrelationHeader } from '../../history/correlation.ts';
import type { Exchange, HistoryRecord, RecordedRequest } from '../../history/records.ts';
import { endpoints, type EndpointName, type ResultKind } from '../../spec/endpoints.ts';
import { isRefusal as refused, succeeded } from '../../protocol/answers.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';

/**
 * An exchange with its place in the history. Its effect happened between `open` and `close`. These are positions among
 * the records, so the order of two calls in one millisecond is still known.
 */
export interface Call {
  readonly exchange: Exchange;
  readonly id: string;
  readonly party: string;
  readonly endpoint: EndpointName | undefined;
  readonly open: number;
  readonly close: number;
  readonly status: number | undefined;
  readonly ok: boolean;
  /** Sent with the party's own token, or no token is needed: the answer is for that party. */
  readonly own: boolean;
  /** The JSON body of the answer, and the data that it wraps (the body itself, if the envelope is missing). */
  readonly body: unknown;
  readonly data: unknown;
  readonly sent: JsonObject | undefined;
}

/** True if call `a` was answered before call `b` was sent. */
export const precedes = (a: { readonly close: number }, b: { readonly open: number }): boolean =>
  a.close < b.open;

/** True if a request had only these headers and the correlation headers. */
export const sentOnly = ({ headers }: RecordedRequest, names: readonly string[]): boolean =>
  Object.keys(headers).every((name) => names.includes(name) || isCorrelationHeader(name));

const completedAt = (record: HistoryRecord): number =>
  record.kind === 'end' ? record.at : record.received;

const unwrapped = (body: unknown): unknown =>
  isObject(body) && body['data'] !== undefined ? body['data'] : body;

/** Treats an answer that may show an old view as a slow answer, sent at `shows.since`: rules know slow answers. */
function asSlow(exchange: Exchange): Exchange {
  const { shows, precededBy = 0 } = exchange;
  if (!shows) return exchange;
  return { ...exchange, sent: shows.since, precededBy: Math.max(0, precededBy - shows.recordsAgo) };
}

function callOf(exchange: Exchange, open: number, close: number): Call {
  const { response, endpoint } = exchange;
  const guarded = endpoint === undefined || endpoints[endpoint].roles.length > 0;
  return {
    exchange,
    id: exchange.id,
    party: exchange.party,
    endpoint,
    open,
    close,
    status: response?.status,
    ok: succeeded(exchange),
    own: exchange.auth === 'own' || !guarded,
    body: response?.body,
    data: unwrapped(response?.body),
    sent: isObject(exchange.request.body) ? exchange.request.body : undefined,
  };
}

/** For each place, the time by which all records up to it were complete. The list rises. */
export function placesOfCompletion(records: readonly HistoryRecord[]): readonly number[] {
  const ends: number[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const record of records) {
    latest = Math.max(latest, completedAt(record));
    ends.push(latest);
  }
  return ends;
}

/** Every exchange with its place. Records stand in the order of their completion. */
export function callsOf(records: readonly HistoryRecord[]): Call[] {
  const ends = placesOfCompletion(records);
  return records.flatMap((record, index) => {
    if (record.kind !== 'exchange') return [];
    const exchange = asSlow(record);
    return callOf(exchange, (exchange.precededBy ?? countBelow(ends, exchange.sent)) - 0.5, index);
  });
}

/** Number of values in a rising list that lie strictly below a bound. */
export function countBelow(rising: readonly number[], bound: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? Number.POSITIVE_INFINITY) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if the target may have carried out the request: success, no answer, or a 5xx before it could refuse. */
export const mayHaveTakenEffect = (call: Call): boolean =>
  call.ok || call.status === undefined || call.status >= 500;

export const resultKindOf = (call: Call): ResultKind =>
  call.endpoint === undefined ? 'open' : endpoints[call.endpoint].result;

/** True for any 4xx except 429, which is about the request rate and not about the caller or the request. */
export const isRefusal = ({ exchange }: Call): boolean => refused(exchange);

/**
 * True if the request was refused; false if it was served or redirected. Undefined if the history does not tell: no
 * complete answer came, or a 429 or 5xx, which did not look at the caller.
 */
export function wasRefused(call: Call): boolean | undefined {
  const { ok, status } = call;
  if (ok || isRefusal(call)) return !ok;
  return status !== undefined && status < 400 ? false : undefined;
}

/** 4xx statuses that are not about the content of a request: its token (401), a timeout (408), too early (425). */
const transportStatuses = [401, 408, 425];

/** True if the request was refused for its content. */
export const isDenied = (call: Call): boolean =>
  call.own && isRefusal(call) && !transportStatuses.includes(call.status ?? 0);

/** The violation of a request that should have been granted, and was refused. */
export const wronglyRefused = ({ status }: Pick<Call, 'status'>) =>
  ({ deviation: 'refused', must: { answered: '2xx' }, actual: status }) as const;

/** The violation of a request that should have been refused, and was not. */
export const letThrough = ({ status }: Pick<Call, 'status'>) =>
  ({ deviation: 'let through', must: { refused: '4xx' }, actual: status }) as const;
