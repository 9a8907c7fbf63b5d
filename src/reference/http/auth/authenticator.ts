import type { PartyRecord } from '../../core/contract.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Problem } from '../wire/problems.ts';
import type { Tamper } from '../tamper.ts';
import { skippedChecks, type Tokens, type Verified } from './tokens.ts';

interface Credentials {
  readonly authorization: string | undefined;
  /** The query parameter that replaces the header on streams, if the assignment allows it. */
  readonly accessToken: string | undefined;
}

/** `admitted`: the bearer may act as the backend's party. Otherwise the problem. */
export const admitted = 'admitted';
export type Admission = typeof admitted | Problem;

/** Token check of one party's backend (part 5). */
export type Authenticator = (
  credentials: Credentials,
  now: number,
) => Admission | Promise<Admission>;

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

/** A verified token that was seen before is admitted at once; only a new one takes turns of the event loop. */
export function createAuthenticator(
  tokens: Tokens,
  party: PartyRecord,
  assignment: Assignment,
  tamper: Tamper | undefined,
): Authenticator {
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

  return ({ authorization, accessToken }, now) => {
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
