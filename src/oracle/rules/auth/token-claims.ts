import { fieldsOf } from '../../../spec/fields.ts';
import {
  fieldTables,
  findFieldRequirement,
  type RequirementId,
} from '../../../spec/requirements/index.ts';
import { limits } from '../../../spec/limits.ts';
import { schemaVersion, tokenAudience, tokenIssuer } from '../../../spec/vocabulary.ts';
import { describes, fits } from '../wire/resource-fields.ts';
import { isObject, isSet, type JsonObject, textAt } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { hasDefaultLifetime } from '../../../protocol/token-lifetime.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** The claims in a JWT, its signature masked or not; undefined for anything else. */
function claimsIn(token: unknown): JsonObject | undefined {
  const payload = typeof token === 'string' ? token.split('.')[1] : undefined;
  if (payload === undefined || !/^[A-Za-z0-9_-]+$/.test(payload)) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Token results whose claims can be read. */
export const issuedTokens = (
  view: HistoryView,
): readonly (readonly [Call, JsonObject, JsonObject])[] =>
  view.endpoint('token.create').flatMap((call) => {
    if (!call.ok || !isObject(call.data)) return [];
    const found = call.exchange.claims ?? claimsIn(call.data['token']);
    return found ? [[call, found, call.data] as const] : [];
  });

const claimFacets = fieldsOf(fieldTables.claim).map((field) => ({
  field,
  present: findFieldRequirement('claim', field.name, 'present'),
  form: findFieldRequirement('claim', field.name, 'form'),
}));

/** What RFC 7519 admits beside the plainest form: a list of audiences, and fractions of a second. */
const alsoFits: Readonly<Record<string, (value: unknown) => boolean>> = {
  aud: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  exp: (value) => typeof value === 'number' && value >= 0,
};

export const claims = defineRule({
  id: 'token.claims',
  title: 'Every token carries its claims in their forms',
  requirements: claimFacets.flatMap(({ present, form }) =>
    [present, form].filter((id): id is RequirementId => id !== undefined),
  ),
  judge(view, findings) {
    for (const [call, found] of issuedTokens(view)) {
      for (const { field, present, form } of claimFacets) {
        const value = found[field.name];
        if (present) {
          findings.assert(present, isSet(value), call.id, () => ({
            message: `a token did not carry ${field.name}`,
            evidence: [call.id],
          }));
        }
        if (!form || !isSet(value)) continue;
        const holds = fits(field, value) || alsoFits[field.name]?.(value) === true;
        findings.assert(form, holds, call.id, () => ({
          message: `${field.name} of a token did not have its form`,
          expected: describes(field),
          actual: value,
          evidence: [call.id],
        }));
      }
    }
  },
});

export const tokenResults = defineRule({
  id: 'token.results',
  title: 'A token says who its backend is, for whom it is, and until when',
  requirements: [
    'token.expires-in.positive',
    'token.role.as-claim',
    'token.canton-party-id.as-claim',
    'claim.canton-party-id.same-as-sub',
    'claim.iss.fixed',
    'claim.aud.fixed',
    'token.exp-matches-expires-in',
    'limit.token-lifetime',
    'token.token.is-jwt',
  ],
  judge(view, findings) {
    const claimsOf = new Map(issuedTokens(view).map(([call, found]) => [call.id, found]));
    for (const { value, source } of view.snapshotsOf('token')) {
      const lifetime = value['expires_in'];
      if (typeof lifetime !== 'number') continue;
      findings.assert('token.expires-in.positive', lifetime > 0, source, () => ({
        message: 'expires_in was not positive',
        actual: lifetime,
        evidence: [source],
      }));
      if (hasDefaultLifetime(lifetime, claimsOf.get(source))) {
        findings.pass('limit.token-lifetime', source);
      } else {
        // A default may be changed, and nobody says that it was not.
        findings.inconclusive('limit.token-lifetime', {
          message: 'a token lasts another span than the default',
          expected: limits.tokenLifetimeSeconds,
          actual: lifetime,
          evidence: [source],
        });
      }
    }
    for (const [call, found, data] of issuedTokens(view)) {
      findings.pass('token.token.is-jwt', call.id);
      same('token.role.as-claim', call, data['role'], found['role']);
      same(
        'token.canton-party-id.as-claim',
        call,
        data['canton_party_id'],
        found['canton_party_id'],
      );
      same('claim.canton-party-id.same-as-sub', call, found['canton_party_id'], found['sub']);
      same('claim.iss.fixed', call, found['iss'], tokenIssuer);
      const audience = found['aud'];
      const listed = Array.isArray(audience) && audience.includes(tokenAudience);
      same('claim.aud.fixed', call, listed ? tokenAudience : audience, tokenAudience);
      judgeExpiry(call, data['expires_in'], found['exp']);
    }

    function same(
      requirement:
        | 'token.role.as-claim'
        | 'token.canton-party-id.as-claim'
        | 'claim.canton-party-id.same-as-sub'
        | 'claim.iss.fixed'
        | 'claim.aud.fixed',
      call: Call,
      actual: unknown,
      expected: unknown,
    ): void {
      if (!isSet(actual) && !isSet(expected)) return;
      findings.assert(requirement, actual === expected, call.id, () => ({
        message: 'a token and its result did not say what they must',
        expected,
        actual,
        evidence: [call.id],
      }));
    }

    /** Both are whole seconds, so that either may be off by the one that was cut. */
    function judgeExpiry(call: Call, lifetime: unknown, exp: unknown): void {
      if (typeof lifetime !== 'number' || typeof exp !== 'number') return;
      const { least, most } = view.context.offset;
      const room = 1_000 + tolerance.stamp;
      const issuedAt = (exp - lifetime) * 1_000;
      const { sent, received } = call.exchange;
      const holds = issuedAt >= sent + least - room && issuedAt <= received + most + room;
      findings.assert('token.exp-matches-expires-in', holds, call.id, () => ({
        message: 'exp did not lie expires_in seconds ahead when the token was handed out',
        expected: `about ${Math.floor(received / 1_000) + lifetime}`,
        actual: exp,
        evidence: [call.id],
      }));
    }
  },
});

export const whoamiIdentity = defineRule({
  id: 'identity',
  title:
    'whoami names the party and the role of the token, the pinned version, and always the same ledger',
  requirements: [
    'version.schema-pinned',
    'identity.party-id.as-token',
    'identity.role.as-token',
    'identity.participant-id.stable',
  ],
  judge(view, findings) {
    const tokens = new Map<string, { readonly value: JsonObject; readonly source: string }>();
    for (const { party, value, source } of view.snapshotsOf('token'))
      tokens.set(party, { value, source });
    const participants = new Map<string, { readonly id: string; readonly source: string }>();
    for (const { party, value, source } of view.snapshotsOf('identity')) {
      const version = value['schema_version'];
      findings.assert('version.schema-pinned', version === schemaVersion, source, () => ({
        message: 'schema_version was not the pinned one',
        expected: schemaVersion,
        actual: version ?? null,
        evidence: [source],
      }));
      const token = tokens.get(party);
      if (token) {
        agrees('identity.party-id.as-token', value['party_id'], token.value['canton_party_id'], [
          token.source,
          source,
        ]);
        agrees('identity.role.as-token', value['role'], token.value['role'], [
          token.source,
          source,
        ]);
      }
      const id = textAt(value, 'participant_id');
      if (id === undefined) continue;
      const before = participants.get(party);
      if (before) {
        findings.assert('identity.participant-id.stable', before.id === id, source, () => ({
          message: 'participant_id changed',
          expected: before.id,
          actual: id,
          evidence: [before.source, source],
        }));
      } else participants.set(party, { id, source });
    }

    function agrees(
      requirement: 'identity.party-id.as-token' | 'identity.role.as-token',
      actual: unknown,
      expected: unknown,
      evidence: readonly [string, string],
    ): void {
      if (!isSet(actual) || !isSet(expected)) return;
      findings.assert(requirement, actual === expected, evidence[1], () => ({
        message: 'whoami named another than the token',
        expected,
        actual,
        evidence,
      }));
    }
  },
});
