import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Reply } from '../core/contract.ts';
import type { Random } from '../../random/random.ts';
import { type EndpointName, endpointNames, endpoints } from '../../spec/endpoints.ts';
import { createGuards } from './auth/guard.ts';
import type { Problem } from './wire/problems.ts';
import { bodyOf, paramsOf, queryOf } from './wire/read-request.ts';
import { type Call, createResponder, requestIds } from './wire/responder.ts';
import { createStreams, type StreamBounds } from './streams/streams.ts';
import type { WireAnswer } from './tamper.ts';
import type { Tokens } from './auth/tokens.ts';
import { randomOfLife, type World } from './world/world.ts';
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
  const detail = `no parameter is called ${JSON.stringify(at)}: ${expected}`;
  return { code: 'invalid_query', detail, at };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Backend whose route took the request. */
    backend?: Backend;
  }
}

/** Endpoints whose body part 4 describes. A body sent to another one is not looked at. */
const withBody: ReadonlySet<EndpointName> = new Set(['order.create', 'quote.submit']);

export type Backend = ReturnType<typeof createBackend>;

/** One party's backend: its routes, its streams, its answers. */
export function createBackend(
  world: World,
  tokens: Tokens,
  party: PartySpec,
  random: Random,
  jsonOf: (value: unknown) => string,
  bounds: StreamBounds,
) {
  const { assignment, tamper, journal } = world.options;
  const responder = createResponder(world, party, requestIds(randomOfLife(world, random)));
  // A backend that is started again with the same seed gives its events other ids than the run before. A backend that
  // continues from its journal continues to count them.
  const epoch = random.fork(`epoch ${journal?.head.startedAt ?? world.now()}`).hex(8);
  const streams = createStreams(world, party, epoch, jsonOf, bounds);
  const ok = (data: unknown, status = 200): Reply => ({ ok: true, status, data });

  async function issue(): Promise<Reply> {
    const claims = tokens.claimsFor(party, world.now());
    const context = tamper?.claims && world.tamperContext(party, 'token.create');
    const token = await tokens.issue(
      context ? (tamper.claims?.(claims, context) ?? claims) : claims,
    );
    const { partyId, role } = party;
    const data = { token, expires_in: tokens.lifetimeSeconds, canton_party_id: partyId, role };
    return ok(data, Number(assignment['http.success_status']));
  }

  const ask = (
    { endpoint, params, query, body }: Call,
    answer: Parameters<World['ask']>[1],
  ): void => world.ask({ endpoint, caller: party, params, query, body }, answer);

  /** The core decides if the stream may be opened; the shell keeps it. */
  const openStream = (call: Call): void =>
    ask(call, (allowed) => {
      const { request, reply, endpoint, query } = call;
      if (!allowed.ok) return responder.refuse(call, allowed.error);
      if (request.method === 'HEAD')
        return responder.plain(call, { status: 200, headers: streamHeaders });
      const filter = endpoint === 'order.events' ? query.intent_id : undefined;
      const lastEventId = request.headers['last-event-id'];
      reply.hijack();
      streams.attach(reply.raw, {
        ...(filter !== undefined && { intentId: filter.toLowerCase() }),
        ...(typeof lastEventId === 'string' && { lastEventId }),
      });
    });

  /** Endpoints that the shell answers itself; the core answers all others. */
  const own: Partial<Record<EndpointName, (call: Call) => void>> = {
    'token.create': (call) => {
      issue().then(
        (result) => responder.answer(call, result),
        (error: unknown) => call.reply.send(error),
      );
    },
    'health.read': (call) => {
      const form = assignment['health.response'];
      if (form === 'enveloped') responder.answer(call, ok({ status: 'ok' }));
      else responder.plain(call, healthAnswers[form]);
    },
    'order.events': openStream,
    'maker.events': openStream,
  };

  const askCore = (call: Call): void => ask(call, (answer) => responder.answer(call, answer));

  function handlerOf(endpoint: EndpointName) {
    const answer = own[endpoint] ?? askCore;
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const query = queryOf(request);
      const call = { request, reply, endpoint, params: paramsOf(request), query: query ?? {} };
      if (!query) return responder.refuse(call, repeatedParameter);
      const unknown = unknownParameter(endpoint, Object.keys(request.query as object), assignment);
      if (unknown !== undefined) return responder.refuse(call, unknown);
      if (!withBody.has(endpoint)) return answer(call);
      const body = bodyOf(request);
      if (!body.ok) return responder.refuse(call, body.problem);
      answer({ ...call, body: body.value });
    };
  }

  const eachEndpoint = <T>(make: (endpoint: EndpointName) => T) =>
    Object.fromEntries(endpointNames.map((name) => [name, make(name)])) as Record<EndpointName, T>;

  return {
    party,
    streams,
    responder,
    /** By endpoint: `guards` admit or refuse a request, `handlers` answer it. */
    guards: eachEndpoint(createGuards(world, party, tokens, responder)),
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

export type Refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => void;

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
  refuse: Refuse,
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
