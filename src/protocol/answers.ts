import type { Exchange, HistoryRecord } from '../history/records.ts';
import { endpoints } from '../spec/endpoints.ts';
import { isObject, type JsonObject, textOf } from './json.ts';

export { isObject, type JsonObject as Fields, shownText, textOf } from './json.ts';

/** Reads answers: their contents, and whether they granted the request. */

/**
 * Statuses of gateways, and of servers that gave up before the request was complete. They say nothing about the
 * service.
 */
const gatewayStatuses: readonly (number | undefined)[] = [408, 502, 503, 504];
export const isGatewayStatus = (status: number | undefined): boolean =>
  gatewayStatuses.includes(status);
const isOfGateway = ({ response }: Exchange): boolean => isGatewayStatus(response?.status);

/** Minimum number of gateway answers for a conclusion. */
const fewestOfGateway = 3;
const longestOutageMs = 5_000;

/**
 * Conditional request of a client with a cached copy: status 304 refers to that copy, which the history does not hold.
 */
const isOfCopy = ({ request, response }: Exchange): boolean =>
  response?.status === 304 &&
  Object.keys(request.headers).some((name) => /^if-(?:none-match|modified-since)$/i.test(name));

const isRead = ({ request }: Exchange): boolean => request.method === 'GET';
const endpointOf = ({ endpoint, request }: Exchange): string => endpoint ?? request.method;

/**
 * Treats a gateway status as the answer of the service itself if a party, or all parties, got nothing else from an
 * endpoint: at three moments, no two of them within one outage; or for reads three times in longer than an outage,
 * while the party was served other reads. A service that cannot write for a while still answers reads.
 */
function isAllThatCame(exchange: Exchange, records: readonly HistoryRecord[]): boolean {
  const answered = records.flatMap((one) => (one.kind === 'exchange' && one.response ? [one] : []));
  const atEndpoint = answered.filter((one) => endpointOf(one) === endpointOf(exchange));
  const ofParty = atEndpoint.filter((one) => one.party === exchange.party);
  if (!ofParty.every(isOfGateway)) return false;
  const refused = atEndpoint.every(isOfGateway) ? atEndpoint : ofParty;
  if (momentsApart(refused) >= fewestOfGateway) return true;
  const sent = refused.map((one) => one.sent);
  const [first, last] = [Math.min(...sent), Math.max(...sent)];
  if (refused.length < fewestOfGateway || last - first <= longestOutageMs) return false;
  return answered.some(
    (one) =>
      one.party === exchange.party &&
      one.sent > first &&
      one.sent < last &&
      succeeded(one) &&
      isRead(one) &&
      isRead(exchange),
  );
}

/** Number of moments of sending that are further apart than one outage. */
function momentsApart(exchanges: readonly Exchange[]): number {
  let moments = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const sent of exchanges.map((one) => one.sent).toSorted((a, b) => a - b)) {
    if (sent - last <= longestOutageMs) continue;
    moments += 1;
    last = sent;
  }
  return moments;
}

/**
 * Reason why an exchange has no complete answer of the service, and so shows nothing about it: it broke off, timed out,
 * ran into a limit of assay, a gateway answered, or the answer refers to a cached copy of the client. Undefined if the
 * answer is complete.
 * @param records decide if a gateway's status is all that ever comes; without them it never is
 */
export function noAnswerReason(
  exchange: Exchange,
  records: readonly HistoryRecord[] = [],
): string | undefined {
  const { response, error } = exchange;
  if (error) return error.message;
  if (!response) return 'nothing came';
  if (isOfCopy(exchange)) return 'status 304 refers to a copy that the client holds';
  if (!isOfGateway(exchange) || isAllThatCame(exchange, records)) return undefined;
  return `status ${response.status} is none of the service, but of a gateway before it`;
}

/** Removes the answer of an exchange unless it is a complete answer of the service. */
export function withCompleteAnswers(records: readonly HistoryRecord[]): readonly HistoryRecord[] {
  return records.map((record) => {
    if (record.kind !== 'exchange' || !record.response) return record;
    const message = noAnswerReason(record, records);
    if (message === undefined) return record;
    const { response: _, opensStream: __, ...asked } = record;
    return { ...asked, error: { code: isOfCopy(record) ? 'aborted' : 'gateway', message } };
  });
}

const statusOf = ({ response }: Exchange): number => response?.status ?? 0;

export const succeeded = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 200 && statusOf(exchange) < 300;

/** True for any 4xx except 429, which concerns the rate of requests and not their contents. */
export const isRefusal = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500 && statusOf(exchange) !== 429;

/** Refused because of the request, not because of its token: 401 to the party's own token does not count. */
export const isDenied = (exchange: Exchange): boolean =>
  isRefusal(exchange) && (statusOf(exchange) !== 401 || exchange.auth !== 'own');

/** `data` of a successful answer, of any type. */
export function dataOf(exchange: Exchange): unknown {
  const body = exchange.response?.body;
  return succeeded(exchange) && isObject(body) ? body['data'] : undefined;
}

/** `data` of a successful answer if it is an object; else an empty object. */
export function fieldsOf(exchange: Exchange): JsonObject {
  const data = dataOf(exchange);
  return isObject(data) ? data : {};
}

/** The objects in `data` of a successful list. */
export function itemsOf(exchange: Exchange): readonly JsonObject[] {
  const data = dataOf(exchange);
  return Array.isArray(data) ? data.filter(isObject) : [];
}

/** Fields of the request body. */
export const sentBody = ({ request }: Exchange): JsonObject =>
  isObject(request.body) ? request.body : {};

/** `meta.timestamp` of a successful answer (2.1); undefined if it has none. */
export function responseTimestamp(exchange: Exchange): string | undefined {
  const body = exchange.response?.body;
  return dataOf(exchange) !== undefined && isObject(body)
    ? textOf(body['meta'], 'timestamp')
    : undefined;
}

/** Compares an identifier field, ignoring the case of hexadecimal digits. */
export const sameId = (fields: unknown, name: 'intent_id' | 'quote_id', id: string): boolean =>
  textOf(fields, name)?.toLowerCase() === id.toLowerCase();

/** Matches the items of a list that are an order, or belong to it. */
export const matchesOrder =
  ({ intentId }: { readonly intentId: string }) =>
  (item: unknown): boolean =>
    sameId(item, 'intent_id', intentId);
/** Matches the items of a list that are a quote. */
export const matchesQuote =
  ({ quoteId }: { readonly quoteId: string }) =>
  (item: unknown): boolean =>
    sameId(item, 'quote_id', quoteId);

/** A call and its answer in words: "POST /api/v1/orders answered 422". */
export function describeExchange(exchange: Exchange): string {
  const { endpoint, request } = exchange;
  const { method, path } = endpoint ? endpoints[endpoint] : request;
  const came = exchange.response
    ? `answered ${exchange.response.status}`
    : `had no answer (${exchange.error?.code ?? 'nothing came'})`;
  return `${method} ${path} ${came}`;
}

/** An answer as the "actual" of a failure. */
export const answerEvidence = (exchange: Exchange): unknown =>
  exchange.response
    ? {
        status: exchange.response.status,
        ...(exchange.response.body !== undefined && { body: exchange.response.body }),
      }
    : { error: exchange.error?.code ?? 'no answer' };
