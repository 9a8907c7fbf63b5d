import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Endpoint, endpointNames, endpoints, matchEndpoint } from '../../spec/endpoints.ts';
import type { Tenant } from './tenant.ts';
import type { Backend } from './backend.ts';
import type { Problem } from './wire/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose routes took the request. */
    backend?: Backend;
  }
}

export type Layout = 'prefix' | 'ports';
export type Refuse = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => void;

/**
 * The routes of part 4. With prefixes the first segment of a path names the backend, so that all share one set of
 * routes: every route costs Fastify a tenth of a millisecond at its start.
 */
export function mountBackends(
  app: FastifyInstance,
  tenant: () => Tenant,
  layout: Layout,
  refuse: Refuse,
): void {
  const find = ({ params }: FastifyRequest): Backend | undefined => {
    const { backends } = tenant();
    if (layout === 'ports') return backends[0];
    const { backend } = params as { backend: string };
    return backends.find(({ party }) => party.prefix === backend);
  };
  // Found once: a token may take a while to verify, and the tenant change meanwhile.
  app.decorateRequest('backend');
  for (const name of endpointNames) {
    const endpoint: Endpoint = endpoints[name];
    app.route({
      method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
      url: below(layout, endpoint.path.replace(/\{(\w+)\}/g, ':$1')),
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

const below = (layout: Layout, path: string): string =>
  layout === 'ports' ? path : `/:backend${path}`;

/** What describes a backend: not part of the interface, and open to everybody. */
export function mountDocuments(app: FastifyInstance, tenant: () => Tenant, layout: Layout): void {
  const at = (path: string): string[] =>
    layout === 'ports' ? [path] : [path, below(layout, path)];
  for (const url of at('/.well-known/jwks.json'))
    app.get(url, (_, reply) =>
      reply.type('application/jwk-set+json').send(JSON.stringify(tenant().tokens.keys.jwks)),
    );
  for (const url of at('/openapi.json'))
    app.get(url, async (_, reply) => {
      const { openapiDocument } = await import('../../spec/openapi.ts');
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(openapiDocument()));
    });
}

/** Answers whatever no route takes: 404, or 405 with the methods that the path has. */
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

/** The path below the base URL that a request meant, without its query. */
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

const unknownPath: Problem = { code: 'unknown_path', detail: 'no endpoint has this path' };
const wrongMethod = (methods: readonly string[]): Problem => ({
  code: 'method_not_allowed',
  detail: `this path has ${methods.join(', ')}`,
  headers: { allow: methods.join(', ') },
});
