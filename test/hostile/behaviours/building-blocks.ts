import { gzipSync } from 'node:zlib';
import type { Behaviour, Relayed, ProxiedRequest } from '../proxy.ts';

/** Faults of bad backends, from which the behaviours in the other files are built. */

export const isPreflight = ({ path }: ProxiedRequest): boolean =>
  path === '/auth/token' || path === '/api/v1/whoami';
export const isStream = ({ path }: ProxiedRequest): boolean => path.endsWith('/events');

/** Well-behaved until all parties have been reached. */
export const afterPreflight =
  (behaviour: Behaviour): Behaviour =>
  (visit) =>
    isPreflight(visit) ? 'pass' : behaviour(visit);

/** Applies a behaviour only to requests that open a stream. */
export const onStreams =
  (behaviour: Behaviour): Behaviour =>
  (visit) =>
    isStream(visit) ? behaviour(visit) : 'pass';

/** Applies a behaviour to every n-th request that opens no stream. */
export const everyNth =
  (every: number, behaviour: Behaviour): Behaviour =>
  (visit) =>
    visit.before % every === every - 1 && !isStream(visit) ? behaviour(visit) : 'pass';

/** Sends bytes that no HTTP library would send, then runs `then`. */
export const raw =
  (bytes: string | Buffer, then: (visit: ProxiedRequest) => void = () => {}): Behaviour =>
  (visit) => {
    visit.socket.write(bytes);
    then(visit);
  };

export const hang = (): void => {};
export const hangUp = ({ socket }: ProxiedRequest): void => {
  socket.end();
};
export const reset = ({ socket }: ProxiedRequest): void => {
  socket.resetAndDestroy();
};

export const head = (status: string, ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
export const json = 'content-type: application/json';

/** Writes without end, as fast as it is read. */
export const flood =
  (piece: Buffer) =>
  ({ socket }: ProxiedRequest): void => {
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
  (visit: ProxiedRequest): void => {
    let at = 0;
    visit.every(ms, () => {
      if (at < text.length) visit.socket.write(text[at++] ?? '');
    });
  };

export const answer =
  (status: number, headers: Record<string, string>, body: string | Buffer): Behaviour =>
  ({ response }) => {
    response.writeHead(status, headers).end(body);
  };
export const asJson = { 'content-type': 'application/json' };

/** Good answers with their JSON text changed. */
export const changedText =
  (change: (text: string, answer: Relayed, visit: ProxiedRequest) => string | Buffer): Behaviour =>
  async (visit) => {
    if (isStream(visit)) return 'pass';
    const relayed = await visit.relay();
    const body = relayed.body === '' ? '' : change(relayed.body, relayed, visit);
    visit.response.writeHead(relayed.status, relayed.headers).end(body);
    return undefined;
  };

export type Json = Record<string, unknown>;

/** Good answers with every object in `data` changed. */
export const changedData = (change: (item: Json, visit: ProxiedRequest) => unknown): Behaviour =>
  changedText((text, { headers }, visit) => {
    if (!String(headers['content-type']).includes('json')) return text;
    const body = JSON.parse(text) as { data?: unknown };
    const one = (item: unknown): unknown =>
      typeof item === 'object' && item !== null ? change({ ...item }, visit) : item;
    if (body.data === undefined) return text;
    body.data = Array.isArray(body.data) ? body.data.map(one) : one(body.data);
    return JSON.stringify(body);
  });

/** Good answers in which every object in `data` has these fields. */
export const withFields = (fields: Json): Behaviour =>
  changedData((item) => ({ ...item, ...fields }));

/** Good answers in which every object in `data` has other values in some of its fields. */
export const withValues = (values: Json): Behaviour =>
  changedData((item) =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        name,
        Object.hasOwn(values, name) ? values[name] : value,
      ]),
    ),
  );

/** Good lists with another `pagination`. */
export const paged = (
  change: (pagination: Json, body: Json, visit: ProxiedRequest) => unknown,
): Behaviour =>
  changedText((text, _, visit) => {
    if (!text.includes('"pagination"')) return text;
    const body = JSON.parse(text) as Json;
    body['pagination'] = change(body['pagination'] as Json, body, visit);
    return JSON.stringify(body);
  });

/** Good lists with other members in `pagination`. */
export const pagedAs = (members: Json): Behaviour =>
  paged((pagination) => ({ ...pagination, ...members }));

export const nested = (depth: number): string => `${'{"data":'.repeat(depth)}1${'}'.repeat(depth)}`;
const bomb = (): Buffer => gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
let kept: Buffer | undefined;
export const gzipBomb = (): Buffer => (kept ??= bomb());

export const long = (length: number): string => 'x'.repeat(length);
