import type { Exchange, Frame, HistoryRecord } from '../../src/history/records.ts';

export interface HarOptions {
  /** Where the backends of parties are found; their paths get this in front. */
  readonly baseUrlOf: (party: string) => string;
  /** As a browser does unless it is asked not to. */
  readonly leaveTokensOut?: true;
}

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const blockOf = ({ event, eventId, data, text }: Frame): string =>
  [
    ...(event === '' ? [] : [`event: ${event}`]),
    ...(eventId === undefined ? [] : [`id: ${eventId}`]),
    `data: ${text ?? JSON.stringify(data)}`,
    '\n',
  ].join('\n');

function contentOf(exchange: Exchange, records: readonly HistoryRecord[]) {
  const { response, opensStream } = exchange;
  if (opensStream) {
    const frames = records.filter((one) => one.kind === 'frame' && one.stream === exchange.id);
    return {
      mimeType: 'text/event-stream',
      text: frames.map((one) => blockOf(one as Frame)).join(''),
    };
  }
  const { body, text } = response ?? {};
  if (body === undefined && text === undefined) return { mimeType: '', text: '' };
  return { mimeType: 'application/json', text: text ?? JSON.stringify(body) };
}

function endOf(exchange: Exchange, records: readonly HistoryRecord[]): number {
  const last = records.findLast((one) => one.kind !== 'exchange' && one.stream === exchange.id);
  if (last === undefined) return exchange.received;
  return last.kind === 'end' ? last.at : last.kind === 'frame' ? last.received : exchange.received;
}

/** What a browser would have exported of the same exchanges. */
export function recordedAsHar(records: readonly HistoryRecord[], options: HarOptions): string {
  const entries = records.flatMap((record) => {
    if (record.kind !== 'exchange') return [];
    const { request, response, auth } = record;
    const token = auth !== 'none' && !options.leaveTokensOut ? { authorization: 'Bearer abc' } : {};
    const { authorization: _, ...headers } = request.headers;
    return [
      {
        startedDateTime: new Date(record.sent).toISOString(),
        time: endOf(record, records) - record.sent,
        request: {
          method: request.method,
          url: options.baseUrlOf(record.party) + request.path,
          headers: pairs({ ...headers, ...token }),
          ...(request.body !== undefined && {
            postData: { mimeType: 'application/json', text: JSON.stringify(request.body) },
          }),
        },
        response: {
          status: response?.status ?? 0,
          headers: pairs(response?.headers ?? {}),
          content: contentOf(record, records),
        },
      },
    ];
  });
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'a browser' }, entries } });
}
