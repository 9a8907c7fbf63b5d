import { type Check, defineCheck } from '../src/suite/engine/check.ts';
import { issueToken } from './5-authentication/token-fixtures.ts';
import { roles } from '../src/spec/vocabulary.ts';
import { partyOfRole } from './shared/endpoint-operations.ts';

/** 8: a token lasts an hour. The other limits of part 8 are with the events (heartbeat) and the states (settlement). */
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
      await issueToken(t, partyOfRole[role]);
    },
  }),
);
