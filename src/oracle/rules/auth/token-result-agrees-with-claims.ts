import { isSet, type JsonObject } from '../../../protocol/json.ts';
import { hasDefaultLifetime } from '../../../protocol/token-lifetime.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { limits } from '../../../spec/limits.ts';
import { tokenAudience, tokenIssuer } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { issuedTokens } from './token-claims.ts';

/** Pairs of values that must be equal: a claim and its counterpart. */
const equalities = {
  'token.role.as-claim': (claims, result) => [result['role'], claims['role']],
  'token.canton-party-id.as-claim': (claims, result) => [
    result['canton_party_id'],
    claims['canton_party_id'],
  ],
  'claim.canton-party-id.same-as-sub': (claims) => [claims['canton_party_id'], claims['sub']],
  'claim.iss.fixed': (claims) => [claims['iss'], tokenIssuer],
  // A list of audiences may hold others as well (RFC 7519).
  'claim.aud.fixed': ({ aud }) => [
    Array.isArray(aud) && aud.includes(tokenAudience) ? tokenAudience : aud,
    tokenAudience,
  ],
} as const satisfies Record<
  string,
  (claims: JsonObject, result: JsonObject) => readonly [actual: unknown, expected: unknown]
>;
const equal = Object.keys(equalities) as (keyof typeof equalities)[];

/** The party and the role that a token is for, by its result and by its claims. */
const identitiesOf = (claims: JsonObject, result: JsonObject) => [
  { party: result['canton_party_id'], role: result['role'] },
  { party: claims['sub'], role: claims['role'] },
];

/** 2.6, 5.2, 5.3, 5.4, 8. */
export const tokenResultAgreesWithClaims = defineRule({
  id: 'token.results',
  title: 'A token says who its backend is, for whom it is, and until when',
  requirements: [
    'token.token.is-jwt',
    ...equal,
    'token.expires-in.positive',
    'token.exp-matches-expires-in',
    'limit.token-lifetime',
    'auth.identity-from-backend',
  ],
  judge(view, findings) {
    const issued = issuedTokens(view);
    const firsts = new Map<
      string,
      { readonly id: string; readonly mine: ReturnType<typeof identitiesOf>[number] | undefined }
    >();
    const claimsOf = new Map(issued.map(([{ id }, claims]) => [id, claims]));
    for (const { value, source, party } of view.snapshotsOf('token')) {
      const lifetime = value['expires_in'];
      if (typeof lifetime === 'number') judgeLifetime(lifetime, source, party);
    }
    for (const [{ id, exchange }, claims, result] of issued) {
      findings.pass('token.token.is-jwt', id);
      for (const requirement of equal) {
        const [actual, expected] = equalities[requirement](claims, result);
        if (!isSet(actual) && !isSet(expected)) continue;
        findings.assert(requirement, actual === expected, id, () => ({
          message: 'a token and its result did not say what they must',
          expected,
          actual,
          evidence: [id],
        }));
      }
      judgeExpiry(id, exchange, result['expires_in'], claims['exp']);
      judgeIdentity(id, exchange.party, identitiesOf(claims, result));
    }

    /** All tokens of a backend are for one party and one role, no matter what is asked for. */
    function judgeIdentity(id: string, party: string, identities: ReturnType<typeof identitiesOf>) {
      const first = firsts.get(party) ?? { id, mine: identities[0] };
      firsts.set(party, first);
      if (first.id === id) return;
      const { mine } = first;
      const holds = identities.every((one) => one.party === mine?.party && one.role === mine?.role);
      findings.assert('auth.identity-from-backend', holds, id, () => ({
        message: 'a request for a token changed the party or the role that the token is for',
        expected: mine,
        actual: identities,
        evidence: [first.id, id],
      }));
    }

    /** By party, the token that was had first and lasts for the default. */
    function firstOfDefault(party: string, than: JsonObject | undefined): string | undefined {
      const first = issued.find(
        ([{ exchange }, claims, { expires_in: span }]) =>
          exchange.party === party &&
          typeof span === 'number' &&
          hasDefaultLifetime(span, claims) &&
          // A token that is handed out again lasts only for its remaining time.
          claims['exp'] !== than?.['exp'],
      );
      return first?.[0].id;
    }

    function judgeLifetime(lifetime: number, source: string, party: string): void {
      findings.assert('token.expires-in.positive', lifetime > 0, source, () => ({
        message: 'expires_in was not positive',
        actual: lifetime,
        evidence: [source],
      }));
      if (hasDefaultLifetime(lifetime, claimsOf.get(source))) {
        findings.pass('limit.token-lifetime', source);
        return;
      }
      // A default may be changed, and nobody says that it was not (gap `token.lifetime`); this backend has shown it.
      const other = firstOfDefault(party, claimsOf.get(source));
      findings[other === undefined ? 'inconclusive' : 'warn']('limit.token-lifetime', {
        departure: 'vague',
        message: 'a token lasts another span than the default',
        expected: limits.tokenLifetimeSeconds,
        actual: lifetime,
        evidence: [...(other === undefined ? [] : [other]), source],
      });
    }

    /** Both are whole seconds, so that either may be off by the one that was cut. */
    function judgeExpiry(
      id: string,
      { sent, received }: { readonly sent: number; readonly received: number },
      lifetime: unknown,
      exp: unknown,
    ): void {
      if (typeof lifetime !== 'number' || typeof exp !== 'number') return;
      const { least, most } = view.context.offset;
      const room = 1_000 + tolerance.stamp;
      const issuedAt = (exp - lifetime) * 1_000;
      const holds = issuedAt >= sent + least - room && issuedAt <= received + most + room;
      findings.assert('token.exp-matches-expires-in', holds, id, () => ({
        message: 'exp did not lie expires_in seconds ahead when the token was handed out',
        must: { words: `about ${Math.floor(received / 1_000) + lifetime}` },
        actual: exp,
        evidence: [id],
      }));
    }
  },
});
