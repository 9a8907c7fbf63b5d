import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchEndpoint } from '../../spec/endpoints.ts';
import type { Tenant } from './tenant.ts';
import { type Backend, unknownPath } from './backend.ts';
import type { Problem } from './wire/problems.ts';

export type Layout = 'prefix' | 'ports';
export type Refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => void;

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
  for (const url of at('/.well-known/jwks.json'))
    app.get(url, (_, reply) =>
      reply.type('application/jwk-set+json').send(JSON.stringify(tenant().tokens.keys.jwks)),
    );
  const json = 'application/json; charset=utf-8';
  for (const url of at('/openapi.json'))
    app.get(url, async (request, reply) => {
      const { referenceOpenapi } = await import('./documents/reference-openapi.ts');
      const { assignment } = tenant().world.options;
      const document = referenceOpenapi(assignment, serversFor(request, tenant(), layout));
      return reply.type(json).send(JSON.stringify(document));
    });
  for (const url of at('/asyncapi.json'))
    app.get(url, async (request, reply) => {
      const { asyncapiDocument } = await import('../../spec/asyncapi.ts');
      const document = asyncapiDocument({ servers: serversFor(request, tenant(), layout) });
      return reply.type(json).send(JSON.stringify(document));
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
