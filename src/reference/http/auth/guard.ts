import type { FastifyReply, FastifyRequest } from 'fastify';
import { type EndpointName, endpoints } from '../../../spec/endpoints.ts';
import { rateLimitOf } from '../rate-limit.ts';
import type { TokenRefusal } from '../tamper.ts';
import type { Problem } from '../wire/problems.ts';
import { queryOf, tokenInQuery } from '../wire/read-request.ts';
import type { RequestInfo, Responder } from '../wire/responder.ts';
import type { World } from '../world/world.ts';
import type { PartySpec } from '../world/world-options.ts';
import { type Admission, admitted, createAuthenticator } from './authenticator.ts';
import type { Tokens } from './tokens.ts';

/** Calls `admit`, at once or later, or answers with a refusal. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, admit: () => void) => void;

export interface GuardOptions {
  readonly world: World;
  readonly tokens: Tokens;
  readonly party: PartySpec;
  readonly responder: Responder;
}

/** First checks of each request to a backend: its rate limit and the bearer token (part 5). */
export function createGuards(options: GuardOptions): (endpoint: EndpointName) => Guard {
  const { world, tokens, party, responder } = options;
  const { assignment, tamper } = world.options;
  const authenticate = createAuthenticator(tokens, party, assignment, tamper);
  const limit = rateLimitOf(assignment['limits.rate']);
  const queryToken = assignment['stream.auth'] === 'header-or-query';

  /** Runs before the body is read: no body of a request without a token, or above the rate, is parsed. */
  function guardOf(endpoint: EndpointName): Guard {
    const guarded = tamper?.authRequired?.(endpoint) ?? endpoints[endpoint].roles.length > 0;
    const readsQuery = queryToken && endpoints[endpoint].result === 'stream';
    const info: RequestInfo = { endpoint, params: {}, query: {} };
    return (request, reply, admit) => {
      const now = world.now();
      const waitMs = endpoint === 'health.read' ? 0 : (limit?.(now) ?? 0);
      if (waitMs > 0) return responder.problem(request, reply, rateProblem(waitMs), info);
      if (!guarded) return admit();
      const admission = authenticate(
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

  /** The authenticator's decision, or the tamper's if it overrules. */
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

  return guardOf;
}

const rateProblem = (waitMs: number): Problem => ({
  code: 'rate_limited',
  detail: 'too many requests, wait before the next',
  headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
});
