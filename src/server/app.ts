import { fastify, type FastifyError, type FastifyInstance } from 'fastify';
import type { Backend } from './backend.ts';
import type { Problem } from './problems.ts';
import { type About, createResponder, requestIds } from './respond.ts';
import { type Layout, mountBackends, mountDocuments, mountRest, type Refuse } from './routes.ts';
import { mountSimulation, type Simulation, simulationOf } from './sim.ts';
import type { Tokens } from './tokens.ts';
import type { World } from './world.ts';

/** Whom an application answers for: backends of one world. */
export interface Tenant {
  readonly world: World;
  readonly tokens: Tokens;
  /** Those that it has routes for. */
  readonly backends: readonly Backend[];
  /** Every backend of the world, which the addresses below /_sim are about. */
  readonly all: readonly Backend[];
  /** Whether the fault addresses are offered. */
  readonly faults: boolean;
  readonly onDefect?: (error: unknown) => void;
}

/** A Fastify application, made without a world: it answers for one tenant after another. */
export interface App {
  readonly fastify: FastifyInstance;
  readonly layout: Layout;
  moveIn(tenant: Tenant): void;
}

/** Part 2 has no body that comes near. */
const bodyLimit = 64 * 1024;
/** Of host time: how long a client may take to send a request. */
const requestTimeoutMs = 30_000;

/** A tenant, and what is made for it once. */
interface Household {
  readonly tenant: Tenant;
  readonly refuse: Refuse;
  readonly simulation: Simulation;
}

/** No route has a schema of Fastify's: what compiles them would be loaded with every server, for nothing. */
const none = () => () => {
  throw new Error('no route has a schema');
};

export function createApp(layout: Layout): App {
  let household: Household | undefined;
  const present = (): Household => {
    if (!household) throw new Error('the application answers for nobody yet');
    return household;
  };
  const tenant = (): Tenant => present().tenant;
  const refuse: Refuse = (...said) => present().refuse(...said);

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
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === 'internal') tenant().onDefect?.(error);
    refuse(request, reply, problem);
  });
  mountBackends(app, tenant, layout, refuse);
  mountDocuments(app, tenant, layout);
  mountRest(app, tenant, layout, refuse);
  mountSimulation(app, () => present().simulation);
  return {
    fastify: app,
    layout,
    moveIn(next) {
      const { world, all, faults } = next;
      const simulation = simulationOf(world, all, { faults });
      household = { tenant: next, refuse: refusalsOf(next), simulation };
    },
  };
}

/** Ends the streams of a tenant and answers what is held back. Safe to call twice. */
export function moveOut({ backends }: Tenant): void {
  for (const { streams, responder } of backends) {
    responder.release();
    streams.endAll();
  }
}

/** How refusals are written that belong to no backend of a world. */
function refusalsOf({ world, backends }: Tenant): Refuse {
  const { party } = backends[0] as Backend;
  const random = world.options.random.fork(`unknown paths of ${party.name}`);
  const responder = createResponder(withoutTamper(world), party, requestIds(random));
  return (request, reply, problem) => responder.problem(request, reply, problem, nowhere);
}

/** Refusals that belong to no endpoint are no subject of a mutation. */
const withoutTamper = (world: World): World => {
  const { tamper: _, ...rest } = world.options;
  return { ...world, options: rest };
};

/** A refusal is written as an answer about something; the health endpoint is open to all. */
const nowhere: About = { endpoint: 'health.read', params: {}, query: {} };

/** What Fastify refuses by itself; anything else that reaches this place is a defect. */
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
