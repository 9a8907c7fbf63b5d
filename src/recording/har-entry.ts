import { isObject } from '../history/json.ts';
import type { Exporter } from './exporters.ts';
import { answerBodyIn, type FileNamed, hadBody, isRedacted, requestBodyIn } from './har-body.ts';
import { type EntryTimes, timesOf } from './har-times.ts';

/** One message of an event stream that the exporter wrote separately. */
export interface HarMessage {
  /** Absent: the message came at an unknown time between the opening and the end. */
  readonly at?: number;
  readonly event: string;
  readonly id?: string;
  readonly data?: string;
}

/** Origin of an answer: the service, or the reason why it is not the service's answer to this request. */
export type Origin = 'service' | 'cache' | 'not-modified' | 'client';

/** One entry of an HTTP archive, as far as it is read. */
export interface HarEntry extends EntryTimes {
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** True if the headers of the request are known, and its body if it had one. Only its token may be missing. */
  readonly isRequestKnown: boolean;
  /** 0 if no answer came. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Absent: the recording did not keep the body, or not all of it. */
  readonly responseBody?: Uint8Array;
  readonly messages?: readonly HarMessage[];
  readonly origin: Origin;
  readonly isStream: boolean;
  /** Address to which the answer redirects. */
  readonly redirect?: string;
  /** Reason for the missing answer, if the recording says so. */
  readonly error?: string;
}

/** An entry that could not be read. */
export interface LostEntry {
  /** Path in the entry, as in `request.url`. */
  readonly path: string;
  readonly expected: string;
  /** True if the request may have changed something: nothing says that it was only a read. */
  readonly mayAct: boolean;
}

type Json = Readonly<Record<string, unknown>>;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Headers from a list of names and values, or from an object. Other values are left out. */
function headersIn(value: unknown): Record<string, string> {
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(value)
    ? value.filter(isObject).map(({ name, value: text }) => [name, text])
    : Object.entries(isObject(value) ? value : {});
  const headers = new Map<string, string>();
  for (const [given, text] of pairs) {
    if (typeof given !== 'string' || (typeof text !== 'string' && typeof text !== 'number'))
      continue;
    const name = given.toLowerCase();
    // HTTP/2 has the parts of its first line among the headers.
    if (name.startsWith(':')) continue;
    const before = headers.get(name);
    // Some exporters write each header twice.
    if (before === String(text)) continue;
    headers.set(name, before === undefined ? String(text) : `${before}, ${text}`);
  }
  return Object.fromEntries(headers);
}

/** Decodes percent-encoded characters that need no encoding: the meaning is the same (RFC 3986, 6.2.2.2). */
const plainSigns = (text: string): string =>
  text.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : code;
  });

const isUrlRedacted = ({ pathname, searchParams }: URL): boolean =>
  [...pathname.split('/'), ...searchParams.values()].some((part) =>
    isRedacted(part.replaceAll(/%5b|%5d/gi, '')),
  );

/** Chrome writes times in seconds, with a fraction. A time before the stream was requested is of another clock. */
function messagesIn(value: unknown, since: number): readonly HarMessage[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const messages = value.filter(isObject);
  if (messages.some(({ data }) => typeof data === 'string' && isRedacted(data))) return undefined;
  const isTime = (time: unknown): time is number =>
    typeof time === 'number' && time * 1_000 >= since && time < 1e11;
  const areTimed = messages.every(({ time }) => isTime(time));
  return messages.map(({ time, eventName, eventId, data }) => ({
    ...(areTimed && isTime(time) && { at: time * 1_000 }),
    event: textIn(eventName) ?? '',
    ...(textIn(eventId) !== undefined && { id: String(eventId) }),
    ...(typeof data === 'string' && { data }),
  }));
}

const cacheFetches = ['memory cache', 'disk cache', 'service worker'];

/** Origin of an answer: each exporter has its own mark for answers that did not come from the service. */
function originOf(entry: Json, response: Json, status: number, exporter: Exporter): Origin {
  if (status === 304) return 'not-modified';
  if (entry['_wasFulfilled'] === true) return 'client';
  const { cache } = entry;
  const viaWorker = response['_fetchedViaServiceWorker'] === true;
  const isFromCache =
    textIn(entry['_fromCache']) !== undefined ||
    cacheFetches.includes(textIn(entry['_fetchType'])?.toLowerCase() ?? '') ||
    (viaWorker && response['_serviceWorkerResponseSource'] !== 'network') ||
    (isObject(cache) &&
      (isObject(cache['beforeRequest']) ||
        (exporter.marksCacheByKey === true && 'afterRequest' in cache)));
  return isFromCache ? 'cache' : 'service';
}

const statusIn = ({ status }: Json): number => {
  const number = typeof status === 'string' ? Number(status) : status;
  return typeof number === 'number' && number > 0 && number < 1_000 ? Math.floor(number) : 0;
};

/** True if a request is known to be a read, even if the rest of its entry cannot be read. */
function isRead(value: unknown): boolean {
  const request = isObject(value) && isObject(value['request']) ? value['request'] : {};
  return ['GET', 'HEAD', 'OPTIONS'].includes(textIn(request['method'])?.toUpperCase() ?? '');
}

/** Reads one entry of HAR 1.1 or 1.2, as browsers and proxies write it. */
export function readEntry(
  entry: unknown,
  exporter: Exporter,
  isCoarse: boolean,
  fileNamed: FileNamed,
): HarEntry | LostEntry {
  const lost = (path: string, expected: string): LostEntry => ({
    path,
    expected,
    mayAct: !isRead(entry),
  });
  if (!isObject(entry)) return lost('the entry', 'an object');
  const { request, response = {} } = entry;
  if (!isObject(request)) return lost('request', 'an object');
  if (!isObject(response)) return lost('response', 'an object');
  const [method, address] = [textIn(request['method']), textIn(request['url'])];
  if (method === undefined) return lost('request.method', 'a text');
  if (address === undefined) return lost('request.url', 'a text');
  if (!URL.canParse(plainSigns(address))) return lost('request.url', 'an absolute URL');
  const url = new URL(plainSigns(address));
  if (isUrlRedacted(url)) return lost('request.url', 'a URL in which nothing is redacted');
  const status = statusIn(response);
  const content = isObject(response['content']) ? response['content'] : {};
  const type = textIn(content['mimeType']);
  const responseHeaders: Readonly<Record<string, string>> = {
    ...(type !== undefined && type !== 'x-unknown' && { 'content-type': type }),
    ...headersIn(response['headers']),
  };
  const isStream =
    /^text\/event-stream\b/i.test(responseHeaders['content-type'] ?? '') ||
    entry['_resourceType'] === 'eventsource';
  const times = timesOf(entry, exporter, isCoarse, isStream);
  const messages = messagesIn(entry['_eventSourceMessages'], times.sent);
  const failure =
    textIn(response['_error']) ?? textIn(entry['_error']) ?? textIn(response['_failureText']);
  const error = failure ?? (entry['_wasAborted'] === true ? 'it was aborted' : undefined);
  const body = answerBodyIn(content, responseHeaders, isStream, fileNamed(content['_file']));
  const requestHeaders = headersIn(request['headers']);
  const requestBody = exporter.makesRequestsAnew
    ? undefined
    : requestBodyIn(request['postData'], fileNamed);
  const isRequestKnown =
    !exporter.makesRequestsAnew &&
    Object.keys(requestHeaders).length > 0 &&
    (requestBody !== undefined || !hadBody(request, requestHeaders));
  const redirect = textIn(response['redirectURL']) ?? responseHeaders['location'];
  // For a stream without a list of messages, only a size shows that its text was not cut.
  const isEndTold = !isStream || messages !== undefined || Number(content['size'] ?? 0) > 0;
  const { ended, ...begun } = times;
  return {
    ...begun,
    ...(isEndTold && ended !== undefined && { ended }),
    method: method.toUpperCase(),
    url,
    requestHeaders,
    ...(requestBody !== undefined && { requestBody }),
    isRequestKnown,
    status,
    responseHeaders,
    ...(body && { responseBody: body }),
    ...(messages && messages.length > 0 && { messages }),
    origin: originOf(entry, response, status, exporter),
    isStream,
    ...(redirect !== undefined && { redirect }),
    ...(error !== undefined && { error }),
  };
}
