import { isCorrelationHeader } from '../../history/correlation.ts';
import type { Exchange, HistoryRecord, RecordedRequest } from '../../history/records.ts';
import { endpoints, type EndpointName, type ResultKind } from '../../spec/endpoints.ts';
import { isRefusal as refused, succeeded } from '../../protocol/answers.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';

/**
 * An exchange with its place in the history. What happened at it, happened between `open` and `close`: positions
 * among the records, so that two calls of one millisecond are still known to have followed each other.
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
  /** Sent with the party's own token, or where none is needed: the answer speaks to that party. */
  readonly own: boolean;
  /** The JSON body of the answer, and what it wraps (itself, where the envelope is missing). */
  readonly body: unknown;
  readonly data: unknown;
  readonly sent: JsonObject | undefined;
}

/** Whether one call had been answered before another was sent. */
export const precedes = (a: { readonly close: number }, b: { readonly open: number }): boolean =>
  a.close < b.open;

/** True if a request had only these headers and the correlation headers. */
export const sentOnly = ({ headers }: RecordedRequest, names: readonly string[]): boolean =>
  Object.keys(headers).every((name) => names.includes(name) || isCorrelationHeader(name));

const completedAt = (record: HistoryRecord): number =>
  record.kind === 'end' ? record.at : record.received;

const unwrapped = (body: unknown): unknown =>
  isObject(body) && body['data'] !== undefined ? body['data'] : body;

/** A view that may be old shows what an answer could that had been on its way since then: rules know slow answers. */
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

/** By place, the moment by which all records so far were complete: a rising list. */
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

/** How many of a rising list lie strictly below a bound. */
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

/** What the target may have carried out: it said so, or broke off before it could say no. */
export const mayHaveTakenEffect = (call: Call): boolean =>
  call.ok || call.status === undefined || call.status >= 500;

export const resultKindOf = (call: Call): ResultKind =>
  call.endpoint === undefined ? 'open' : endpoints[call.endpoint].result;

/** Any 4xx, save the one that speaks of the pace of asking and not of who asks, or for what. */
export const isRefusal = ({ exchange }: Call): boolean => refused(exchange);

/**
 * Whether a request that must be refused was: not so where it was served or redirected. Undefined where nothing tells:
 * no complete answer came, and neither a 429 nor a 5xx has looked at who asks.
 */
export function wasRefused(call: Call): boolean | undefined {
  const { ok, status } = call;
  if (ok || isRefusal(call)) return !ok;
  return status !== undefined && status < 400 ? false : undefined;
}

/** 4xx whose reason lies with the request's way here: its token, its time and its haste. */
const transportStatuses = [401, 408, 425];

/** Refused for what was asked. */
export const isDenied = (call: Call): boolean =>
  call.own && isRefusal(call) && !transportStatuses.includes(call.status ?? 0);
