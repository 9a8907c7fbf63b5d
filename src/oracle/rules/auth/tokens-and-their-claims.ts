import { equalValues } from '../../../protocol/equality.ts';
import { isObject, isSet, type JsonObject, textOf } from '../../../protocol/json.ts';
import { jwtPart } from '../../../protocol/jwt.ts';
import { hasDefaultLifetime } from '../../../protocol/token-lifetime.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { fieldsOf } from '../../../spec/fields.ts';
import { limits } from '../../../spec/limits.ts';
import { fieldTables, findFieldRequirement } from '../../../spec/requirements/index.ts';
import { schemaVersion, tokenAudience, tokenIssuer } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { describes, fits } from '../wire/forms.ts';

/** A token as it was handed out: the call, its claims, and the result around it. */
export const issuedTokens = (
  view: HistoryView,
): readonly (readonly [Call, JsonObject, JsonObject])[] =>
  view.endpoint('token.create').flatMap((call) => {
    if (!call.ok || !isObject(call.data)) return [];
    const token = textOf(call.data, 'token');
    const found = call.exchange.claims ?? (token && jwtPart(token, 'claims'));
    return found ? [[call, found, call.data] as const] : [];
  });

const claimFacets = fieldsOf(fieldTables.claim).map((field) => ({
  field,
  present: findFieldRequirement('claim', field.name, 'present'),
  form: findFieldRequirement('claim', field.name, 'form'),
}));

/** Forms that RFC 7519 admits besides the plainest one: a list of audiences, and fractions of a second. */
const alsoFits: Readonly<Record<string, (value: unknown) => boolean>> = {
  aud: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  exp: (value) => typeof value === 'number' && value >= 0,
};

/** 5.3. */
const tokenClaims = defineRule({
  id: 'token.claims',
  title: 'Every token carries its claims in their forms',
  requirements: claimFacets.flatMap(({ present, form }) =>
    [present, form].filter((id) => id !== undefined),
  ),
  judge(view, findings) {
    for (const [call, found] of issuedTokens(view)) {
      for (const { field, present, form } of claimFacets) {
        const value = found[field.name];
        if (present) {
          findings.assert(present, isSet(value), call.id, () => ({
            message: `a token did not carry ${field.name}`,
          }));
        }
        if (!form || !isSet(value)) continue;
        const holds = fits(field, value) || alsoFits[field.name]?.(value) === true;
        findings.assert(form, holds, call.id, () => ({
          message: `${field.name} of a token did not have its form`,
          must: describes(field),
          actual: value,
        }));
      }
    }
  },
});

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

const identitiesOf = (claims: JsonObject, result: JsonObject) => [
  { party: result['canton_party_id'], role: result['role'] },
  { party: claims['sub'], role: claims['role'] },
];

/** 2.6, 5.2, 5.3, 5.4, 8. */
const tokenResultAgreesWithClaims = defineRule({
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
        // A claim that is missing is a finding of its own.
        if (!isSet(expected)) continue;
        findings.assert(requirement, actual === expected, id, () => ({
          message: 'a token and its result did not say what they must',
          expected,
          actual,
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
      const isMine = (one: unknown, of: unknown): boolean => !isSet(one) || one === of;
      const holds = identities.every(
        (one) => isMine(one.party, mine?.party) && isMine(one.role, mine?.role),
      );
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
      // A moment of a token may have a fraction (RFC 7519), so the bounds are not rounded.
      const at_least = (sent + least - room) / 1_000 + lifetime;
      const at_most = (received + most + room) / 1_000 + lifetime;
      const holds = exp >= at_least && exp <= at_most;
      findings.assert('token.exp-matches-expires-in', holds, id, () => ({
        message: 'exp did not lie expires_in seconds ahead when the token was handed out',
        must: { at_least, at_most },
        actual: exp,
      }));
    }
  },
});

/** A field of whoami, and the field of the token result that it repeats. */
const repeated = [
  ['identity.party-id.as-token', 'party_id', 'canton_party_id'],
  ['identity.role.as-token', 'role', 'role'],
] as const;

/** Fields of whoami that do not change. */
const constant = [
  ['identity.participant-id.stable', 'participant_id'],
  ['identity.operator-party-id.stable', 'operator_party_id'],
] as const;

/** 2.7, 5.6, 9. */
const whoamiNamesTokenParty = defineRule({
  id: 'identity',
  title:
    'whoami names the party and the role of the token, the pinned version, and always the same ledger and operator',
  requirements: [
    'version.schema-pinned',
    ...repeated.map(([requirement]) => requirement),
    ...constant.map(([requirement]) => requirement),
  ],
  judge(view, findings) {
    const tokens = new Map(view.snapshotsOf('token').map((token) => [token.party, token]));
    const firsts = new Map<string, Snapshot>();
    for (const identity of view.snapshotsOf('identity')) {
      const { party, value, source } = identity;
      const version = value['schema_version'];
      findings.assert('version.schema-pinned', version === schemaVersion, source, () => ({
        message: 'schema_version was not the pinned one',
        expected: schemaVersion,
        actual: version ?? null,
      }));
      const token = tokens.get(party);
      for (const [requirement, field, ofToken] of repeated) {
        const [actual, expected] = [value[field], token?.value[ofToken]];
        if (!token || !isSet(actual) || !isSet(expected)) continue;
        findings.assert(requirement, actual === expected, source, () => ({
          message: 'whoami named another than the token',
          expected,
          actual,
          evidence: [token.source, source],
        }));
      }
      for (const [requirement, field] of constant) {
        const actual = textOf(value, field);
        if (actual === undefined) continue;
        const first = firsts.get(`${party} ${field}`);
        firsts.set(`${party} ${field}`, first ?? identity);
        if (!first) continue;
        const expected = textOf(first.value, field);
        findings.assert(requirement, equalValues(field, expected, actual), source, () => ({
          message: `${field} changed`,
          expected,
          actual,
          evidence: [first.source, source],
        }));
      }
    }
  },
});

export const tokenRules = [tokenClaims, tokenResultAgreesWithClaims, whoamiNamesTokenParty];
