import { isObject } from '../history/json.ts';

/** One entry of an HTTP archive, as far as it is read. Times are milliseconds since the epoch. */
export interface HarEntry {
  readonly sent: number;
  readonly received: number;
  readonly method: string;
  readonly url: URL;
  /** Lower-case names. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** 0 where no answer came. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** Absent where the recording did not keep it. */
  readonly responseBody?: Uint8Array;
  /** Why no answer came, where the recording says so. */
  readonly error?: string;
}

export type HarReading =
  | { readonly ok: true; readonly entries: readonly HarEntry[] }
  /** `path` as in `log.entries[3].request`. */
  | { readonly ok: false; readonly path: string; readonly expected: string };

type Json = Readonly<Record<string, unknown>>;

class Misshapen extends Error {
  readonly path: string;
  readonly expected: string;
  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`);
    this.path = path;
    this.expected = expected;
  }
}

function objectAt(value: unknown, path: string): Json {
  if (isObject(value)) return value;
  throw new Misshapen(path, 'an object');
}

function listAt(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Misshapen(path, 'a list');
}

function textAt(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new Misshapen(path, 'a text');
}

function headersAt(value: unknown, path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [index, item] of listAt(value ?? [], path).entries()) {
    const header = objectAt(item, `${path}[${index}]`);
    const name = textAt(header['name'], `${path}[${index}].name`).toLowerCase();
    const text = textAt(header['value'], `${path}[${index}].value`);
    // HTTP/2 has the parts of its first line among the headers.
    if (name.startsWith(':')) continue;
    headers[name] = name in headers ? `${headers[name]}, ${text}` : text;
  }
  return headers;
}

function urlAt(value: unknown, path: string): URL {
  const text = textAt(value, path);
  if (URL.canParse(text)) return new URL(text);
  throw new Misshapen(path, 'an absolute URL');
}

function bodyOf(content: Json, path: string): Uint8Array | undefined {
  const { text, encoding } = content;
  if (text === undefined) return undefined;
  return Buffer.from(textAt(text, `${path}.text`), encoding === 'base64' ? 'base64' : 'utf8');
}

function entryAt(value: unknown, path: string): HarEntry {
  const entry = objectAt(value, path);
  const request = objectAt(entry['request'], `${path}.request`);
  const response = objectAt(entry['response'], `${path}.response`);
  const started = Date.parse(textAt(entry['startedDateTime'], `${path}.startedDateTime`));
  if (Number.isNaN(started)) throw new Misshapen(`${path}.startedDateTime`, 'an ISO 8601 moment');
  const { status } = response;
  if (typeof status !== 'number') throw new Misshapen(`${path}.response.status`, 'a number');
  const took = typeof entry['time'] === 'number' ? Math.max(0, entry['time']) : 0;
  const sentBody = isObject(request['postData']) ? request['postData']['text'] : undefined;
  const content = isObject(response['content']) ? response['content'] : {};
  const body = bodyOf(content, `${path}.response.content`);
  const error = response['_error'] ?? entry['_error'];
  return {
    sent: Math.floor(started),
    received: Math.ceil(started + took),
    method: textAt(request['method'], `${path}.request.method`).toUpperCase(),
    url: urlAt(request['url'], `${path}.request.url`),
    requestHeaders: headersAt(request['headers'], `${path}.request.headers`),
    ...(typeof sentBody === 'string' && { requestBody: sentBody }),
    status,
    responseHeaders: headersAt(response['headers'], `${path}.response.headers`),
    ...(body && { responseBody: body }),
    ...(typeof error === 'string' && { error }),
  };
}

/** Reads the JSON value of an HTTP archive (HAR 1.1 and 1.2), as browsers and proxies write it. */
export function readHar(value: unknown): HarReading {
  try {
    const log = objectAt(objectAt(value, 'the file')['log'], 'log');
    const entries = listAt(log['entries'], 'log.entries');
    return {
      ok: true,
      entries: entries.map((entry, index) => entryAt(entry, `log.entries[${index}]`)),
    };
  } catch (error) {
    if (error instanceof Misshapen)
      return { ok: false, path: error.path, expected: error.expected };
    throw error;
  }
}
