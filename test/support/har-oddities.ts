import { gzipSync } from 'node:zlib';

/** An entry as it is changed here, in a form of whole entries. */
export interface OddEntry {
  startedDateTime: unknown;
  time: unknown;
  request?: {
    url: string;
    headers: { name: string; value: string }[];
    postData?: Record<string, unknown> | null;
    bodySize?: number;
  };
  response?: {
    status: number | string;
    headers: unknown;
    content: Record<string, unknown>;
  };
  timings?: Record<string, unknown>;
}
export interface OddLog {
  entries: OddEntry[];
  pages?: unknown;
  creator?: unknown;
  version?: unknown;
}
type Change = (log: OddLog) => void;

/** The same file with a change to what is in it. */
export const oddly =
  (change: Change) =>
  (text: string): string => {
    const har = JSON.parse(text.replace(/^\ufeff/, '')) as { log: OddLog };
    change(har.log);
    return JSON.stringify(har);
  };

const each =
  (change: (entry: OddEntry, index: number) => void): Change =>
  (log) => {
    for (const [index, entry] of log.entries.entries()) change(entry, index);
  };

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const inUrls = (change: (url: string) => string): Change =>
  each(({ request }) => {
    if (request) request.url = change(request.url);
  });

/** The text of each answer, and what else of its content changes with it. */
const inAnswers = (change: (text: string, index: number) => Record<string, unknown>): Change =>
  each(({ response }, index) => {
    const text = response?.content['text'];
    if (response && typeof text === 'string' && text !== '') {
      Object.assign(response.content, change(text, index));
    }
  });

const inRequests = (change: (text: string) => Record<string, unknown>): Change =>
  each(({ request }) => {
    const text = request?.postData?.['text'];
    if (request?.postData && typeof text === 'string') {
      Object.assign(request.postData, change(text));
    }
  });

const inTimes = (change: (iso: string, at: number) => unknown): Change =>
  each((entry) => {
    const iso = String(entry.startedDateTime);
    entry.startedDateTime = change(iso, Date.parse(iso));
  });

const inTimings = (changed: Record<string, unknown>): Change =>
  each((entry) => {
    entry.timings = { ...entry.timings, ...changed };
  });

const answerHeader = (name: string, value: (text: string) => string): Change =>
  each(({ response }) => {
    const headers = response?.headers;
    if (Array.isArray(headers))
      headers.push({ name, value: value(String(response?.content['text'])) });
  });

const inTurn =
  (...changes: readonly Change[]): Change =>
  (log) => {
    for (const change of changes) change(log);
  };

const secretive = /"(token|memo|intent_signature|(?:sender_)?party_id)":"[^"]*"/g;
const masking =
  (mark: string) =>
  (text: string): { text: string } => ({ text: text.replaceAll(secretive, `"$1":"${mark}"`) });

const cutText = (text: string): string => text.slice(0, 200);

/** Oddities of real exporters and sanitizers that once led to false findings. */
export const misreadOddities: Readonly<Record<string, Change>> = {
  'base64 without a mark (BrowserMob Proxy)': inAnswers((text) => ({ text: base64(text) })),
  'base64 in capitals': inAnswers((text) => ({ text: base64(text), encoding: 'BASE64' })),
  'bodies as they came, compressed': inTurn(
    answerHeader('Content-Encoding', () => 'gzip'),
    inAnswers((text) => ({ text: gzipSync(text).toString('base64'), encoding: 'base64' })),
  ),
  'bodies cut without a word': inAnswers((text) => ({ text: cutText(text), size: undefined })),
  'bodies cut, their size that of the part': inTurn(
    answerHeader('Content-Length', (text) => String(text.length)),
    inAnswers((text) => ({ text: cutText(text), size: cutText(text).length })),
  ),
  'bodies read in another character set': inAnswers((text) => ({
    text: Buffer.from(text.replaceAll(/"memo":"[^"]*/g, '$&é')).toString('latin1'),
  })),
  'each sign of a path percent-encoded': inUrls((url) =>
    url.replaceAll(/(?<=[\da-f]{4})-(?=[\da-f]{4})/g, '%2D'),
  ),
  'no headers of answers': each(({ response }) => {
    if (response) response.headers = [];
  }),
  'headers as lists in an object': each(({ response }) => {
    if (response) response.headers = { 'Content-Type': ['application/json'] };
  }),
  'a total time below that of its parts': each((entry) => {
    entry.time = 1;
  }),
  'the time of the end for that of the start (Newman)': each((entry) => {
    const ended = Date.parse(String(entry.startedDateTime)) + Number(entry.time);
    entry.startedDateTime = new Date(ended).toISOString();
    entry.time = undefined;
    delete entry.timings;
    if (entry.response) entry.response.content['mimeType'] = 'application/json';
  }),
  'values redacted in brackets': inAnswers(masking('[redacted]')),
  'values redacted by asterisks': inAnswers(masking('********')),
  'whole answers redacted (Cloudflare)': inAnswers((text, index) => ({
    text: index % 3 === 0 ? text : '[application/json redacted]',
  })),
  'requests redacted': inRequests((text) => masking('REDACTED')(text)),
  'queries redacted': inUrls((url) => url.replace(/=[^&]*/, '=[redacted]')),
  'paths redacted': inUrls((url) => url.replace(/[\da-f]{8}-[\da-f-]{27}/, 'REDACTED')),
};

/** Oddities that never led to a false finding. */
export const otherOddities: Readonly<Record<string, Change>> = {
  'JWTs without their signatures (Cloudflare)': inAnswers((text) => ({
    text: text.replaceAll(/\b(ey[\w-]+)\.([\w-]+)\.[\w-]+\b/g, '$1.$2.redacted'),
  })),
  'each header twice': each(({ request, response }) => {
    request?.headers.push(...request.headers);
    if (response && Array.isArray(response.headers)) response.headers.push(...response.headers);
  }),
  'no pages, creator or version': (log) => {
    delete log.pages;
    delete log.creator;
    delete log.version;
  },
  'an empty postData': each(({ request }) => {
    if (request) request.postData ??= { mimeType: '', text: '', params: [] };
  }),
  'postData null': each(({ request }) => {
    if (request) request.postData ??= null;
  }),
  'postData in base64 (Reqable)': inRequests((text) => ({
    text: base64(text),
    encoding: 'base64',
  })),
  'postData left out (Proxyman)': each(({ request }) => {
    if (!request?.postData) return;
    request.bodySize = String(request.postData['text']).length;
    delete request.postData;
  }),
  'answers as JSON, not text': inAnswers((text) => ({
    text: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
  })),
  'the default port, and a host in capitals': inUrls((url) =>
    url.replace('fx.example', 'FX.example:443'),
  ),
  'local times without a zone': inTimes((_, at) =>
    new Date(at + 7_200_000).toISOString().replace('Z', ''),
  ),
  'a clock that is minutes off': inTimes((_, at) => new Date(at + 420_000).toISOString()),
  'hours of a clock of twelve (Proxyman)': inTimes((iso) => {
    const hour = (Number(iso.slice(11, 13)) + 3) % 12 || 12;
    return iso.slice(0, 11) + String(hour).padStart(2, '0') + iso.slice(13);
  }),
  'the time of the import for all': inTimes(() => '2026-11-01T00:00:00.000Z'),
  'no times at all': inTimes(() => ({})),
  'negative timings (mitmproxy)': inTimings({ connect: -91, ssl: 130, dns: -1_000, send: -2 }),
  'a negative wait': inTimings({ wait: -1_000 }),
  'a time of -1': each((entry) => {
    entry.time = -1;
  }),
  'timings of -1 (Playwright, minimal)': inTurn(
    each((entry) => {
      entry.time = -1;
    }),
    inTimings({ send: -1, wait: -1, receive: -1 }),
  ),
  'no timings': each((entry) => {
    delete entry.timings;
    entry.time = undefined;
  }),
  'times as text': each((entry) => {
    entry.time = String(entry.time);
  }),
  'newest first': (log) => {
    log.entries.reverse();
  },
  'sorted by address': (log) => {
    log.entries.sort(
      (one, other) => (one.request?.url ?? '').length - (other.request?.url ?? '').length,
    );
  },
  'requests alone, and answers alone (BrowserUp)': each((entry, index) => {
    if (index % 7 === 0) delete entry.response;
    if (index % 11 === 0) delete entry.request;
  }),
  'messages of WebSockets': each((entry) => {
    Object.assign(entry, { _webSocketMessages: [{ type: 'send', time: 1, opcode: 1, data: 'x' }] });
  }),
  'a status of -999 (BrowserMob Proxy)': each(({ response }, index) => {
    if (response && index % 9 === 0)
      Object.assign(response, { status: -999, headers: [], content: { size: 0, mimeType: '' } });
  }),
  'a status as text': each(({ response }) => {
    if (response) response.status = String(response.status);
  }),
};
