import { groupBy } from '../../../history/group-by.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { issuedTokens } from './token-claims.ts';

/** True for a request with the party's own token and nothing else that could be refused. */
const isPlain = ({ exchange }: Call): boolean =>
  exchange.auth === 'own' && Object.keys(exchange.query).length === 0;

/**
 * 5.4. The history does not tell which of its tokens a party sent. It is no older than the first one, so it is good for
 * at least as long.
 */
export const tokenLastsUntilExpiry = defineRule({
  id: 'token.lasts',
  title: 'A token that was honoured once is honoured until it expires',
  requirements: ['auth.token-lasts-until-expiry'],
  judge(view, findings) {
    const clock = targetClockOf(view);
    const ends = new Map<string, number>();
    for (const [{ party }, { exp }] of issuedTokens(view)) {
      if (typeof exp !== 'number') continue;
      ends.set(party, Math.min(exp * 1_000, ends.get(party) ?? Number.POSITIVE_INFINITY));
    }
    const plain = view.endpoint('identity.read').filter(isPlain);
    for (const [party, calls] of groupBy(plain, (call) => call.party)) {
      const first = calls.find(({ ok }) => ok);
      const end = ends.get(party);
      if (!first || end === undefined) continue;
      for (const call of calls) {
        const isLater = precedes(first, call) && clock.before(intervalOf(call), end);
        if (!isLater || (!call.ok && call.status !== 401)) continue;
        findings.assert('auth.token-lasts-until-expiry', call.ok, call.id, () => ({
          message: 'a token that had not expired was refused',
          deviation: 'refused',
          must: { answered: '2xx' },
          actual: call.status,
          evidence: [first.id, call.id],
        }));
      }
    }
  },
});
