import type { JsonWebKey, KeyObject } from 'node:crypto';
import { CompactSign, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Random } from '../../../random/random.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { PartyRecord } from '../../core/contract.ts';
import { type Role, roles, tokenAudience, tokenIssuer } from '../../../spec/vocabulary.ts';
import { createKeys, type KeyPair } from './signing-keys.ts';
import QuickLRU from 'quick-lru';
import type { Tamper, TokenCheck } from '../tamper.ts';

type Claims = Readonly<Record<string, unknown>>;

interface Bearer {
  readonly partyId: string;
  readonly role: Role;
  /** The first moment at which the token is too old, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

type TokenRefusal = 'token_expired' | 'token_invalid';
export type Verified = Bearer | TokenRefusal;

const cachedTokens = 4096;
/** Separate cache: refused tokens are cheap to send in any number, and must not drive good ones out. */
const cachedRefusals = 512;
/** In characters. Our own tokens are much shorter; a longer one is not worth the work of verifying it. */
const longestToken = 4096;

/** Token checks that this backend skips. The role may be among them: it comes from the backend (part 5.2). */
export const skippedChecks = (
  assignment: Assignment,
  tamper: Tamper | undefined,
): ReadonlySet<TokenCheck> =>
  new Set<TokenCheck>([
    ...(tamper?.verify?.skip ?? []),
    ...(assignment['token.role_claim'] === 'ignore' ? (['role'] as const) : []),
  ]);

const signedByKey = new WeakMap<KeyObject, QuickLRU<string, string>>();

/**
 * Cache of the tokens that a key has signed: the worlds of one seed have one key and issue the same tokens when they
 * open. For EdDSA alone, which signs the same text the same way each time.
 */
function signedWith({ alg, signing }: KeyPair): QuickLRU<string, string> | undefined {
  if (alg !== 'EdDSA') return undefined;
  const signed =
    signedByKey.get(signing) ?? new QuickLRU<string, string>({ maxSize: cachedTokens });
  signedByKey.set(signing, signed);
  return signed;
}

export type Tokens = ReturnType<typeof createTokens>;

/**
 * The token issuer of a world, which every backend of the world trusts (part 5).
 * @param given replaces the key that is drawn
 */
export function createTokens(
  assignment: Assignment,
  random: Random,
  tamper: Tamper | undefined,
  given?: JsonWebKey,
) {
  const keys = createKeys(assignment['token.algorithm'], random, given);
  const lifetimeSeconds = Number.parseInt(assignment['token.lifetime'], 10);
  const cache = new QuickLRU<string, Bearer>({ maxSize: cachedTokens });
  const refused = new QuickLRU<string, TokenRefusal>({ maxSize: cachedRefusals });
  const skip = skippedChecks(assignment, tamper);

  const signed = signedWith(keys);

  /** Signs any claims as this issuer; `more` adds to or overrides the JOSE header. */
  async function mint(claims: Claims, more: Claims = {}): Promise<string> {
    const payload = JSON.stringify(claims);
    const header = { alg: keys.alg, typ: 'JWT', kid: keys.kid, ...more };
    const text = JSON.stringify(header) + payload;
    const known = signed?.get(text);
    if (known !== undefined) return known;
    const token = await new CompactSign(new TextEncoder().encode(payload))
      .setProtectedHeader(header)
      .sign(keys.signing);
    signed?.set(text, token);
    return token;
  }

  const asOf = (bearer: Bearer, now: number): Verified =>
    now >= bearer.expiresAt && !skip.has('expiry') ? 'token_expired' : bearer;

  /** `alg` is pinned, `none` and unknown `crit` are refused by the library, and a `kid` must be ours or absent. */
  async function payloadOf(token: string, now: number): Promise<JWTPayload> {
    if (skip.has('signature') || skip.has('algorithm')) return decodeJwt(token);
    try {
      const options = { algorithms: [keys.alg], currentDate: new Date(now) };
      return (await jwtVerify(token, ({ kid }: { kid?: string }) => keyFor(kid), options)).payload;
    } catch (error) {
      // Our own code judges the expiry, on each use and at a whole millisecond.
      if (error instanceof errors.JWTExpired) return error.payload;
      throw error;
    }
  }

  function keyFor(kid: string | undefined): KeyObject {
    if (kid !== undefined && kid !== keys.kid) throw new errors.JWKSNoMatchingKey();
    return keys.verifying;
  }

  return {
    keys,
    lifetimeSeconds,
    /** Claims of part 5.3, for a token issued at a moment (milliseconds since the epoch). */
    claimsFor: ({ partyId, role }: PartyRecord, now: number): Claims => ({
      sub: partyId,
      canton_party_id: partyId,
      role,
      iss: tokenIssuer,
      aud: assignment['token.audience_form'] === 'list' ? [tokenAudience] : tokenAudience,
      iat: Math.floor(now / 1000),
      exp: Math.floor(now / 1000) + lifetimeSeconds,
    }),
    mint,
    /** Signs, and remembers the token as verified. */
    async issue(claims: Claims): Promise<string> {
      const token = await mint(claims);
      const bearer = bearerOf(claims, skip);
      if (bearer) cache.set(token, bearer);
      return token;
    },
    /** Result of an earlier verification, as of `now`. Synchronous, so that it costs no turn of the event loop. */
    known(token: string, now: number): Verified | undefined {
      const bearer = cache.get(token);
      return bearer ? asOf(bearer, now) : refused.get(token);
    },
    async verify(token: string, now: number): Promise<Verified> {
      if (token.length > longestToken) return 'token_invalid';
      const refuse = (refusal: TokenRefusal): TokenRefusal => {
        refused.set(token, refusal);
        return refusal;
      };
      try {
        const bearer = bearerOf(await payloadOf(token, now), skip);
        if (!bearer) return refuse('token_invalid');
        const answer = asOf(bearer, now);
        // An expired token stays expired, so the refusal is cached.
        if (answer !== bearer) return refuse('token_expired');
        cache.set(token, bearer);
        return answer;
      } catch (error) {
        // A token that is not valid yet (`nbf`) may be valid later, so the refusal is not cached.
        if (error instanceof errors.JWTClaimValidationFailed) return 'token_invalid';
        if (error instanceof errors.JOSEError || error instanceof TypeError) {
          return refuse('token_invalid');
        }
        throw error;
      }
    },
  };
}

/** Part 5.3, strictly: a token of ours has exactly these forms. */
function bearerOf(claims: Claims, skip: ReadonlySet<TokenCheck>): Bearer | undefined {
  const { sub, canton_party_id, role, iss, aud, exp } = claims;
  const audience: unknown[] = Array.isArray(aud) ? aud : [aud];
  const partyId = typeof canton_party_id === 'string' ? canton_party_id : sub;
  const holds =
    (skip.has('issuer') || iss === tokenIssuer) &&
    (skip.has('audience') || audience.includes(tokenAudience)) &&
    (skip.has('subject') || (typeof sub === 'string' && sub === canton_party_id)) &&
    (skip.has('expiry') || (typeof exp === 'number' && Number.isFinite(exp)));
  const known = roles.find((one) => one === role);
  if (!holds || typeof partyId !== 'string' || (!known && !skip.has('role'))) return undefined;
  return {
    partyId,
    role: known ?? 'institution',
    expiresAt: typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY,
  };
}
