import { defineRule } from '../../findings.ts';
import { leakIn } from './leak-detection.ts';
import { hiddenSenderIds, leakPatternsIn } from './hidden-senders.ts';

/**
 * A maker's trades before this history began are not known, so a finding here is a warning: the stats may be over
 * years.
 */
export const statsHideSenders = defineRule({
  id: 'privacy.stats',
  title: 'The stats of a market maker name no sender that it has not traded with',
  requirements: ['stats.read.hides-sender-identity'],
  judge(view, findings) {
    const leakPatternsFor = view.once(leakPatternsIn);
    for (const call of view.endpoint('stats.read')) {
      if (!call.ok || !call.own || call.exchange.role !== 'market-maker') continue;
      const secrets = leakPatternsFor(hiddenSenderIds(view, call.party, call.close));
      if (!secrets) continue;
      const leak = leakIn(call.data, secrets);
      findings.assert('stats.read.hides-sender-identity', leak === undefined, call.id, () => ({
        message:
          'the stats of a market maker named the side of a sender that it had not traded with',
        ...leak,
        evidence: [call.id],
      }));
    }
  },
});
