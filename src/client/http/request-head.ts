import type { WireRequest } from './transport.ts';
import { WireFault } from './wire-errors.ts';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const unprintable = /[^\t\x20-\x7e\x80-\xff]/;
const outsideOfPaths = /[^\x21-\xff]/;

/** Methods whose requests usually have a body: only these state an empty body as `content-length: 0`. */
const withBody: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT', 'QUERY']);

/** Refused headers: they say where a message ends, or switch the connection to another protocol. */
const refused: ReadonlySet<string> = new Set([
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const fault = (message: string): WireFault => new WireFault('protocol', message);

function checkHeader(name: string, value: string): void {
  if (!token.test(name)) throw fault('invalid header key');
  if (unprintable.test(value) || refused.has(name)) throw fault(`invalid ${name} header`);
  if (name === 'connection' && !value.split(',').every((one) => token.test(one.trim()))) {
    throw fault('invalid connection header');
  }
  // A client that sends `expect` waits for an interim answer. The wait would be measured as the target's time.
  if (name === 'expect') throw fault('expect header not supported');
}

/** A given length must be the real one: otherwise the next bytes would be read as the next request. */
function checkLength(given: string | undefined, method: string, length: number): void {
  if (given === undefined) return;
  if (!/^\d+$/.test(given)) throw fault('invalid content-length header');
  if (length > 0 && method !== 'GET' && Number(given) !== length) {
    throw fault('Request body length does not match content-length header');
  }
}

/**
 * The head of a request: `host`, `connection`, `user-agent`, the caller's headers, `content-length`, and nothing else.
 * Throws a `WireFault` if the request cannot be sent.
 * @param host value of `host` if the caller gives none
 */
export function requestHead(request: WireRequest, host: string) {
  const { method, path, headers: given, body: text } = request;
  if (!token.test(method)) throw fault('invalid request method');
  if (method === 'CONNECT') throw fault('invalid method');
  if (!path.startsWith('/') || outsideOfPaths.test(path)) throw fault('invalid request path');
  const lower = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of lower) checkHeader(name, value);
  const {
    host: named = host,
    connection = '',
    'content-length': givenLength,
    ...rest
  } = Object.fromEntries(lower) as Readonly<Record<string, string>>;
  const body = text === undefined || text === '' ? undefined : Buffer.from(text);
  const length = body?.length ?? 0;
  checkLength(givenLength, method, length);
  // Some servers answer HEAD with a body.
  const closes = method === 'HEAD' || /(?:^|,)\s*close\s*(?:,|$)/i.test(connection);
  return {
    headers: {
      host: named,
      connection: closes ? 'close' : 'keep-alive',
      // Many gateways refuse a request without one.
      'user-agent': 'assay',
      ...rest,
      ...((length > 0 || withBody.has(method)) && { 'content-length': String(length) }),
    },
    body,
    // A server may leave an unexpected body unread, and then take it for the next request.
    keepsConnection: !closes && (length === 0 || withBody.has(method)),
  };
}
