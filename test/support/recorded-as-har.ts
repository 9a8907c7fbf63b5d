import { isObject } from '../../src/protocol/json.ts';
import type { Exchange, HistoryRecord } from '../../src/history/records.ts';
import {
  harEntryOf,
  type SentExchange,
  sentExchanges,
} from '../../src/recording/har-entry-writer.ts';

/**
 * HAR files of one recorded history in the forms of exporters, from their sources. Charles and
 * Fiddler are closed: their forms are known from the issue trackers of tools that read their files.
 */

export interface HarOptions {
  /** The address of a party's backend; paths get it in front. */
  readonly baseUrlOf: (party: string) => string;
  /** As a browser does unless it is asked not to. */
  readonly leaveTokensOut?: true;
  /** `chrome` if absent. */
  readonly form?: HarForm;
}

type Sent = SentExchange;

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/**
 * A JWT with a signature of usual length. A history holds the claims separately, and masks the
 * token.
 */
const jwt = (claims: unknown, signer: string): string =>
  `${encoded({ alg: 'HS256' })}.${encoded(claims)}.${encoded(signer.padEnd(32, '.'))}`;

/** The token of a request: of its own party, of another party, or any other. */
function tokenOf({ party, auth }: Exchange, issued: ReadonlyMap<string, string>): string {
  const owner = auth === 'own' ? party : /^of (.*)/.exec(auth)?.[1];
  return owner === undefined ? encoded(auth) : (issued.get(owner) ?? jwt({ sub: owner }, owner));
}

const withToken = (body: unknown, token: string): unknown =>
  isObject(body) && isObject(body['data']) ? { ...body, data: { ...body['data'], token } } : body;

/** A history with whole paths, and with tokens in place of the masks of a run. */
function unmasked(
  records: readonly HistoryRecord[],
  { leaveTokensOut }: HarOptions,
): readonly HistoryRecord[] {
  const issued = new Map(
    records.flatMap((one) =>
      one.kind === 'exchange' && one.claims
        ? [[one.party, jwt(one.claims, one.party)] as const]
        : [],
    ),
  );
  return records.map((one) => {
    if (one.kind !== 'exchange') return one;
    const { request, response, auth, claims, party } = one;
    const token =
      auth === 'none' || leaveTokensOut ? {} : { authorization: `Bearer ${tokenOf(one, issued)}` };
    const { authorization: _, ...headers } = request.headers;
    return {
      ...one,
      request: {
        ...request,
        path: pathWithQuery(one),
        headers: { accept: 'application/json', ...headers, ...token },
      },
      ...(response &&
        claims && {
          response: { ...response, body: withToken(response.body, jwt(claims, party)) },
        }),
    };
  });
}

const pathWithQuery = ({ request: { path }, query }: Exchange): string =>
  path.includes('?') || Object.keys(query).length === 0
    ? path
    : `${path}?${new URLSearchParams(query).toString()}`;

const sentOf = (records: readonly HistoryRecord[], options: HarOptions): readonly Sent[] =>
  sentExchanges(unmasked(records, options), options.baseUrlOf);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const isoOf = (ms: number): string => new Date(ms).toISOString();
const statusOf = ({ exchange }: Sent): number => exchange.response?.status ?? 0;

/** Parts that all forms share: the form of the specification, with nothing beside it. */
function plainEntry(one: Sent) {
  const { _resourceType, _eventSourceMessages, response, ...entry } = harEntryOf(one);
  const { _error, ...plain } = response;
  return { ...entry, response: plain };
}

type Entry = Record<string, unknown>;

/** Of a browser's EventSource: no body, the messages apart, and a time that ends with the head. */
function chromeEntry(one: Sent): Entry {
  const entry = plainEntry(one);
  const { exchange, frames } = one;
  const status = statusOf(one);
  const head = entry.timings['wait'];
  const secure = { ':method': exchange.request.method, ':scheme': 'https' };
  return {
    ...entry,
    _resourceType: exchange.opensStream ? 'eventsource' : 'fetch',
    _priority: 'High',
    request: {
      ...entry.request,
      httpVersion: 'http/2.0',
      headers: pairs({ ...secure, ...exchange.request.headers }),
    },
    response: { ...entry.response, _transferSize: 100, _error: status === 0 ? 'net::ERR' : null },
    ...(exchange.opensStream && {
      time: head,
      timings: { ...entry.timings, receive: 0 },
      response: { ...entry.response, content: { size: 0, mimeType: 'text/event-stream' } },
      _eventSourceMessages: frames.map(({ received, event, eventId = '', data, text }) => ({
        time: received / 1_000,
        eventName: event === '' ? 'message' : event,
        eventId,
        data: text ?? JSON.stringify(data),
      })),
    }),
  };
}

/** A local offset; the cache is marked by a key alone; a stream that is still open has no time. */
function firefoxEntry(one: Sent): Entry {
  const entry = plainEntry(one);
  const local = isoOf(one.exchange.sent + 2 * 3_600_000).replace('Z', '+02:00');
  return {
    ...entry,
    pageref: 'page_1',
    startedDateTime: local,
    ...(one.exchange.opensStream && {
      time: null,
      timings: {},
      response: { ...entry.response, content: { size: -1, mimeType: 'text/event-stream' } },
    }),
  };
}

/** Only what has ended: streams that are open and requests that failed are left out. */
function safariEntry(one: Sent): Entry[] {
  if (one.exchange.opensStream || statusOf(one) === 0) return [];
  const entry = plainEntry(one);
  const content = { ...entry.response.content, ...(one.text === '' && { text: undefined }) };
  return [{ ...entry, _fetchType: 'Network Load', response: { ...entry.response, content } }];
}

/** No time for what has not ended; a status of -1; bodies within, beside the file, or none. */
const playwrightEntry =
  (content: 'embed' | 'attach' | 'omit') =>
  (one: Sent): Entry => {
    const entry = plainEntry(one);
    const isOpen = one.exchange.opensStream === true;
    const { text: _, ...size } = entry.response.content;
    const kept =
      content === 'omit' || isOpen
        ? size
        : content === 'attach'
          ? { ...size, _file: fileOf(one) }
          : { ...size, text: one.text };
    const { blocked: __, ...timings } = entry.timings;
    return {
      ...entry,
      time: isOpen || statusOf(one) === 0 ? -1 : entry.time,
      timings: { ...timings, receive: isOpen ? -1 : entry.timings['receive'] },
      response: { ...entry.response, status: statusOf(one) || -1, content: kept },
    };
  };

const fileOf = ({ exchange }: Sent): string => `${exchange.id.replace(/\W+/g, '-')}.json`;

/** Bodies that a file of the form `playwright-attach` names. */
export const attachedBodies = (
  records: readonly HistoryRecord[],
  options: HarOptions,
): ReadonlyMap<string, string> =>
  new Map(sentOf(records, options).map((one) => [fileOf(one), one.text]));

/** Whole milliseconds, bodies only on demand, and no requests that failed. */
function chromeHarEntry(one: Sent): Entry[] {
  if (statusOf(one) === 0) return [];
  const entry = plainEntry(one);
  const { text: _, ...bare } = entry.response.content;
  const content = one.exchange.opensStream ? bare : entry.response.content;
  return [{ ...entry, response: { ...entry.response, content } }];
}

/** Decoded, with the size that it had on the wire. */
const compressed = ({
  headers,
  content,
  ...response
}: ReturnType<typeof plainEntry>['response']) => ({
  ...response,
  headers: [...headers, { name: 'content-encoding', value: 'gzip' }],
  content: { ...content, size: 10 },
});

/** Microseconds and an offset, none if they are zero; `null` for a body that was streamed. */
function mitmproxyEntry(one: Sent): Entry[] {
  if (statusOf(one) === 0) return [];
  const entry = plainEntry(one);
  const fraction = one.exchange.sent % 1_000;
  const second = isoOf(one.exchange.sent).slice(0, 19);
  const micros = fraction === 0 ? '' : `.${String(fraction).padStart(3, '0')}000`;
  const { blocked: _, ...timings } = entry.timings;
  return [
    {
      ...entry,
      startedDateTime: `${second}${micros}+00:00`,
      timings: { ...timings, connect: null, ssl: null },
      response: one.exchange.opensStream ? entry.response : compressed(entry.response),
    },
  ];
}

/** Everything in base64, and whole milliseconds with an offset. */
function charlesEntry(one: Sent): Entry {
  const entry = plainEntry(one);
  const local = isoOf(one.exchange.sent - 4 * 3_600_000).replace('Z', '-04:00');
  const content = { ...entry.response.content, text: base64(one.text), encoding: 'base64' };
  return { ...entry, startedDateTime: local, response: { ...entry.response, content } };
}

/** Seven decimals; the file begins with a byte order mark. */
function fiddlerEntry(one: Sent): Entry {
  const entry = plainEntry(one);
  return {
    ...entry,
    startedDateTime: isoOf(one.exchange.sent).replace('Z', '0000+00:00'),
    comment: 'a session',
  };
}

/** No known tool: seconds since the epoch, headers as an object, text statuses, newest first. */
function looseEntry(one: Sent): Entry {
  const entry = plainEntry(one);
  return {
    ...entry,
    startedDateTime: one.exchange.sent / 1_000,
    request: { ...entry.request, headers: one.exchange.request.headers },
    response: { ...entry.response, status: String(statusOf(one)) },
  };
}

const exportedAt = '2031-01-01T00:00:00.000Z';

/** All entries at the time of the export, with new requests, and only the newest answer to each. */
function insomniaEntry(one: Sent): Entry[] {
  if (one.exchange.opensStream) return [];
  const entry = plainEntry(one);
  const url = one.url.replace(/[\da-f]{8}-[\da-f-]{27}/gi, '00000000-0000-4000-8000-000000000000');
  return [
    {
      ...entry,
      startedDateTime: exportedAt,
      request: { ...entry.request, url, postData: { mimeType: '', text: '{"memo":"made anew"}' } },
    },
  ];
}

/** An offset without a colon; no bodies unless they are asked for. */
function browserMobEntry(one: Sent): Entry {
  const entry = plainEntry(one);
  const { text: _, ...bare } = entry.response.content;
  return {
    ...entry,
    startedDateTime: isoOf(one.exchange.sent).replace('Z', '+0000'),
    response: { ...entry.response, content: bare },
  };
}

/** Whole seconds throughout. */
function secondsEntry(one: Sent): Entry {
  const entry = plainEntry(one);
  return {
    ...entry,
    startedDateTime: isoOf(one.exchange.sent).replace(/\.\d+Z/, 'Z'),
    time: Math.round(entry.time / 1_000) * 1_000,
    timings: undefined,
  };
}

interface Form {
  readonly creator: string;
  readonly entries: (one: Sent) => Entry | Entry[];
  readonly prefix?: string;
  readonly isReversed?: true;
}

const forms = {
  plain: { creator: 'a tool', entries: plainEntry },
  chrome: { creator: 'WebInspector', entries: chromeEntry },
  firefox: { creator: 'Firefox', entries: firefoxEntry },
  safari: { creator: 'WebKit Web Inspector', entries: safariEntry },
  playwright: { creator: 'Playwright', entries: playwrightEntry('embed') },
  'playwright-attach': { creator: 'Playwright', entries: playwrightEntry('attach') },
  'playwright-omit': { creator: 'Playwright', entries: playwrightEntry('omit') },
  'chrome-har': { creator: 'chrome-har', entries: chromeHarEntry },
  mitmproxy: { creator: 'mitmproxy', entries: mitmproxyEntry },
  charles: { creator: 'Charles Proxy', entries: charlesEntry },
  fiddler: { creator: 'Fiddler', entries: fiddlerEntry, prefix: '\ufeff' },
  loose: { creator: 'a script', entries: looseEntry, isReversed: true },
  insomnia: { creator: 'Insomnia REST Client', entries: insomniaEntry },
  browsermob: { creator: 'BrowserMob Proxy', entries: browserMobEntry },
  'whole-seconds': { creator: 'a tool', entries: secondsEntry },
} as const satisfies Readonly<Record<string, Form>>;

export type HarForm = keyof typeof forms;
export const harForms = Object.keys(forms) as readonly HarForm[];

/** Entries that never belong to the service: a page, a preflight, a WebSocket, a data URL. */
const noise = (at: number): readonly Entry[] =>
  ['https://fx.example/index.html', 'wss://fx.example/socket', 'data:image/png;base64,AA'].map(
    (url) => ({
      startedDateTime: isoOf(at),
      time: 1,
      request: { method: 'GET', url, headers: [] },
      response: { status: 200, headers: [], content: { size: 1, text: 'x' } },
    }),
  );

/** The HAR file that an exporter would have written of the same exchanges. */
export function recordedAsHar(records: readonly HistoryRecord[], options: HarOptions): string {
  const form: Form = forms[options.form ?? 'chrome'];
  const all = sentOf(records, options);
  const entries = [
    ...noise(all[0]?.exchange.sent ?? 0),
    ...all.flatMap((one) => form.entries(one)),
  ];
  const log = {
    version: '1.2',
    creator: { name: form.creator, version: '1' },
    pages: [],
    entries: form.isReversed ? entries.toReversed() : entries,
  };
  return `${form.prefix ?? ''}${JSON.stringify({ log })}`;
}
