import type { Exchange, Frame, HistoryRecord } from '../history/records.ts';

/** One exchange for a HAR, with the frames of the stream that it opened. */
export interface SentExchange {
  readonly exchange: Exchange;
  readonly url: string;
  readonly frames: readonly Frame[];
  /** The moment at which its answer was complete. */
  readonly ended: number;
  /** Body of the answer as text; for a stream, all its messages. */
  readonly text: string;
}

const blockOf = ({ event, eventId, data, text }: Frame): string =>
  [
    ...(event === '' ? [] : [`event: ${event}`]),
    ...(eventId === undefined ? [] : [`id: ${eventId}`]),
    ...(text ?? JSON.stringify(data) ?? '').split('\n').map((line) => `data: ${line}`),
    '\n',
  ].join('\n');

const bodyTextOf = ({ response }: Exchange): string =>
  response?.text ?? (response?.body === undefined ? '' : JSON.stringify(response.body));

/** The exchanges of a history, in the order of the history. */
export function sentExchanges(
  records: readonly HistoryRecord[],
  baseUrlOf: (party: string) => string,
): readonly SentExchange[] {
  const frames = new Map<string, Frame[]>();
  const ends = new Map<string, number>();
  for (const one of records) {
    if (one.kind === 'end') ends.set(one.stream, one.at);
    else if (one.kind === 'frame') {
      const own = frames.get(one.stream) ?? [];
      if (own.push(one) === 1) frames.set(one.stream, own);
    }
  }
  return records.flatMap((exchange): SentExchange[] => {
    if (exchange.kind !== 'exchange') return [];
    const { id, party, received, request, opensStream } = exchange;
    const own = frames.get(id) ?? [];
    const lastSeen = own.at(-1)?.received ?? received;
    return [
      {
        exchange,
        url: baseUrlOf(party) + request.path,
        frames: own,
        ended: opensStream ? (ends.get(id) ?? lastSeen) : received,
        text: opensStream ? own.map(blockOf).join('') : bodyTextOf(exchange),
      },
    ];
  });
}

/** Readers of HAR take 0 for an unknown time. */
const shortestMs = 1;

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const bodyOf = ({ request: { body } }: Exchange): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body);

/** Query of an address, read from its text: a URL parser may refuse the address of a request. */
const queryOf = (url: string) =>
  [...new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '')].map(([name, value]) => ({ name, value }));

/** One entry of HAR 1.2. The messages of a stream are in its text, and also in a list, as Chrome writes them. */
export function harEntryOf({ exchange, url, frames, ended, text }: SentExchange) {
  const { request, response, error, sent, received, opensStream } = exchange;
  const sentText = bodyOf(exchange);
  const headers = response?.headers ?? {};
  const type = headers['content-type'] ?? (opensStream ? 'text/event-stream' : 'x-unknown');
  return {
    startedDateTime: new Date(sent).toISOString(),
    time: Math.max(shortestMs, ended - sent),
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [] as unknown[],
      headers: pairs(request.headers),
      queryString: queryOf(url),
      ...(sentText !== undefined && {
        postData: {
          mimeType: request.headers['content-type'] ?? 'application/json',
          text: sentText,
        },
      }),
      headersSize: -1,
      bodySize: sentText === undefined ? 0 : Buffer.byteLength(sentText),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [] as unknown[],
      headers: pairs(headers),
      content: { size: Buffer.byteLength(text), mimeType: type, text } as Record<string, unknown>,
      redirectURL: headers['location'] ?? '',
      headersSize: -1,
      bodySize: -1,
      ...(error && { _error: `${error.code}: ${error.message}` }),
    },
    cache: {} as unknown,
    timings: {
      blocked: -1,
      dns: -1,
      connect: -1,
      send: 0,
      wait: Math.max(shortestMs, received - sent),
      receive: ended - received,
    } as Record<string, number>,
    ...(opensStream && {
      _resourceType: 'eventsource',
      _eventSourceMessages: frames.map(({ received: at, event, eventId = '', ...payload }) => ({
        time: at / 1_000,
        eventName: event === '' ? 'message' : event,
        eventId,
        data: payload.text ?? JSON.stringify(payload.data) ?? '',
      })),
    }),
  };
}
