import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance, type FastifyRequest } from 'fastify';
import { isObject } from '../history/json.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import { hostGuard } from '../local-server/host-guard.ts';
import type { Session } from './session.ts';
import type { Push, Verb } from './view/messages.ts';

export interface CockpitServerOptions {
  readonly session: Session;
  /** Complete markup of the page. */
  readonly page: string;
  /** Secret that authorises a client to drive the cockpit. */
  readonly token: string;
  readonly host: string;
  /** See `hostGuard`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** 0: a free port. */
  readonly port: number;
}

export interface CockpitServer {
  /** Address of the page, with its token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Maximum body size in bytes: a recording is opened from a body, and a whole history may be large. */
const bodyLimit = 64 * 1024 * 1024;
/** Minimum interval between updates of a page, in host milliseconds. */
const pushEveryMs = 50;
const rowsAtOnce = 2_000;

/** Headers of an answer that are passed on to the page. */
const passedOn = ['content-type', 'retry-after', 'www-authenticate', 'allow'] as const;

const sameText = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
};

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Serves the page and its API to clients that the guard admits and that have the token. */
export async function serveCockpit(options: CockpitServerOptions): Promise<CockpitServer> {
  const { session, page, token, host } = options;
  const app = fastify({ bodyLimit, forceCloseConnections: true });
  const streams = new Set<ServerResponse>();
  const guard = hostGuard(host, options.allowedHosts);

  app.addHook('onRequest', async (request, reply) => {
    const refusal = guard(request) ?? withoutToken(request, token);
    if (refusal !== undefined) return reply.code(403).send({ problem: refusal });
    reply.header('cache-control', 'no-store');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('x-content-type-options', 'nosniff');
    return undefined;
  });
  // All answers to the page pass through here; pushed messages pass through `follow`.
  app.addHook('onSend', async (request, _, payload) => {
    if (typeof payload !== 'string' || request.url.split('?')[0] === '/') return payload;
    return session.secrets.maskText(payload);
  });
  app.get('/', (_, reply) => {
    reply.type('text/html; charset=utf-8');
    return page;
  });
  app.get('/events', (request, reply) => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    streams.add(raw);
    const end = follow(session, raw);
    request.raw.on('close', () => {
      streams.delete(raw);
      end();
    });
  });
  app.post('/do', async (request) =>
    isObject(request.body)
      ? session.do(request.body as unknown as Verb)
      : { ok: false, problem: 'send a verb as JSON' },
  );
  app.route<{ Params: { party: string } }>({
    method: ['GET', 'POST'],
    url: '/parties/:party/*',
    async handler({ params: { party }, method, url, body }, reply) {
      const path = url.slice(`/parties/${party}`.length);
      const said = await session.send({ party, method, path, ...(body !== null && { body }) });
      if (typeof said === 'string') return reply.code(404).send({ problem: said });
      const { response, error } = said;
      if (!response) return reply.code(502).send({ problem: error?.message ?? 'no answer' });
      const { body: shown, text = '', status, headers } = response;
      for (const name of passedOn)
        if (headers[name] !== undefined) reply.header(name, headers[name]);
      return reply.code(status).send(shown === undefined ? text : JSON.stringify(shown));
    },
  });
  app.get<{ Params: { place: string } }>('/records/:place', (request, reply) => {
    const record = session.record(Number(request.params.place));
    if (!record) return reply.code(404).send({ problem: 'there is no such record' });
    return session.secrets.maskRecord(record);
  });
  app.get('/scenario', async (_, reply) => {
    const text = await session.exported();
    return reply.type('application/yaml; charset=utf-8').send(text);
  });

  await app.listen({ host, port: options.port });
  const port = portOf(app);
  return {
    url: `http://${inUrl(host)}:${port}/?token=${token}`,
    async close() {
      for (const raw of streams) raw.end();
      await app.close();
    },
  };
}

const portOf = (app: FastifyInstance): number => (app.server.address() as AddressInfo).port;

function withoutToken({ headers, query }: FastifyRequest, token: string): string | undefined {
  const given = headers['x-assay-token'] ?? (isObject(query) ? query['token'] : undefined);
  if (typeof given !== 'string' || !sameText(given, token))
    return 'open the address that assay printed: it has the token';
  return undefined;
}

/** Sends one page the whole state, and then all changes. */
function follow(session: Session, raw: ServerResponse): () => void {
  const host = systemClock();
  let epoch = session.epoch;
  let sent = 0;
  let cancel: (() => void) | undefined;
  let isFull = false;
  const push = (message: Push): void => {
    isFull = !raw.write(`data: ${session.secrets.maskText(JSON.stringify(message))}\n\n`);
  };
  function flush(): void {
    cancel = undefined;
    // A slow reader gets the current state as soon as there is room.
    if (isFull) return;
    if (session.epoch !== epoch) {
      epoch = session.epoch;
      sent = 0;
      push({ type: 'reset' });
    }
    const { rows } = session;
    const next = rows.slice(sent, sent + rowsAtOnce);
    if (next.length > 0) push({ type: 'rows', rows: next });
    sent += next.length;
    if (sent < rows.length) return later();
    push({ type: 'state', state: session.state() });
  }
  function later(): void {
    cancel ??= host.at(host.now() + pushEveryMs, flush);
  }
  raw.on('drain', () => {
    isFull = false;
    later();
  });
  push({ type: 'hello', hello: session.hello });
  const forget = session.watch(later);
  later();
  return () => {
    cancel?.();
    forget();
  };
}
