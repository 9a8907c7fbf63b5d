import { type AuthLabel, type TokenKind, tokenOf } from '../../../history/token-label.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import {
  accessRequirement,
  type GuardedEndpoint,
  guardedEndpoints,
  type RequirementId,
  tokenRequirement,
} from '../../../spec/requirements/index.ts';
import { type Role, roles } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import {
  type Call,
  isRefusal,
  letThrough,
  resultKindOf,
  wasRefused,
  wronglyRefused,
} from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

export const isFor = (endpoint: GuardedEndpoint, role: Role): boolean =>
  (endpoints[endpoint].roles as readonly Role[]).includes(role);

/**
 * Part 1.4 and the tables of part 4. A success shows that a role may. A refusal may have any reason, and is judged
 * where there can be none ("reads.due", "requests.due", "streams.equal").
 */
const wrongRoleRefused = defineRule({
  id: 'access.roles',
  title: 'No endpoint serves a role that it is not for',
  requirements: [
    ...guardedEndpoints.flatMap((endpoint) =>
      roles.map((role) => accessRequirement(endpoint, role)),
    ),
    // Also judged by "wire.refusals" for answers of 4xx and 5xx; here for those that neither refuse nor succeed.
    'error.refusal-is-4xx',
  ],
  judge(view, findings) {
    for (const endpoint of guardedEndpoints) {
      for (const call of view.endpoint(endpoint)) {
        const { id, ok, status } = call;
        const { auth, role } = call.exchange;
        if (auth !== 'own') continue;
        const requirement = accessRequirement(endpoint, role);
        if (isFor(endpoint, role)) {
          if (ok) findings.pass(requirement, id);
          continue;
        }
        const refused = wasRefused(call);
        if (refused === undefined) continue;
        const aRole = `${role === 'institution' ? 'an' : 'a'} ${role}`;
        const violation = {
          message: `${endpoint} answered ${ok ? 'with success' : (status ?? 'nothing')} to ${aRole}`,
          deviation: 'let through' as const,
          must: { refused: '4xx' as const },
          actual: status,
          evidence: [id],
        };
        findings.assert(requirement, refused, id, () => violation);
        if (!ok && !refused) findings.fail('error.refusal-is-4xx', violation);
      }
    }
  },
});

/** Kinds of bad tokens, with the requirement that each exercises. No other kind tells if the token is good. */
const refusedUnder = {
  forged: 'auth.forged-signature-refused',
  altered: 'auth.altered-claims-refused',
  unsigned: 'auth.unsigned-token-refused',
  'foreign key': 'auth.foreign-key-refused',
  malformed: 'auth.malformed-token-refused',
  'other scheme': 'auth.other-scheme-refused',
  'other place': 'auth.bearer-header',
  'wrong issuer': 'auth.wrong-issuer-refused',
  'wrong audience': 'auth.wrong-audience-refused',
  'no expiry': 'auth.no-expiry-refused',
} as const satisfies { readonly [kind in TokenKind]?: RequirementId };

const labelled = (label: AuthLabel) => {
  const { kind } = tokenOf(label);
  return kind in refusedUnder ? refusedUnder[kind as keyof typeof refusedUnder] : undefined;
};

/** It is open how a stream takes its token, so one requirement covers all that it must refuse. */
function requirementOf(call: Call) {
  const { auth } = call.exchange;
  if (auth === 'none') return tokenRequirement(call.endpoint as GuardedEndpoint);
  const requirement = labelled(auth);
  const isVague = requirement === 'auth.no-expiry-refused';
  const isStream = resultKindOf(call) === 'stream';
  return requirement && isStream && !isVague ? 'auth.stream.bad-token-refused' : requirement;
}

/** Part 5.1 and 5.3. */
const badTokenRefused = defineRule({
  id: 'access.tokens',
  title: 'No endpoint but two serves a request without a good token',
  requirements: [
    ...guardedEndpoints.map(tokenRequirement),
    ...Object.values(refusedUnder),
    'auth.stream.bad-token-refused',
    'auth.fresh-token-accepted',
    'health.read.no-token-needed',
  ],
  judge(view, findings) {
    for (const endpoint of guardedEndpoints) {
      for (const call of view.endpoint(endpoint)) {
        if (call.exchange.auth === 'own') {
          // A refusal may have any reason.
          if (call.ok) findings.pass('auth.fresh-token-accepted', call.id);
          continue;
        }
        const requirement = requirementOf(call);
        const refused = wasRefused(call);
        if (!requirement || refused === undefined) continue;
        findings.assert(requirement, refused, call.id, () => ({
          message: `${endpoint} ${call.ok ? 'served' : 'did not refuse'} a request whose token was ${call.exchange.auth}`,
          ...letThrough(call),
          token: call.exchange.auth,
        }));
      }
    }
    for (const call of view.endpoint('health.read')) {
      if (call.exchange.auth !== 'none' || (!call.ok && !isRefusal(call))) continue;
      findings.assert('health.read.no-token-needed', call.ok, call.id, () => ({
        message: '/health was refused to a request without a token',
        ...wronglyRefused(call),
      }));
    }
  },
});

/** A backend may have no more endpoints than those of its role (gap `access.wrong_role`): others want no token. */
const missingStatuses: readonly (number | undefined)[] = [404, 405, 501];

/** True if the endpoint served the party at some time with its own token, which shows that the endpoint exists. */
const servesOwnToken = (view: HistoryView, { endpoint, party }: Call): boolean =>
  endpoint !== undefined &&
  view
    .endpoint(endpoint)
    .some((call) => call.ok && call.exchange.auth === 'own' && call.party === party);

/** Part 5.4 and 7.1. */
const expiredTokenGives401 = defineRule({
  id: 'access.expired-tokens',
  title: 'An expired token gives 401',
  requirements: ['auth.expired-token-401'],
  judge(view, findings) {
    // Stream authentication is open (gap `stream.auth`): unless it is by the header, only a refusal is certain.
    const byHeader = view.context.answers('stream.auth') !== undefined;
    for (const endpoint of guardedEndpoints) {
      for (const call of view.endpoint(endpoint)) {
        const { auth, role } = call.exchange;
        if (tokenOf(auth).kind !== 'expired') continue;
        // Neither a 429 nor a 5xx has looked at the token.
        if (!call.ok && !isRefusal(call)) continue;
        const isOpen = resultKindOf(call) === 'stream' && !byHeader;
        const holds = call.status === 401 || (isOpen && !call.ok);
        if (!holds && !call.ok) {
          const isAbsent = isFor(endpoint, role)
            ? !servesOwnToken(view, call)
            : missingStatuses.includes(call.status);
          if (isAbsent) continue;
        }
        findings.assert('auth.expired-token-401', holds, call.id, () => ({
          message: `${endpoint} answered ${call.status} to an expired token`,
          deviation: call.ok ? 'let through' : 'other status',
          expected: 401,
          actual: call.status,
        }));
      }
    }
  },
});

export const authorisationRules = [wrongRoleRefused, badTokenRefused, expiredTokenGives401];
