import { type Check, defineCheck } from '../src/suite/engine/check.ts';
import { hasDefaultLifetime } from '../src/suite/actions/index.ts';
import { issueToken } from './5-authentication/token-fixtures.ts';
import { roles } from '../src/spec/vocabulary.ts';
import { partyOfRole } from './shared/endpoint-operations.ts';

/** Part 8, as far as it is about tokens; heartbeats are with the events, settlement with the states. */
export const tokenLifetimeChecks: readonly Check[] = roles.map((role) =>
  defineCheck({
    id: `limit.token-lifetime.${role}`,
    title: `A token of a ${role} lasts an hour, unless its backend was told otherwise.`,
    requirements: [
      'limit.token-lifetime',
      'token.exp-matches-expires-in',
      'token.expires-in.positive',
    ],
    needs: { parties: [partyOfRole[role]] },
    async run(t) {
      const { claims, exchange, lifetime } = await issueToken(t, partyOfRole[role]);
      t.assert('token.expires-in.positive', lifetime > 0, {
        message: 'expires_in was not positive.',
        actual: lifetime,
        seen: [exchange],
      });
      const { exp } = claims;
      if (typeof exp === 'number') {
        const { least, most } = t.target.clock.offset;
        const issuedAt = (exp - lifetime) * 1_000;
        // Whole seconds, cut or rounded, on both sides.
        const holds =
          issuedAt >= exchange.sent + least - 2_000 && issuedAt <= exchange.received + most + 2_000;
        t.assert('token.exp-matches-expires-in', holds, {
          message: 'exp did not lie expires_in seconds ahead when the token was handed out.',
          expected: lifetime,
          actual: exp - Math.round((exchange.received + most) / 1_000),
          seen: [exchange],
        });
      }
      // A default may have been changed, which nobody outside can tell (gap `token.lifetime`).
      if (hasDefaultLifetime(lifetime, claims))
        t.assert('limit.token-lifetime', true, { message: '' });
      else
        t.inconclusive(
          'limit.token-lifetime',
          `tokens last ${lifetime} s, maybe for a changed default`,
        );
    },
  }),
);
