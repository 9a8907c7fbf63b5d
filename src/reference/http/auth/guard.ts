import type { FastifyReply, FastifyRequest } from 'fastify';
import { type EndpointName, endpoints } from '../../../spec/endpoints.ts';
import { rateLimitOf } from '../rate-limit.ts';
import type { TokenRefusal } from '../tamper.ts';
import type { Problem } from '../wire/problems.ts';
import { queryOf, tokenInQuery } from '../wire/read-request.ts';
import type { Responder } from '../wire/responder.ts';
import type { World } from '../world/world.ts';
import type { PartySpec } from '../world/world-options.ts';
import { skippedChecks, type Tokens, type Verified } from './tokens.ts';

/** Calls `admit`, at once or later, or answers with a refusal. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, admit: () => void) => void;

/** `admitted`: the bearer may act as the backend's party. Otherwise the problem. */
const admitted = 'admitted';
type Admission = typeof admitted | Problem;

const missing: Problem = {
  code: 'token_missing',
  detail: 'send the header "Authorization: Bearer <token>"',
};
const invalid: Problem = {
  code: 'token_invalid',
  detail: 'the token is not one that this backend trusts',
};
const expired: Problem = {
  code: 'token_expired',
  detail: 'the token has expired, ask for a new one',
};
const otherAudience: Problem = {
  code: 'token_foreign',
  detail: 'the token was issued to another party',
};

/**
 * Token check of one party's backend (part 5). A verified token that was seen before is admitted at once; only a new one
 * takes turns of the event loop.
 */
function createAuthenticator(
  { options: { assignment, tamper } }: World,
  party: PartySpec,
  tokens: Tokens,
) {
  const skip = skippedChecks(assignment, tamper);
  const anyParty = assignment['auth.other_party'] === 'accept' || skip.has('party');

  function admit(verified: Verified): Admission {
    if (verified === 'token_expired') return expired;
    if (verified === 'token_invalid') return invalid;
    // Identity and role come from the backend (part 5.2), so a token that passes here acts as the backend's party.
    if (verified.partyId === party.partyId)
      return verified.role === party.role || skip.has('role') ? admitted : invalid;
    return anyParty ? admitted : otherAudience;
  }

  // Most requests carry the header of the one before. Comparing it costs less than hashing it anew for the lookup.
  let lastHeader: string | undefined;
  let lastToken: string | undefined;
  function tokenOf(authorization: string | undefined): string | undefined {
    if (authorization !== lastHeader) {
      lastHeader = authorization;
      lastToken = bearerToken(authorization);
    }
    return lastToken;
  }

  /** @param accessToken the query parameter that replaces the header on streams, if the assignment allows it */
  return (
    authorization: string | undefined,
    accessToken: string | undefined,
    now: number,
  ): Admission | Promise<Admission> => {
    const token = tokenOf(authorization) ?? accessToken;
    if (token === undefined) return authorization === undefined ? missing : invalid;
    const known = tokens.known(token, now);
    return known === undefined ? tokens.verify(token, now).then(admit) : admit(known);
  };
}

/** RFC 6750, 2.1; the scheme's name is case-insensitive (RFC 9110, 11.1). */
function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  if (authorization.startsWith('Bearer ')) return authorization.slice(7).trim();
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** First checks of each request to a backend: its rate limit and the bearer token (part 5). */
export function createGuards(
  world: World,
  party: PartySpec,
  tokens: Tokens,
  responder: Responder,
): (endpoint: EndpointName) => Guard {
  const { assignment, tamper } = world.options;
  const authenticate = createAuthenticator(world, party, tokens);
  const limit = rateLimitOf(assignment['limits.rate']);
  const queryToken = assignment['stream.auth'] === 'header-or-query';

  /** The authenticator's decision, or the tamper's if it overrules. */
  function overruled(
    decided: Admission,
    authorization: string | undefined,
    endpoint: EndpointName,
  ): Admission {
    if (!tamper?.admits) return decided;
    const code = decided === admitted ? admitted : (decided.code as TokenRefusal);
    const context = { ...world.tamperContext(party, endpoint), now: world.now(), authorization };
    const admits = tamper.admits(code, context);
    if (admits === undefined) return decided;
    if (admits) return admitted;
    return decided === admitted ? { code: 'token_invalid', detail: 'not this token' } : decided;
  }

  /** Runs before the body is read: no body of a request without a token, or above the rate, is parsed. */
  return (endpoint) => {
    const guarded = tamper?.authRequired?.(endpoint) ?? endpoints[endpoint].roles.length > 0;
    const readsQuery = queryToken && endpoints[endpoint].result === 'stream';
    const unread = { endpoint, params: {}, query: {} };
    return (request, reply, admit) => {
      const now = world.now();
      const waitMs = endpoint === 'health.read' ? 0 : (limit?.(now) ?? 0);
      if (waitMs > 0) return responder.refuse({ ...unread, request, reply }, rateProblem(waitMs));
      if (!guarded) return admit();
      const { authorization } = request.headers;
      const accessToken = readsQuery ? tokenInQuery(request) : undefined;
      const admission = authenticate(authorization, accessToken, now);
      if (admission === admitted && !tamper?.admits) return admit();
      const settle = (decided: Admission): void => {
        const late = overruled(decided, authorization, endpoint);
        const query = queryOf(request) ?? {};
        if (late === admitted) admit();
        else responder.refuse({ ...unread, request, reply, query }, late);
      };
      if (!(admission instanceof Promise)) return settle(admission);
      admission.then(settle, (error: unknown) => reply.send(error));
    };
  };
}

const rateProblem = (waitMs: number): Problem => ({
  code: 'rate_limited',
  detail: 'too many requests, wait before the next',
  headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
});
