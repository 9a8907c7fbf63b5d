import type { AdmissionContext } from '../src/reference/http/index.ts';
import { isPending } from './defects/conditions.ts';
import { part } from './defects/reading.ts';
import { mutation, type Written } from './mutation.ts';

/** Milliseconds since the token of a request expired; negative: it has not. */
function msExpired({ authorization, now }: AdmissionContext): number {
  const exp = part(authorization, 1)?.exp;
  return typeof exp === 'number' ? now - exp * 1_000 : Number.NaN;
}

/** A bearer token up to its last character but some. */
const without = (authorization: string | undefined, lastCharacters: number): string =>
  (authorization ?? '').slice(0, -lastCharacters);

/** Mistakes that show at some distance from a deadline alone, or at one place of a token or an id. */
export const distanceMutations: readonly Written[] = [
  mutation('no-acceptance-in-the-last-ten-milliseconds', 'quote.state.usable-until-deadline')
    .summary('A quote cannot be accepted in the last ten milliseconds of its validity.')
    .lost('quote.accept', ({ quote, now }) => quote && quote.validUntil - now <= 10),
  mutation('quotes-good-for-ten-milliseconds-more', 'order.accept.expired-quote-refused')
    .summary('Deadlines take effect ten milliseconds late.')
    .rule('time', ({ passed, end }) => ({
      passed: (now, deadline) => passed(now - 10, deadline),
      end: (deadline) => end(deadline) + 10,
    })),
  mutation('no-cancel-in-the-last-ten-milliseconds', 'order.cancel.pending')
    .summary('An order cannot be cancelled in the last ten milliseconds of its life.')
    .ignored(
      'order.cancel',
      ({ order, now }) => order && isPending(order) && order.expiresAt - now <= 10,
    ),
  mutation('expired-tokens-are-forgotten-for-some-minutes', 'auth.expired-token-401')
    .summary('From half a minute to five minutes after its end a token is good.')
    .tamper(() => ({
      admits(decided, context) {
        const ms = msExpired(context);
        return decided === 'token_expired' && ms > 30_000 && ms < 300_000 ? true : undefined;
      },
    })),
  mutation('end-of-signature-not-compared', 'auth.forged-signature-refused')
    .summary('Of a token that was good before the last eighth of the signature may be another.')
    .tamper(() => ({
      admits(decided, { authorization, memory }) {
        const known = `token ${without(authorization, 10)}`;
        if (decided === 'admitted') memory.set(known, true);
        return decided === 'token_invalid' && memory.has(known) ? true : undefined;
      },
    })),
  mutation('ids-read-up-to-their-length', 'error.refusal-is-4xx')
    .summary('Of a longer text in the place of an id the first 36 characters are looked up.')
    .setParams(['settlement.read', 'proposal.accept'], ({ params }) => {
      const { intent_id: id = '' } = params;
      return id.length > 36 && { intent_id: id.slice(0, 36) };
    }),
];
