import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import type { Reply } from '../core/contract.ts';
import type { Random } from '../runtime/random.ts';
import {
  type Endpoint,
  type EndpointName,
  endpointNames,
  endpoints,
  type PathParams,
} from '../spec/endpoints.ts';
import { admitted, createGate } from './auth.ts';
import { parseBody } from './json-body.ts';
import type { Problem } from './problems.ts';
import { rateLimitOf } from './rate-limit.ts';
import { type About, createResponder, requestIds, type Responder } from './respond.ts';
import { createStreams, type StreamBounds, type Streams } from './streams.ts';
import type { WireAnswer } from './tamper.ts';
import type { Tokens } from './tokens.ts';
import type { PartySpec, World } from './world.ts';

/** One party's backend: its routes, its streams, its answers. */
export interface Backend {
  readonly party: PartySpec;
  readonly streams: Streams;
  readonly responder: Responder;
  /** Adds its routes, relative to wherever `app` is mounted. */
  mount(app: FastifyInstance): void;
}

export interface BackendOptions {
  readonly world: World;
  readonly tokens: Tokens;
  readonly party: PartySpec;
  readonly random: Random;
  readonly bounds?: StreamBounds;
}

/** Endpoints whose body part 4 describes. A body sent to another one is not looked at. */
const withBody: ReadonlySet<EndpointName> = new Set(['order.create', 'quote.submit']);

/** The query parameter of RFC 6750, 2.3, where streams take one. */
const tokenParameter = 'access_token';

type Query = Readonly<Record<string, string>>;
type Asked = About & { readonly endpoint: EndpointName };
type Handler = (request: FastifyRequest, reply: FastifyReply, about: Asked) => void;

export function createBackend(options: BackendOptions): Backend {
  const { world, tokens, party } = options;
  const { assignment, tamper } = world.options;
  const responder = createResponder(world, party, requestIds(options.random));
  const streams = createStreams(world, party, options.random.fork('epoch').hex(8), options.bounds);
  const gate = createGate(tokens, party, assignment, tamper);
  const limit = rateLimitOf(assignment['limits.rate']);
  const queryToken = assignment['stream.auth'] === 'header-or-query';
  const ok = (data: unknown, status = 200): Reply => ({ ok: true, status, data });

  async function issue(): Promise<Reply> {
    const claims = tokens.claimsFor(party, world.now());
    const context = tamper?.claims && world.tamperContext(party, 'token.create');
    const token = await tokens.issue(
      context ? (tamper.claims?.(claims, context) ?? claims) : claims,
    );
    const data = {
      token,
      expires_in: tokens.lifetimeSeconds,
      canton_party_id: party.partyId,
      role: party.role,
    };
    return ok(data, Number(assignment['http.success_status']));
  }

  const ask = (request: FastifyRequest, { endpoint, query, body }: Asked): Reply =>
    world.request({
      endpoint,
      caller: party,
      params: request.params as PathParams,
      query: query ?? {},
      body,
    });

  /** The core says whether the stream may be had; the shell keeps it. */
  const openStream: Handler = (request, reply, about) => {
    const allowed = ask(request, about);
    if (!allowed.ok) return responder.problem(request, reply, allowed.error, about);
    if (request.method === 'HEAD')
      return responder.plain(request, reply, { status: 200, headers: streamHeaders }, about);
    const filter = about.endpoint === 'order.events' ? about.query?.intent_id : undefined;
    const lastEventId = request.headers['last-event-id'];
    reply.hijack();
    streams.attach(reply.raw, {
      ...(filter !== undefined && { intentId: filter.toLowerCase() }),
      ...(typeof lastEventId === 'string' && { lastEventId }),
    });
  };

  /** Endpoints that the shell answers itself; the core answers all others. */
  const own: Partial<Record<EndpointName, Handler>> = {
    'token.create': (request, reply, about) => {
      issue().then(
        (result) => responder.reply(request, reply, result, about),
        (error: unknown) => reply.send(error),
      );
    },
    'health.read': (request, reply, about) => {
      if (assignment['health.response'] === 'enveloped')
        return responder.reply(request, reply, ok({ status: 'ok' }), about);
      responder.plain(request, reply, healthAnswers[assignment['health.response']], about);
    },
    'order.events': openStream,
    'maker.events': openStream,
  };

  const askCore: Handler = (request, reply, about) =>
    responder.reply(request, reply, ask(request, about), about);

  /** Before the body is read: neither a stranger nor a flood gets it parsed. */
  function guard(endpoint: EndpointName): onRequestHookHandler {
    const open = endpoints[endpoint].roles.length === 0;
    const guarded = tamper?.authRequired?.(endpoint) ?? !open;
    const isStream = endpoints[endpoint].result === 'stream';
    return (request, reply, done) => {
      const now = world.now();
      const waitMs = endpoint === 'health.read' ? 0 : (limit?.(now) ?? 0);
      if (waitMs > 0) return responder.problem(request, reply, rateProblem(waitMs), { endpoint });
      if (!guarded) return done();
      const accessToken = isStream && queryToken ? tokenInQuery(request) : undefined;
      const { authorization } = request.headers;
      const admission = gate({ authorization, accessToken }, now);
      if (admission === admitted) return done();
      if (!(admission instanceof Promise))
        return responder.problem(request, reply, admission, { endpoint });
      admission.then((late) => {
        if (late === admitted) done();
        else responder.problem(request, reply, late, { endpoint });
      }, done);
    };
  }

  function handle(endpoint: EndpointName): RouteHandlerMethod {
    const answer = own[endpoint] ?? askCore;
    return (request, reply) => {
      const query = queryOf(request);
      if (!query) return responder.problem(request, reply, repeatedParameter, { endpoint });
      if (!withBody.has(endpoint)) return answer(request, reply, { endpoint, query });
      const body = bodyOf(request);
      if (!body.ok) return responder.problem(request, reply, body.problem, { endpoint, query });
      answer(request, reply, { endpoint, query, body: body.value });
    };
  }

  return {
    party,
    streams,
    responder,
    mount(app) {
      for (const name of endpointNames) {
        const endpoint: Endpoint = endpoints[name];
        app.route({
          method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
          url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
          onRequest: guard(name),
          handler: handle(name),
        });
      }
    },
  };
}

const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

const healthAnswers: Readonly<Record<'json' | 'text' | 'empty', WireAnswer>> = {
  json: { status: 200, headers: {}, body: { status: 'ok' } },
  text: { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' },
  empty: { status: 204, headers: {} },
};

const rateProblem = (waitMs: number): Problem => ({
  code: 'rate_limited',
  detail: 'too many requests, wait before the next',
  headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
});

const repeatedParameter: Problem = {
  code: 'invalid_query',
  detail: 'a query parameter stands twice',
};

function tokenInQuery(request: FastifyRequest): string | undefined {
  const value = (request.query as Record<string, unknown>)[tokenParameter];
  return typeof value === 'string' ? value : undefined;
}

/** The parameters; undefined where one stands twice. The token is none of the core's business. */
function queryOf(request: FastifyRequest): Query | undefined {
  const query = request.query as Record<string, unknown>;
  for (const name in query) if (typeof query[name] !== 'string') return undefined;
  if (!(tokenParameter in query)) return query as Query;
  const { [tokenParameter]: _, ...rest } = query;
  return rest as Query;
}

function bodyOf(request: FastifyRequest) {
  const type = request.headers['content-type'];
  const bytes = request.body;
  if (Buffer.isBuffer(bytes) && !(type !== undefined && isJson.test(type)))
    return { ok: false, problem: wrongType } as const;
  return parseBody(Buffer.isBuffer(bytes) ? bytes : nothing);
}

const nothing = Buffer.alloc(0);
const isJson = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const wrongType: Problem = {
  code: 'unsupported_media_type',
  detail: 'send the body as application/json in UTF-8',
};
