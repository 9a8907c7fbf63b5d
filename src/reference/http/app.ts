import { fastify, type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { type HostGuard, hostGuard } from '../../local-server/host-guard.ts';
import type { Problem } from './wire/problems.ts';
import { createResponder, requestIds } from './wire/responder.ts';
import { type Backend, mountBackends, type Refuse } from './backend.ts';
import {
  backendOf,
  type Layout,
  mountDocuments,
  mountFallbacks,
  prefixOf,
  type Tenant,
} from './routes.ts';
import { mountSimulation, type Simulation, simulationOf } from './sim-endpoints.ts';
import { randomOfLife } from './world/world.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** See `hostGuard`. */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** In bytes. The bodies of part 2 are much smaller. */
const bodyLimit = 64 * 1024;
/** Maximum host time that a client may take to send a request. */
const requestTimeoutMs = 30_000;

/** A tenant, and the objects that are made for it once. */
interface ActiveTenant {
  readonly tenant: Tenant;
  readonly refuse: Refuse;
  readonly simulation: Simulation;
}

/** Replaces Fastify's schema compilers: no route has a schema, and every server would load them for nothing. */
const none = () => () => {
  throw new Error('no route has a schema');
};

export type App = ReturnType<typeof createApp>;

/** A Fastify application, made without a world: it answers for one tenant after another. */
export function createApp(layout: Layout) {
  let active: ActiveTenant | undefined;
  const current = (): ActiveTenant => {
    if (!active) throw new Error('the application answers for nobody yet');
    return active;
  };
  const tenant = (): Tenant => current().tenant;
  const refuse: Refuse = (...said) => current().refuse(...said);

  const app = fastify({
    bodyLimit,
    exposeHeadRoutes: false,
    // Streams are ended first; what is still open then is held by a client.
    forceCloseConnections: true,
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    schemaController: { compilersFactory: { buildValidator: none, buildSerializer: none } },
    frameworkErrors: (error, request, reply) => refuse(request, reply, problemOf(error)),
  });
  let guard: HostGuard | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = guard?.(request);
    if (refusal === undefined) return done();
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail: refusal };
    reply.code(403).type('application/problem+json; charset=utf-8').send(JSON.stringify(problem));
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === 'internal') tenant().onInternalError?.(error);
    refuse(request, reply, problem);
  });
  const find = (request: FastifyRequest) => backendOf(request, tenant(), layout);
  mountBackends(app, prefixOf(layout), find, refuse);
  mountDocuments(app, tenant, layout);
  mountFallbacks(app, tenant, layout, refuse);
  mountSimulation(app, () => current().simulation);
  return {
    fastify: app as FastifyInstance,
    layout,
    setTenant(next: Tenant): void {
      const { world, all, faults } = next;
      const simulation = simulationOf(world, all, faults);
      active = { tenant: next, refuse: refusalsOf(next), simulation };
    },
    /** Listens, and keeps websites out; returns the origin. */
    listen({ host, port, allowedHosts }: ListenOptions): Promise<string> {
      // No guard without a port: in process, only its own tests send requests.
      guard = hostGuard(host, allowedHosts);
      return app.listen({ host, port });
    },
  };
}

/**
 * Writes refusals that belong to no backend of a world. Mutations do not alter them. An answer needs an endpoint: the
 * health endpoint, which is open to all, stands for it.
 */
function refusalsOf({ world, backends }: Tenant): Refuse {
  const { party } = backends[0] as Backend;
  const random = world.options.random.fork(`unknown paths of ${party.name}`);
  const { tamper: _, ...options } = world.options;
  const ids = requestIds(randomOfLife(world, random));
  const responder = createResponder({ ...world, options }, party, ids);
  return (request, reply, problem) =>
    responder.refuse({ request, reply, endpoint: 'health.read', params: {}, query: {} }, problem);
}

/** Problem for a refusal by Fastify itself; any other error that reaches this function is a defect. */
function problemOf(error: FastifyError): Problem {
  const { statusCode } = error;
  if (statusCode === 413)
    return { code: 'too_large', detail: `at most ${bodyLimit} bytes are read` };
  if (statusCode === 415)
    return { code: 'unsupported_media_type', detail: 'send the body as application/json' };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { code: 'bad_request', detail: error.message };
  return { code: 'internal', detail: 'something went wrong in the backend, not in the request' };
}
