import { groupBy } from '../../../history/group-by.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal, precedes } from '../../trace/calls.ts';

const requirements = ['token.create.no-token-needed', 'token.create.no-body-needed'] as const;

/** As part 4.1 has it: with no token, and no body. */
const isBare = ({ exchange }: Call): boolean =>
  exchange.auth === 'none' && exchange.request.body === undefined;

/** Asked to come later, not refused. */
const isTooEarly = ({ status }: Call): boolean => status === 408 || status === 425;

/**
 * A backend may have no tokens to give at all (gap `token.endpoint`). One that has given one gives the next to whoever
 * asks in the same way: part 5.4 wants it asked for while the last is still good.
 */
export const tokenIssuedAgain = defineRule({
  id: 'token.issue',
  title: 'A backend that has given its party a token gives it another one whenever it asks',
  requirements,
  judge(view, findings) {
    const bare = view.endpoint('token.create').filter(isBare);
    for (const calls of groupBy(bare, ({ party }) => party).values()) {
      const first = calls.find(({ ok }) => ok);
      if (!first) continue;
      const refused = calls.find(
        (call) => precedes(first, call) && isRefusal(call) && !isTooEarly(call),
      );
      for (const requirement of requirements) {
        findings.assert(requirement, refused === undefined, (refused ?? first).id, () => ({
          message: 'a token was refused though one was had before in the same way',
          expected: 'a token (2xx)',
          actual: refused?.status ?? null,
          evidence: [first.id, ...(refused ? [refused.id] : [])],
        }));
      }
    }
  },
});
