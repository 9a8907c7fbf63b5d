import type { FastifyInstance, FastifyRequest } from 'fastify';
import { matchEndpoint } from '../../spec/endpoints.ts';
import type { Tokens } from './auth/tokens.ts';
import { type Backend, type Refuse, unknownPath } from './backend.ts';
import type { Problem } from './wire/problems.ts';
import type { World } from './world/world.ts';

export type Layout = 'prefix' | 'ports';

/** Backends of one world that an application answers for. */
export interface Tenant {
  readonly world: World;
  readonly tokens: Tokens;
  /** Backends that the application has routes for. */
  readonly backends: readonly Backend[];
  /** Every backend of the world; the addresses below /_sim control them all. */
  readonly all: readonly Backend[];
  /** True if the fault addresses are offered. */
  readonly faults: boolean;
  readonly onInternalError?: (error: unknown) => void;
}

/** The prefix of a backend's paths: a segment that names the party if all share one port, else empty. */
export const prefixOf = (layout: Layout): string => (layout === 'ports' ? '' : '/:backend');

/** The backend that a request is for. */
export function backendOf(
  { params }: FastifyRequest,
  { backends }: Tenant,
  layout: Layout,
): Backend | undefined {
  if (layout === 'ports') return backends[0];
  const { backend } = params as { backend: string };
  return backends.find(({ party }) => party.prefix === backend);
}

/** Mounts the documents that describe a backend: not part of the interface, and open to everybody. */
export function mountDocuments(app: FastifyInstance, tenant: () => Tenant, layout: Layout): void {
  const at = (path: string): string[] =>
    layout === 'ports' ? [path] : [path, prefixOf(layout) + path];
  const document = (
    path: string,
    type: string,
    make: (request: FastifyRequest) => unknown,
  ): void => {
    for (const url of at(path))
      app.get(url, async (request, reply) =>
        reply.type(type).send(JSON.stringify(await make(request))),
      );
  };
  const json = 'application/json; charset=utf-8';
  document('/.well-known/jwks.json', 'application/jwk-set+json', () => tenant().tokens.keys.jwks);
  document('/openapi.json', json, async (request) => {
    const { referenceOpenapi } = await import('./documents/reference-openapi.ts');
    const { assignment } = tenant().world.options;
    return referenceOpenapi(assignment, serversFor(request, tenant(), layout));
  });
  document('/asyncapi.json', json, async (request) => {
    const { asyncapiDocument } = await import('../../spec/asyncapi.ts');
    return asyncapiDocument(serversFor(request, tenant(), layout));
  });
}

/** Backends in a document, with absolute base URLs: the one below whose path it was requested, or all. */
function serversFor(request: FastifyRequest, { backends }: Tenant, layout: Layout) {
  const origin = `${request.protocol}://${request.host}`;
  const { backend } = request.params as { readonly backend?: string };
  return backends
    .filter(({ party }) => backend === undefined || party.prefix === backend)
    .map(({ party }) => ({
      url: layout === 'ports' ? origin : `${origin}/${party.prefix}`,
      description: `${party.name} (${party.role})`,
    }));
}

/** Answers requests that match no route: 404, or 405 with the methods that the path has. */
export function mountFallbacks(
  app: FastifyInstance,
  tenant: () => Tenant,
  layout: Layout,
  refuse: Refuse,
): void {
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(relativePath(request.url, tenant().backends, layout));
    if (methods.length === 0) return refuse(request, reply, unknownPath);
    if (request.method === 'OPTIONS')
      return reply.code(204).header('allow', methods.join(', ')).send();
    refuse(request, reply, wrongMethod(methods));
  });
}

/** The path of a request below the base URL, without its query. */
function relativePath(url: string, backends: readonly Backend[], layout: Layout): string {
  const path = url.split('?', 1)[0] ?? '';
  if (layout === 'ports') return path;
  const found = backends.find(({ party }) => path.startsWith(`/${party.prefix}/`));
  return found ? path.slice(found.party.prefix.length + 1) : '';
}

function methodsOf(path: string): string[] {
  if (path.endsWith('/') || path.includes('//')) return [];
  const get = matchEndpoint('GET', path);
  const post = matchEndpoint('POST', path);
  if (!get && !post) return [];
  return [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : []), 'OPTIONS'];
}

const wrongMethod = (methods: readonly string[]): Problem => ({
  code: 'method_not_allowed',
  detail: `this path has ${methods.join(', ')}`,
  headers: { allow: methods.join(', ') },
});
