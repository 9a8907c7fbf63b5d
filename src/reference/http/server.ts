import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { memoizedJson } from './wire/envelopes.ts';
import { type App, createApp, type ListenOptions } from './app.ts';
import { type Backend, createBackend } from './backend.ts';
import type { Layout } from './routes.ts';
import { defaultBounds, type StreamBounds } from './streams/streams.ts';
import { createTokens } from './auth/tokens.ts';
import type { World } from './world/world.ts';
import type { PartySpec } from './world/world-options.ts';

export interface ServerOptions {
  /** `prefix`: every party below its own path on one port. `ports`: each on a port of its own. */
  readonly layout?: Layout;
  /** The parties that have a backend; by default all. The others are in the world without one. */
  readonly serves?: readonly string[];
  /** Offers the fault addresses; default yes. */
  readonly faults?: boolean;
  readonly bounds?: StreamBounds;
  /** Application to answer through, with its own layout; it stays open at the end. By default the server makes one. */
  readonly app?: App;
  /** Called for every 500: a defect of ours. */
  readonly onInternalError?: (error: unknown) => void;
}

/** A party's backend as a client finds it. */
export interface Site {
  readonly party: PartySpec;
  readonly app: FastifyInstance;
  /** The prefix of the paths of part 4: empty, or a slash and the party's prefix. */
  readonly basePath: string;
  readonly streams: { readonly open: number };
}

export interface Address {
  readonly party: PartySpec;
  readonly baseUrl: string;
}

/** Options for listening; the host is 127.0.0.1 by default. */
export type ServeOptions = Omit<ListenOptions, 'host'> & Partial<Pick<ListenOptions, 'host'>>;

export type Server = ReturnType<typeof buildServer>;

export function buildServer(world: World, options: ServerOptions = {}) {
  const layout = options.app?.layout ?? options.layout ?? 'prefix';
  const random = world.options.random.fork('server');
  const { assignment, tamper, journal } = world.options;
  const key = journal?.head.origin.signingKey;
  const tokens = createTokens(assignment, random.fork('keys'), tamper, key);
  const jsonOf = memoizedJson();
  const served = world.options.parties.filter(
    ({ name }) => options.serves?.includes(name) !== false,
  );
  const { bounds = defaultBounds } = options;
  const backends = served.map((party) =>
    createBackend(world, tokens, party, random.fork(`backend ${party.name}`), jsonOf, bounds),
  );
  const apps: App[] = [];
  const answering = (app: App, those: readonly Backend[]): FastifyInstance => {
    const { faults = true, onInternalError } = options;
    const tenant = { world, tokens, backends: those, all: backends, faults };
    app.setTenant({ ...tenant, ...(onInternalError && { onInternalError }) });
    if (app !== options.app) apps.push(app);
    return app.fastify;
  };
  const shared =
    layout === 'prefix' ? answering(options.app ?? createApp(layout), backends) : undefined;
  const sites = backends.map((backend): Site => {
    const { party, streams } = backend;
    return shared
      ? { party, app: shared, basePath: `/${party.prefix}`, streams }
      : { party, app: answering(createApp(layout), [backend]), basePath: '', streams };
  });
  const [first] = sites;
  if (!first) throw new Error('a world needs at least one party');

  /** With `ports`, a port other than 0 is the first of consecutive ones. */
  async function serve({
    host = '127.0.0.1',
    port: first,
    allowedHosts,
  }: ServeOptions): Promise<readonly Address[]> {
    for (const [index, app] of apps.entries())
      await app.listen({ host, port: first === 0 ? 0 : first + index, allowedHosts });
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
    /** The application that holds the addresses below /_sim; with `ports` every one of them does. */
    app: first.app,
    site(name: string): Site {
      const found = sites.find(({ party }) => party.name === name);
      if (!found) throw new Error(`no party is called ${name}`);
      return found;
    },
    serve,
    /** Stops as a killed process does: without further answers and events, and connections break off. */
    kill(): void {
      world.close();
      for (const { streams } of backends) streams.dropAll();
    },
    /** Ends all streams, answers what is held back, closes the ports and the world. Safe to call twice. */
    async close(): Promise<void> {
      if (world.options.journal)
        await new Promise<void>((resolve) => {
          world.settled(resolve);
        });
      world.close();
      for (const { streams, responder } of backends) {
        responder.release();
        streams.endAll();
      }
      await Promise.all(apps.map((app) => app.fastify.close()));
    },
  };
}
