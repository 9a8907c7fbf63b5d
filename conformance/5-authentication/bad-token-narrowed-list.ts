import type { Credential } from '../../src/client/contract.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { createOrder } from '../../src/suite/actions/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { roles } from '../../src/spec/vocabulary.ts';
import { openSecondStream } from '../shared/streams.ts';
import { partyOfRole } from '../shared/endpoint-operations.ts';
import { narrowedQueries, topLevelListsOf } from '../shared/narrowed-lists.ts';
import { badTokenRequirements, badTokens, basicForgeries } from './bad-tokens.ts';
import { decodedOwnToken, justExpired } from './token-fixtures.ts';

const credentials = async (t: CheckContext, by: CastName): Promise<readonly Credential[]> => [
  ...badTokens(await decodedOwnToken(t, by), basicForgeries, 0),
  ...(t.target.signing ? [await justExpired(t, by)] : []),
];

/** 5.1, 5.4: a list that is filtered, and a further page of it, want a good token like the whole list. */
const lists = roles.map<Check>((role) => {
  const by = partyOfRole[role];
  return {
    id: `auth.narrowed.${role}`,
    title: `Lists of a ${role}, filtered or on a further page, are refused without a good token.`,
    requirements: [
      ...badTokenRequirements(topLevelListsOf(role), basicForgeries),
      'auth.expired-token-401',
    ],
    needs: { parties: [by] },
    async run(t) {
      const party = t.party(by);
      const all = await credentials(t, by);
      for (const endpoint of topLevelListsOf(role)) {
        for (const query of await narrowedQueries(t, by, endpoint)) {
          await party.call(endpoint, { query });
          for (const credential of all) await party.call(endpoint, { query, credential });
        }
      }
    },
  };
});

/** 5.1, 5.4, 6: a stream that is limited to one order wants a good token like the whole stream. */
const streams = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `auth.limited-stream.${by}`,
  title: `A stream of ${by} that is limited to one order is refused without a good token.`,
  requirements: [
    ...badTokenRequirements(['order.events'], basicForgeries),
    'auth.expired-token-401',
  ],
  needs: { parties: ['sender', by] },
  async run(t) {
    const { intentId } = await createOrder(t);
    const open = await openSecondStream(t, by, { intentId });
    await open.close();
    for (const credential of await credentials(t, by)) {
      const stream = await t.party(by).listen({ intentId, credential });
      if (stream.isOpen) await stream.close();
    }
  },
}));

export const badTokenListChecks: readonly Check[] = [...lists, ...streams];
