import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Reply } from '../core/contract.ts';
import type { Random } from '../../random/random.ts';
import { type EndpointName, endpointNames, endpoints } from '../../spec/endpoints.ts';
import { createGuards, type Guard } from './auth/guard.ts';
import type { Problem } from './wire/problems.ts';
import { bodyOf, paramsOf, queryOf } from './wire/read-request.ts';
import { type RequestInfo, createResponder, requestIds, type Responder } from './wire/responder.ts';
import { createStreams, type StreamBounds, type Streams } from './streams/streams.ts';
import type { WireAnswer } from './tamper.ts';
import type { Tokens } from './auth/tokens.ts';
import { type Answer, randomOfLife, type World } from './world/world.ts';
import type { PartySpec } from './world/world-options.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import { queryParametersOf } from '../../spec/query-parameters.ts';

/** Refusal of a parameter that the endpoint does not have; undefined if there is none, or if it may be ignored. */
function unknownParameter(
  endpoint: EndpointName,
  asked: readonly string[],
  answers: Assignment,
): Problem | undefined {
  if (answers['request.unknown_query'] === 'ignore') return undefined;
  const known = queryParametersOf(endpoint, answers).map(({ name }) => name);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const expected = known.length === 0 ? 'none is known here' : `known are ${known.join(', ')}`;
  const at = unknown.slice(0, 64);
  return {
    code: 'invalid_query',
    detail: `no parameter is called ${JSON.stringify(at)}: ${expected}`,
    at,
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Backend whose route took the request. */
    backend?: Backend;
  }
}

/** One party's backend: its routes, its streams, its answers. */
export interface Backend {
  readonly party: PartySpec;
  readonly streams: Streams;
  readonly responder: Responder;
  /** By endpoint: `guards` admit or refuse a request, `handlers` answer it. */
  readonly guards: Readonly<Record<EndpointName, Guard>>;
  readonly handlers: Readonly<Record<EndpointName, RouteHandler>>;
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => void;

export interface BackendOptions {
  readonly world: World;
  readonly tokens: Tokens;
  readonly party: PartySpec;
  readonly random: Random;
  readonly jsonOf: (value: unknown) => string;
  readonly bounds: StreamBounds;
}

/** Endpoints whose body part 4 describes. A body sent to another one is not looked at. */
const withBody: ReadonlySet<EndpointName> = new Set(['order.create', 'quote.submit']);

type Handler = (request: FastifyRequest, reply: FastifyReply, info: RequestInfo) => void;

export function createBackend(options: BackendOptions): Backend {
  const { world, tokens, party } = options;
  const { assignment, tamper } = world.options;
  const responder = createResponder(world, party, requestIds(randomOfLife(world, options.random)));
  const streams = createStreams(
    world,
    party,
    // A backend that is started again with the same seed gives its events other ids than the run before. A backend that
    // continues from its journal continues to count them.
    options.random.fork(`epoch ${world.options.journal?.head.startedAt ?? world.now()}`).hex(8),
    options.jsonOf,
    options.bounds,
  );
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

  const ask = (
    { endpoint, params, query, body }: RequestInfo,
    answer: (answer: Answer) => void,
  ): void => world.ask({ endpoint, caller: party, params, query, body }, answer);

  /** The core decides if the stream may be opened; the shell keeps it. */
  const openStream: Handler = (request, reply, info) =>
    ask(info, (allowed) => attachIf(allowed, request, reply, info));

  function attachIf(
    allowed: Answer,
    request: FastifyRequest,
    reply: FastifyReply,
    info: RequestInfo,
  ): void {
    if (!allowed.ok) return responder.problem(request, reply, allowed.error, info);
    if (request.method === 'HEAD')
      return responder.plain(request, reply, { status: 200, headers: streamHeaders }, info);
    const filter = info.endpoint === 'order.events' ? info.query.intent_id : undefined;
    const lastEventId = request.headers['last-event-id'];
    reply.hijack();
    streams.attach(reply.raw, {
      ...(filter !== undefined && { intentId: filter.toLowerCase() }),
      ...(typeof lastEventId === 'string' && { lastEventId }),
    });
  }

  /** Endpoints that the shell answers itself; the core answers all others. */
  const own: Partial<Record<EndpointName, Handler>> = {
    'token.create': (request, reply, info) => {
      issue().then(
        (result) => responder.reply(request, reply, result, info),
        (error: unknown) => reply.send(error),
      );
    },
    'health.read': (request, reply, info) => {
      if (assignment['health.response'] === 'enveloped')
        return responder.reply(request, reply, ok({ status: 'ok' }), info);
      responder.plain(request, reply, healthAnswers[assignment['health.response']], info);
    },
    'order.events': openStream,
    'maker.events': openStream,
  };

  const askCore: Handler = (request, reply, info) =>
    ask(info, (answer) => responder.reply(request, reply, answer, info));

  function handlerOf(endpoint: EndpointName): RouteHandler {
    const answer = own[endpoint] ?? askCore;
    return (request, reply) => {
      const params = paramsOf(request);
      const query = queryOf(request);
      if (!query) {
        const info = { endpoint, params, query: {} };
        return responder.problem(request, reply, repeatedParameter, info);
      }
      const unknown = unknownParameter(endpoint, Object.keys(request.query as object), assignment);
      if (unknown !== undefined)
        return responder.problem(request, reply, unknown, { endpoint, params, query });
      if (!withBody.has(endpoint)) return answer(request, reply, { endpoint, params, query });
      const body = bodyOf(request);
      if (!body.ok)
        return responder.problem(request, reply, body.problem, { endpoint, params, query });
      answer(request, reply, { endpoint, params, query, body: body.value });
    };
  }

  const eachEndpoint = <T>(make: (endpoint: EndpointName) => T) =>
    Object.fromEntries(endpointNames.map((name) => [name, make(name)])) as Record<EndpointName, T>;

  return {
    party,
    streams,
    responder,
    guards: eachEndpoint(createGuards({ world, tokens, party, responder })),
    handlers: eachEndpoint(handlerOf),
  };
}

const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

const healthAnswers: Readonly<Record<'json' | 'text' | 'empty', WireAnswer>> = {
  json: { status: 200, headers: {}, body: { status: 'ok' } },
  text: { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' },
  empty: { status: 204, headers: {} },
};

const repeatedParameter: Problem = {
  code: 'invalid_query',
  detail: 'a query parameter stands twice',
};

/**
 * The routes of part 4. With prefixes the first segment of a path names the backend, so that all share one set of
 * routes: every route costs Fastify a tenth of a millisecond at its start.
 * @param prefix stands before the path of each route
 * @param find the backend that a request is for
 * @param refuse answers a request that is for none
 */
export function mountBackends(
  app: FastifyInstance,
  prefix: string,
  find: (request: FastifyRequest) => Backend | undefined,
  refuse: (request: FastifyRequest, reply: FastifyReply, problem: Problem) => void,
): void {
  // Found once: a token may take a while to verify, and the tenant change meanwhile.
  app.decorateRequest('backend');
  for (const name of endpointNames) {
    const { method, path } = endpoints[name];
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: prefix + path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest(request, reply, done) {
        const backend = find(request);
        if (!backend) return refuse(request, reply, unknownPath);
        request.backend = backend;
        backend.guards[name](request, reply, done);
      },
      handler(request, reply) {
        request.backend?.handlers[name](request, reply);
      },
    });
  }
}

export const unknownPath: Problem = { code: 'unknown_path', detail: 'no endpoint has this path' };
