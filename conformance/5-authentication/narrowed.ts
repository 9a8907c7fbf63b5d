import type { Credential } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  isRefusal,
  refusedBeside,
  said,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, GuardedEndpoint } from '../../src/spec/requirements/index.ts';
import { roles } from '../../src/spec/words.ts';
import { openAnother } from '../6-events/listening.ts';
import { player } from '../deeds.ts';
import { narrowings, plainListsOf } from '../narrowings.ts';
import { badTokens, plainest, refusalsAt, whatOf } from './bad-tokens.ts';
import { judgeExpired, justExpired, ownToken } from './tokens.ts';

/** What a guard is forgotten at easily: requests that are narrowed. */

interface Narrowed {
  readonly endpoint: GuardedEndpoint;
  /** With the party's own token. */
  readonly served: Exchange;
  readonly request: (credential: Credential) => Promise<Exchange>;
}

async function tryBadTokens(trial: Trial, by: CastName, narrowed: Narrowed): Promise<void> {
  const { endpoint, served, request } = narrowed;
  const row = { endpoint, kinds: plainest, index: 0 };
  for (const { credential, requirement } of badTokens(await ownToken(trial, by), row)) {
    const no = await request(credential);
    refusedBeside(trial, requirement, no, served, whatOf(credential));
  }
  if (!trial.target.signing) return;
  const no = await request(await justExpired(trial, by));
  if (succeeded(served) || !isRefusal(no)) judgeExpired(trial, no);
  else trial.undecided('auth.expired-token-401', `${said(served)} with a good token`);
}

const lists = roles.map((role) => {
  const endpointsOf = plainListsOf(role);
  return defineCheck({
    id: `auth.narrowed.${role}`,
    title: `Lists of a ${role} that are filtered or turned over are refused without a good token.`,
    requirements: [...refusalsAt(endpointsOf, plainest), 'auth.expired-token-401'],
    needs: { parties: [player[role]] },
    async run(trial) {
      const by = player[role];
      for (const endpoint of endpointsOf) {
        for (const query of await narrowings(trial, by, endpoint)) {
          const served = await trial.party(by).call(endpoint, { query });
          const request = (credential: Credential) =>
            trial.party(by).call(endpoint, { query, credential });
          await tryBadTokens(trial, by, { endpoint, served, request });
        }
      }
    },
  });
});

const streams = (['sender', 'sender_custodian'] as const).map((by) =>
  defineCheck({
    id: `auth.limited-stream.${by}`,
    title: `A stream of ${by} that is limited to one order is refused without a good token.`,
    requirements: [...refusalsAt(['order.events'], plainest), 'auth.expired-token-401'],
    needs: { parties: [...new Set<CastName>(['sender', by])] },
    async run(trial) {
      const { intentId } = await createOrder(trial);
      const open = await openAnother(trial, by, { intentId });
      await open.close();
      await tryBadTokens(trial, by, {
        endpoint: 'order.events',
        served: open.opened,
        async request(credential) {
          const stream = await trial.party(by).listen({ intentId, credential });
          if (stream.isOpen) await stream.close();
          return stream.opened;
        },
      });
    },
  }),
);

export const narrowedTokenChecks: readonly Check[] = [...lists, ...streams];
