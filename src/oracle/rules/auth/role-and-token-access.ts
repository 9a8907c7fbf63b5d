import { endpoints } from '../../../spec/endpoints.ts';
import {
  accessRequirement,
  guardedEndpoints,
  type GuardedEndpoint,
  type RequirementId,
  tokenRequirement,
} from '../../../spec/requirements/index.ts';
import { roles } from '../../../spec/vocabulary.ts';
import { textAt } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, resultKindOf } from '../../trace/calls.ts';
import { orderStateOf } from '../../trace/traces.ts';

const isGuarded = (call: Call): boolean =>
  call.endpoint !== undefined && endpoints[call.endpoint].roles.length > 0;

/**
 * What a check may send in place of a party's own token, by how its label begins. Any other label ("of maker_a",
 * "minted ...") says nothing of whether the token is good.
 */
export const badTokens = [
  'none',
  'forged',
  'tampered',
  'altered',
  'malformed',
  'unsigned',
  'foreign key',
] as const;
export const expiredTokens = 'expired';

const isBad = (label: string): boolean => badTokens.some((start) => label.startsWith(start));

export const roleAccess = defineRule({
  id: 'access.roles',
  title: 'No endpoint serves a role that it is not for',
  requirements: guardedEndpoints.flatMap((endpoint) =>
    roles.map((role) => accessRequirement(endpoint, role)),
  ),
  judge(view, findings) {
    for (const call of view.calls) {
      if (!isGuarded(call) || call.exchange.auth !== 'own' || call.status === undefined) continue;
      const endpoint = call.endpoint as GuardedEndpoint;
      const { role } = call.exchange;
      const admitted: readonly string[] = endpoints[endpoint].roles;
      const requirement = accessRequirement(endpoint, role);
      if (admitted.includes(role)) {
        // That a request was refused may have any reason; that it was served shows the role may.
        if (call.ok) findings.pass(requirement, call.id);
        continue;
      }
      if (!call.ok && !isRefusal(call)) continue;
      findings.assert(requirement, !call.ok, call.id, () => ({
        message: `${endpoint} served a ${role}`,
        expected: 'a 4xx status',
        actual: call.status,
        evidence: [call.id],
      }));
    }
  },
});

export const badTokensRefused = defineRule({
  id: 'access.tokens',
  title: 'No endpoint but two serves a request without a good token, and an expired one gets 401',
  requirements: [
    ...guardedEndpoints.map(tokenRequirement),
    'auth.forged-signature-refused',
    'auth.expired-token-401',
    'auth.stream.bad-token-refused',
    'token.create.no-token-needed',
    'health.read.no-token-needed',
    'auth.fresh-token-accepted',
  ],
  judge(view, findings) {
    for (const call of view.calls) {
      const { auth } = call.exchange;
      if (call.status === undefined || call.endpoint === undefined) continue;
      if (!isGuarded(call)) {
        if (call.ok && auth === 'none') {
          const requirement =
            call.endpoint === 'health.read'
              ? 'health.read.no-token-needed'
              : 'token.create.no-token-needed';
          findings.pass(requirement, call.id);
        }
        continue;
      }
      if (auth === 'own') {
        if (call.ok) findings.pass('auth.fresh-token-accepted', call.id);
        continue;
      }
      if (auth.startsWith(expiredTokens)) judgeExpired(call);
      else if (isBad(auth)) judgeBad(call, auth);
    }

    function judgeExpired(call: Call): void {
      // How a stream is authenticated is open: of it only the refusal is certain.
      const holds = resultKindOf(call) === 'stream' ? !call.ok : call.status === 401;
      // Neither a 429 nor a 5xx has looked at the token.
      if (!holds && !call.ok && !isRefusal(call)) return;
      // A backend may have no more endpoints than those of its role (gap `access.wrong_role`).
      const allowed: readonly string[] = endpoints[call.endpoint ?? 'health.read'].roles;
      const missing = [404, 405, 501].includes(call.status ?? 0);
      if (missing && !allowed.includes(call.exchange.role)) return;
      findings.assert('auth.expired-token-401', holds, call.id, () => ({
        message: `${call.endpoint} answered ${call.status} to an expired token`,
        expected: 401,
        actual: call.status,
        evidence: [call.id],
      }));
    }

    function judgeBad(call: Call, label: string): void {
      if (!call.ok && !isRefusal(call)) return;
      const endpoint = call.endpoint as GuardedEndpoint;
      const requirements: RequirementId[] = [];
      if (label === 'none') requirements.push(tokenRequirement(endpoint));
      else if (resultKindOf(call) === 'stream') requirements.push('auth.stream.bad-token-refused');
      else requirements.push('auth.forged-signature-refused');
      for (const requirement of requirements) {
        findings.assert(requirement as 'auth.forged-signature-refused', !call.ok, call.id, () => ({
          message: `${endpoint} served a request whose token was ${label}`,
          expected: 'a 4xx status',
          actual: call.status,
          evidence: [call.id],
        }));
      }
    }
  },
});

export const makerAccess = defineRule({
  id: 'access.makers',
  title: 'A market maker sees its own quotes and the settlements that it won, and no others',
  requirements: [
    'quote.list.own-only',
    'rfq.quotes.own-only',
    'settlement.list.won-only',
    'settlement.read.foreign-maker-refused',
  ],
  judge(view, findings) {
    const submissions = view.endpoint('quote.submit').filter((call) => call.ok);
    const firstForeign = (party: string): number =>
      submissions.find((call) => call.party !== party)?.close ?? Number.POSITIVE_INFINITY;
    const firstWon = new Map<string, number>();
    for (const trace of view.orders.values()) {
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      const winner = settled && textAt(settled.value, 'market_maker_party_id');
      if (!settled || winner === undefined) continue;
      firstWon.set(winner, Math.min(settled.close, firstWon.get(winner) ?? settled.close));
    }
    for (const { value, via, source, party, open } of view.snapshotsOf('own-quote')) {
      if (via !== 'quote.list' && via !== 'rfq.quotes') continue;
      const quote = view.quotes.get(textAt(value, 'quote_id') ?? '');
      const owner = textAt(value, 'market_maker_party_id');
      const self = view.partyIdOf(party);
      const foreign =
        (quote?.maker !== undefined && quote.maker !== party) ||
        (owner !== undefined && self !== undefined && owner !== self);
      if (quote?.maker === undefined && owner === undefined) continue;
      // Without another maker's quote there was nothing to show by mistake.
      const couldLeak = firstForeign(party) < open;
      if (!foreign && !couldLeak) continue;
      findings.assert(`${via}.own-only`, !foreign, source, () => ({
        message: `${party} was shown another maker's quote`,
        expected: `quotes of ${party} only`,
        actual: owner ?? quote?.maker,
        evidence: [source],
      }));
    }
    for (const { value, via, source, party, open } of view.snapshotsOf('settlement')) {
      const trace = view.orders.get(textAt(value, 'intent_id') ?? '');
      const winnerId = trace?.snapshots
        .map((seen) => textAt(seen.value, 'market_maker_party_id'))
        .find((id) => id !== undefined);
      const self = view.partyIdOf(party);
      if (winnerId === undefined || self === undefined) continue;
      if (via !== 'settlement.list' && via !== 'settlement.read') continue;
      const couldLeak = [...firstWon].some(([winner, close]) => winner !== self && close < open);
      if (winnerId === self && !couldLeak) continue;
      const requirement =
        via === 'settlement.list'
          ? 'settlement.list.won-only'
          : 'settlement.read.foreign-maker-refused';
      findings.assert(requirement, winnerId === self, source, () => ({
        message: `${party} was shown a settlement that it did not win`,
        expected: winnerId,
        actual: self,
        evidence: [source],
      }));
    }
    for (const call of view.endpoint('settlement.read')) {
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      const winner = trace?.quotes.find((quote) => quote.acceptances.some(({ ok }) => ok))?.maker;
      if (winner === undefined || winner === call.party || !isRefusal(call)) continue;
      if (call.exchange.role === 'market-maker')
        findings.pass('settlement.read.foreign-maker-refused', call.id);
    }
  },
});
