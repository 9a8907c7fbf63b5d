import type { FastifyRequest } from 'fastify';
import type { PathParams } from '../../../spec/endpoints.ts';
import { type ParsedBody, parseBody } from './json-body.ts';
import type { Problem } from './problems.ts';

export type Query = Readonly<Record<string, string>>;

/** The query parameter of RFC 6750, 2.3, if streams take one. */
const tokenParameter = 'access_token';

export function tokenInQuery(request: FastifyRequest): string | undefined {
  const value = (request.query as Record<string, unknown>)[tokenParameter];
  return typeof value === 'string' ? value : undefined;
}

/** The parameters without the token, which the core does not need; undefined if one comes twice. */
export function queryOf(request: FastifyRequest): Query | undefined {
  const query = request.query as Record<string, unknown>;
  for (const name in query) if (typeof query[name] !== 'string') return undefined;
  if (!(tokenParameter in query)) return query as Query;
  const { [tokenParameter]: _, ...rest } = query;
  return rest as Query;
}

const none: PathParams = {};

/** The parameters of part 4's paths, without the backend's. Digits of a UUID have no case (RFC 9562, 4). */
export function paramsOf(request: FastifyRequest): PathParams {
  const { intent_id, quote_id } = request.params as PathParams;
  if (intent_id === undefined) return none;
  const order = { intent_id: intent_id.toLowerCase() };
  return quote_id === undefined ? order : { ...order, quote_id: quote_id.toLowerCase() };
}

const isJson = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const wrongType: Problem = {
  code: 'unsupported_media_type',
  detail: 'send the body as application/json in UTF-8',
};
const nothing = Buffer.alloc(0);

/** The JSON object in the body. Fastify hands over bytes for every content type, or nothing. */
export function bodyOf(request: FastifyRequest): ParsedBody {
  const bytes = request.body;
  if (!Buffer.isBuffer(bytes)) return parseBody(nothing);
  const type = request.headers['content-type'];
  if (type === undefined || !isJson.test(type)) return { ok: false, problem: wrongType };
  return parseBody(bytes);
}
