import { gzipSync } from 'node:zlib';
import type { Deed, Relayed, Visit } from '../front.ts';

/** What bad backends do to a request: the pieces that their deeds are made of. */

export const isPreflight = ({ path }: Visit): boolean =>
  path === '/auth/token' || path === '/api/v1/whoami';
export const isStream = ({ path }: Visit): boolean => path.endsWith('/events');

/** Well-behaved until all parties have been reached. */
export const later =
  (deed: Deed): Deed =>
  (visit) =>
    isPreflight(visit) ? 'pass' : deed(visit);

/** Only what asks for a stream is treated so. */
export const onStreams =
  (deed: Deed): Deed =>
  (visit) =>
    isStream(visit) ? deed(visit) : 'pass';

/** Of all requests that are no stream, every so-manyth. */
export const nowAndThen =
  (every: number, deed: Deed): Deed =>
  (visit) =>
    visit.before % every === every - 1 && !isStream(visit) ? deed(visit) : 'pass';

/** Sends bytes that no HTTP library would send, then whatever else. */
export const raw =
  (bytes: string | Buffer, then: (visit: Visit) => void = () => {}): Deed =>
  (visit) => {
    visit.socket.write(bytes);
    then(visit);
  };

export const hang = (): void => {};
export const hangUp = ({ socket }: Visit): void => {
  socket.end();
};
export const reset = ({ socket }: Visit): void => {
  socket.resetAndDestroy();
};

export const head = (status: string, ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
export const json = 'content-type: application/json';

/** Writes without end, as fast as it is read. */
export const flood =
  (piece: Buffer) =>
  ({ socket }: Visit): void => {
    const more = (): void => {
      if (socket.destroyed) return;
      // A turn for everybody else in this process, between pieces.
      if (socket.write(piece)) setImmediate(more);
      else socket.once('drain', more);
    };
    more();
  };

/** One byte every so often. */
export const drip =
  (text: string, ms: number) =>
  (visit: Visit): void => {
    let at = 0;
    visit.every(ms, () => {
      if (at < text.length) visit.socket.write(text[at++] ?? '');
    });
  };

export const answer =
  (status: number, headers: Record<string, string>, body: string | Buffer): Deed =>
  ({ response }) => {
    response.writeHead(status, headers).end(body);
  };
export const asJson = { 'content-type': 'application/json' };

/** Good answers with their JSON text changed. */
export const mangled =
  (change: (text: string, answer: Relayed, visit: Visit) => string | Buffer): Deed =>
  async (visit) => {
    if (isStream(visit)) return 'pass';
    const relayed = await visit.relay();
    const body = relayed.body === '' ? '' : change(relayed.body, relayed, visit);
    visit.response.writeHead(relayed.status, relayed.headers).end(body);
    return undefined;
  };

export type Json = Record<string, unknown>;

/** Good answers with every object in `data` changed. */
export const warped = (change: (item: Json, visit: Visit) => unknown): Deed =>
  mangled((text, { headers }, visit) => {
    if (!String(headers['content-type']).includes('json')) return text;
    const body = JSON.parse(text) as { data?: unknown };
    const one = (item: unknown): unknown =>
      typeof item === 'object' && item !== null ? change({ ...item }, visit) : item;
    if (body.data === undefined) return text;
    body.data = Array.isArray(body.data) ? body.data.map(one) : one(body.data);
    return JSON.stringify(body);
  });

/** Good lists with another `pagination`. */
export const paged = (change: (pagination: Json, body: Json, visit: Visit) => unknown): Deed =>
  mangled((text, _, visit) => {
    if (!text.includes('"pagination"')) return text;
    const body = JSON.parse(text) as Json;
    body['pagination'] = change(body['pagination'] as Json, body, visit);
    return JSON.stringify(body);
  });

export const nested = (depth: number): string => `${'{"data":'.repeat(depth)}1${'}'.repeat(depth)}`;
const bomb = (): Buffer => gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
let kept: Buffer | undefined;
export const gzipBomb = (): Buffer => (kept ??= bomb());

export const long = (length: number): string => 'x'.repeat(length);
