import type { Credential } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  isRefusal,
  assertRefusedGivenControl,
  describeExchange,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName, GuardedEndpoint } from '../../src/spec/requirements/index.ts';
import { roles } from '../../src/spec/vocabulary.ts';
import { openSecondStream } from '../shared/streams.ts';
import { partyOfRole } from '../shared/endpoint-operations.ts';
import { narrowedQueries, topLevelListsOf } from '../shared/narrowed-lists.ts';
import {
  badTokens,
  basicForgeries,
  refusalRequirements,
  describeCredential,
} from './bad-tokens.ts';
import { assertExpired, justExpired, decodedOwnToken } from './token-fixtures.ts';

/** What a guard is forgotten at easily: requests that are narrowed. */

interface Narrowed {
  readonly endpoint: GuardedEndpoint;
  /** With the party's own token. */
  readonly served: Exchange;
  readonly request: (credential: Credential) => Promise<Exchange>;
}

async function tryBadTokens(t: CheckContext, by: CastName, narrowed: Narrowed): Promise<void> {
  const { endpoint, served, request } = narrowed;
  const row = { endpoint, kinds: basicForgeries, index: 0 };
  for (const { credential, requirement } of badTokens(await decodedOwnToken(t, by), row)) {
    const no = await request(credential);
    assertRefusedGivenControl(t, requirement, no, served, describeCredential(credential));
  }
  if (!t.target.signing) return;
  const no = await request(await justExpired(t, by));
  if (succeeded(served) || !isRefusal(no)) assertExpired(t, no);
  else t.inconclusive('auth.expired-token-401', `${describeExchange(served)} with a good token`);
}

const lists = roles.map((role) => {
  const endpointsOf = topLevelListsOf(role);
  return defineCheck({
    id: `auth.narrowed.${role}`,
    title: `Lists of a ${role} that are filtered or turned over are refused without a good token.`,
    requirements: [...refusalRequirements(endpointsOf, basicForgeries), 'auth.expired-token-401'],
    needs: { parties: [partyOfRole[role]] },
    async run(t) {
      const by = partyOfRole[role];
      for (const endpoint of endpointsOf) {
        for (const query of await narrowedQueries(t, by, endpoint)) {
          const served = await t.party(by).call(endpoint, { query });
          const request = (credential: Credential) =>
            t.party(by).call(endpoint, { query, credential });
          await tryBadTokens(t, by, { endpoint, served, request });
        }
      }
    },
  });
});

const streams = (['sender', 'sender_custodian'] as const).map((by) =>
  defineCheck({
    id: `auth.limited-stream.${by}`,
    title: `A stream of ${by} that is limited to one order is refused without a good token.`,
    requirements: [
      ...refusalRequirements(['order.events'], basicForgeries),
      'auth.expired-token-401',
    ],
    needs: { parties: [...new Set<CastName>(['sender', by])] },
    async run(t) {
      const { intentId } = await createOrder(t);
      const open = await openSecondStream(t, by, { intentId });
      await open.close();
      await tryBadTokens(t, by, {
        endpoint: 'order.events',
        served: open.opened,
        async request(credential) {
          const stream = await t.party(by).listen({ intentId, credential });
          if (stream.isOpen) await stream.close();
          return stream.opened;
        },
      });
    },
  }),
);

export const badTokenListChecks: readonly Check[] = [...lists, ...streams];
