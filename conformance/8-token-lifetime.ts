import type { Check } from '../src/suite/engine/check.ts';
import { issueToken } from './5-authentication/token-fixtures.ts';
import { fieldsOf, isRefusal, noToken, succeeded, textOf } from '../src/suite/actions/index.ts';
import { roles } from '../src/spec/vocabulary.ts';
import { simultaneously } from './shared/order-calls.ts';
import { partyOfRole } from './shared/endpoint-operations.ts';

/** 8: a token lasts an hour. The other limits of part 8 are with the events (heartbeat) and the states (settlement). */
const lifetimes = roles.map<Check>((role) => ({
  id: `limit.token-lifetime.${role}`,
  title: `A token of a ${role} lasts an hour, unless its backend was told otherwise.`,
  requirements: [
    'limit.token-lifetime',
    'token.exp-matches-expires-in',
    'token.expires-in.positive',
  ],
  needs: { parties: [partyOfRole[role]] },
  async run(t) {
    await issueToken(t, partyOfRole[role]);
  },
}));

/** 5.2: each token that a backend issues is valid, even if two are requested at once. */
const atOnce = (['sender', 'maker_a'] as const).map<Check>((by) => ({
  id: `token.at-once.${by}`,
  title: `Two tokens that ${by} asks for at once are both had, and both good.`,
  requirements: ['auth.fresh-token-accepted', 'token.create.no-token-needed'],
  needs: { parties: [by] },
  async run(t) {
    const ask = () => t.party(by).call('token.create', { credential: noToken });
    const asked = await simultaneously(t, [ask, ask]);
    const tokens = asked.filter(succeeded).map((one) => textOf(fieldsOf(one), 'token'));
    if (tokens.length === 0) return t.notExercised('no token was issued', asked);
    for (const [index, token] of tokens.entries()) {
      if (token === undefined) continue;
      const isLast = index === tokens.length - 1;
      const credential = { label: isLast ? 'issued' : 'issued (first of two)', token };
      const used = await t.party(by).call('identity.read', { credential });
      const isRefused = isRefusal(used);
      if (!isRefused && !succeeded(used)) continue;
      t.assert('auth.fresh-token-accepted', !isRefused, {
        message: 'one of two tokens that were issued at once was refused',
        deviation: 'refused',
        must: { answered: '2xx' },
        actual: used.response?.status,
        seen: [...asked, used],
      });
    }
    return undefined;
  },
}));

export const tokenLifetimeChecks: readonly Check[] = [...lifetimes, ...atOnce];
