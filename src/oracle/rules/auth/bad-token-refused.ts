import {
  type GuardedEndpoint,
  guardedEndpoints,
  tokenRequirement,
} from '../../../spec/requirements/index.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, resultKindOf, wasRefused } from '../../trace/calls.ts';

/**
 * Labels of bad tokens, by their beginning, with the requirement that each exercises. Any other label ("of maker_a",
 * "minted ...") does not tell if the token is good.
 */
const refusedUnder = [
  ['forged', 'auth.forged-signature-refused'],
  ['tampered', 'auth.forged-signature-refused'],
  ['altered', 'auth.altered-claims-refused'],
  ['unsigned', 'auth.unsigned-token-refused'],
  ['foreign key', 'auth.foreign-key-refused'],
  ['malformed', 'auth.malformed-token-refused'],
  ['other scheme', 'auth.other-scheme-refused'],
  ['other place', 'auth.bearer-header'],
  ['wrong issuer', 'auth.wrong-issuer-refused'],
  ['wrong audience', 'auth.wrong-audience-refused'],
  ['no expiry', 'auth.no-expiry-refused'],
] as const;

const labelled = (label: string) => refusedUnder.find(([start]) => label.startsWith(start))?.[1];

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
export const badTokenRefused = defineRule({
  id: 'access.tokens',
  title: 'No endpoint but two serves a request without a good token',
  requirements: [
    ...guardedEndpoints.map(tokenRequirement),
    ...refusedUnder.map(([, requirement]) => requirement),
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
          deviation: 'let through',
          token: call.exchange.auth,
          must: { refused: '4xx' },
          actual: call.status,
          evidence: [call.id],
        }));
      }
    }
    for (const call of view.endpoint('health.read')) {
      if (call.exchange.auth !== 'none' || (!call.ok && !isRefusal(call))) continue;
      findings.assert('health.read.no-token-needed', call.ok, call.id, () => ({
        message: '/health was refused to a request without a token',
        deviation: 'refused',
        must: { answered: '2xx' },
        actual: call.status,
        evidence: [call.id],
      }));
    }
  },
});
