import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { AddressInfo } from 'node:net';
import { lastJsonOf } from './answers.ts';
import { type Backend, createBackend } from './backend.ts';
import type { Problem } from './problems.ts';
import { type About, createResponder, requestIds } from './respond.ts';
import { type Layout, mountBackends, mountDocuments, mountRest } from './routes.ts';
import { mountSimulation } from './sim.ts';
import { defaultBounds, type StreamBounds } from './streams.ts';
import { createTokens, type Tokens } from './tokens.ts';
import type { PartySpec, World } from './world.ts';

export interface ServerOptions {
  /** `prefix`: every party below its own path on one port. `ports`: each on a port of its own. */
  readonly layout?: Layout;
  /** The parties that have a backend; all unless told. The others are in the world, and nobody speaks for them. */
  readonly serves?: readonly string[];
  /** Offers the fault addresses; default yes. */
  readonly faults?: boolean;
  readonly bounds?: StreamBounds;
  /** Told of every 500: a defect of ours. */
  readonly onDefect?: (error: unknown) => void;
}

/** A party's backend as a client finds it. */
export interface Site {
  readonly party: PartySpec;
  readonly app: FastifyInstance;
  /** What stands before the paths of part 4: empty, or a slash and the party's prefix. */
  readonly basePath: string;
  readonly streams: { readonly open: number };
}

export interface Address {
  readonly party: PartySpec;
  readonly baseUrl: string;
}

export interface Server {
  readonly world: World;
  readonly tokens: Tokens;
  readonly sites: readonly Site[];
  /** The application that holds the addresses below /_sim; with `ports` every one of them does. */
  readonly app: FastifyInstance;
  site(name: string): Site;
  /** With `ports`, a port other than 0 is the first of consecutive ones. */
  serve(where: { readonly port: number; readonly host?: string }): Promise<readonly Address[]>;
  /** Ends all streams, answers what is held back, closes the ports and the world. Safe to call twice. */
  close(): Promise<void>;
}

/** Part 2 has no body that comes near. */
const bodyLimit = 64 * 1024;
/** Of host time: how long a client may take to send a request. */
const requestTimeoutMs = 30_000;

export function buildServer(world: World, options: ServerOptions = {}): Server {
  const layout = options.layout ?? 'prefix';
  const random = world.options.random.fork('server');
  const tokens = createTokens(world.options.assignment, random.fork('keys'), world.options.tamper);
  const jsonOf = lastJsonOf();
  const served = world.options.parties.filter(
    ({ name }) => options.serves?.includes(name) !== false,
  );
  const backends = served.map((party) =>
    createBackend({
      world,
      tokens,
      party,
      random: random.fork(`backend ${party.name}`),
      jsonOf,
      bounds: options.bounds ?? defaultBounds,
    }),
  );
  const apps: FastifyInstance[] = [];
  const newApp = (those: readonly Backend[]): FastifyInstance => {
    const app = createApp(world, tokens, those, layout, options);
    mountSimulation(app, world, backends, { faults: options.faults ?? true });
    apps.push(app);
    return app;
  };
  const shared = layout === 'prefix' ? newApp(backends) : undefined;
  const sites = backends.map((backend): Site => {
    const { party, streams } = backend;
    return shared
      ? { party, app: shared, basePath: `/${party.prefix}`, streams }
      : { party, app: newApp([backend]), basePath: '', streams };
  });
  const [first] = apps;
  if (!first) throw new Error('a world needs at least one party');

  async function serve(where: { readonly port: number; readonly host?: string }) {
    const host = where.host ?? '127.0.0.1';
    for (const [index, app] of apps.entries())
      await app.listen({ host, port: where.port === 0 ? 0 : where.port + index });
    return sites.map(({ party, app, basePath }) => {
      const { port } = app.server.address() as AddressInfo;
      const name = host.includes(':') ? `[${host}]` : host;
      return { party, baseUrl: `http://${name}:${port}${basePath}` };
    });
  }

  return {
    world,
    tokens,
    sites,
    app: first,
    site(name) {
      const found = sites.find(({ party }) => party.name === name);
      if (!found) throw new Error(`no party is called ${name}`);
      return found;
    },
    serve,
    async close() {
      world.close();
      await Promise.all(apps.map((app) => app.close()));
    },
  };
}

function createApp(
  world: World,
  tokens: Tokens,
  backends: readonly Backend[],
  layout: Layout,
  options: ServerOptions,
): FastifyInstance {
  const app = fastify({
    bodyLimit,
    exposeHeadRoutes: false,
    // Streams are ended first; what is still open then is held by a client.
    forceCloseConnections: true,
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    frameworkErrors: (error, request, reply) => refuse(request, reply, problemOf(error)),
  });
  const { party } = backends[0] as Backend;
  const random = world.options.random.fork(`unknown paths of ${party.name}`);
  const responder = createResponder(withoutTamper(world), party, requestIds(random));

  const refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem): void =>
    responder.problem(request, reply, problem, nowhere);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = problemOf(error);
    if (problem.code === 'internal') options.onDefect?.(error);
    refuse(request, reply, problem);
  });
  mountBackends(app, backends, layout, refuse);
  mountDocuments(app, tokens, layout);
  mountRest(app, backends, layout, refuse);
  app.addHook('preClose', (done) => {
    for (const { streams, responder: held } of backends) {
      held.release();
      streams.endAll();
    }
    done();
  });
  return app;
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
