import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reply } from '../core/contract.ts';
import type { Random } from '../../random/random.ts';
import { type EndpointName, endpointNames, endpoints } from '../../spec/endpoints.ts';
import { type Admission, admitted, createAuthenticator } from './auth/authenticator.ts';
import type { Problem } from './wire/problems.ts';
import { rateLimitOf } from './rate-limit.ts';
import { bodyOf, paramsOf, queryOf, tokenInQuery } from './wire/read-request.ts';
import { type RequestInfo, createResponder, requestIds, type Responder } from './wire/responder.ts';
import { createStreams, type StreamBounds, type Streams } from './streams/streams.ts';
import type { TokenRefusal, WireAnswer } from './tamper.ts';
import type { Tokens } from './auth/tokens.ts';
import type { PartySpec, World } from './world.ts';

/** One party's backend: its routes, its streams, its answers. */
export interface Backend {
  readonly party: PartySpec;
  readonly streams: Streams;
  readonly responder: Responder;
  /** By endpoint: whether a request may go on, and its answer. */
  readonly guards: Readonly<Record<EndpointName, Guard>>;
  readonly handlers: Readonly<Record<EndpointName, RouteHandler>>;
}

/** Calls `admit`, at once or later, or answers with a refusal. */
type Guard = (request: FastifyRequest, reply: FastifyReply, admit: () => void) => void;
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
  const responder = createResponder(world, party, requestIds(options.random));
  const streams = createStreams(
    world,
    party,
    options.random.fork('epoch').hex(8),
    options.jsonOf,
    options.bounds,
  );
  const gate = createAuthenticator(tokens, party, assignment, tamper);
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

  const ask = ({ endpoint, params, query, body }: RequestInfo): Reply =>
    world.request({ endpoint, caller: party, params, query, body });

  /** The core says whether the stream may be had; the shell keeps it. */
  const openStream: Handler = (request, reply, info) => {
    const allowed = ask(info);
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
  };

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
    responder.reply(request, reply, ask(info), info);

  /** Before the body is read: neither a stranger nor a flood gets it parsed. */
  function guardOf(endpoint: EndpointName): Guard {
    const guarded = tamper?.authRequired?.(endpoint) ?? endpoints[endpoint].roles.length > 0;
    const readsQuery = queryToken && endpoints[endpoint].result === 'stream';
    const info: RequestInfo = { endpoint, params: {}, query: {} };
    return (request, reply, admit) => {
      const now = world.now();
      const waitMs = endpoint === 'health.read' ? 0 : (limit?.(now) ?? 0);
      if (waitMs > 0) return responder.problem(request, reply, rateProblem(waitMs), info);
      if (!guarded) return admit();
      const admission = gate(
        {
          authorization: request.headers.authorization,
          accessToken: readsQuery ? tokenInQuery(request) : undefined,
        },
        now,
      );
      if (admission === admitted && !tamper?.admits) return admit();
      const settle = (decided: Admission): void => {
        const late = overruled(decided, request, endpoint);
        if (late === admitted) admit();
        else responder.problem(request, reply, late, { ...info, query: queryOf(request) ?? {} });
      };
      if (!(admission instanceof Promise)) return settle(admission);
      admission.then(settle, (error: unknown) => reply.send(error));
    };
  }

  /** The gate's decision as the tamper wants it. */
  function overruled(
    decided: Admission,
    request: FastifyRequest,
    endpoint: EndpointName,
  ): Admission {
    if (!tamper?.admits) return decided;
    const code = decided === admitted ? admitted : (decided.code as TokenRefusal);
    const admits = tamper.admits(code, {
      ...world.tamperContext(party, endpoint),
      now: world.now(),
      authorization: request.headers.authorization,
    });
    if (admits === undefined) return decided;
    if (admits) return admitted;
    return decided === admitted ? { code: 'token_invalid', detail: 'not this token' } : decided;
  }

  function handlerOf(endpoint: EndpointName): RouteHandler {
    const answer = own[endpoint] ?? askCore;
    return (request, reply) => {
      const params = paramsOf(request);
      const query = queryOf(request);
      if (!query) {
        const info = { endpoint, params, query: {} };
        return responder.problem(request, reply, repeatedParameter, info);
      }
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
    guards: eachEndpoint(guardOf),
    handlers: eachEndpoint(handlerOf),
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
