import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  cancel,
  disturbedOrder,
  orderBody,
  placedOrder,
  quote,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import { settlementPatienceMs } from '../3-states/words.ts';
import { beside } from '../beside.ts';
import { ask, type Ground, settlementWaitMs, untilSettled } from '../deeds.ts';
import { idsOf, negativesOf, positivesOf } from './permissions.ts';
import {
  acceptor,
  allSides,
  exchanged,
  isThere,
  orderBetween,
  type Sides,
  sidesNeed,
  usual,
} from './sides.ts';

/** Reading an order and its quotes, by all who may and all who may not. */
async function readings(
  trial: Trial,
  sides: Sides,
  ground: Ground,
  endpoints: readonly ('order.read' | 'order.quotes')[] = ['order.read', 'order.quotes'],
): Promise<void> {
  for (const endpoint of endpoints) {
    await beside(
      trial,
      ground,
      negativesOf(trial, endpoint, sides),
      positivesOf(trial, endpoint, sides),
    );
  }
}

/** How late a deadline may take effect (gap `order.expiry_lag`). */
const sweepMs = 3_000;

/** A party is its whole identifier: its name may be that of another, on another backend. */
const namesake = defineCheck({
  id: 'access.relation.reads.namesake',
  title: "A custodian that has only its name in common with an order's may not read the order.",
  requirements: ['order.read.foreign-custodian-refused', 'order.read.by-sender-custodian'],
  needs: { parties: ['sender', 'sender_custodian', 'outsider_custodian'] },
  async run(trial) {
    const { partyId } = trial.party('outsider_custodian');
    const other = `${partyId.slice(0, partyId.lastIndexOf('::'))}::${trial.random.hex(40)}`;
    const body = orderBody(trial, { receiver_custodian_party_id: other });
    const order = placedOrder(
      'sender',
      body,
      await trial.party('sender').call('order.create', { body }),
    );
    if (!order)
      return trial.outOfScope('custodians are known parties here (gap order.party_check)');
    const endpoint = 'order.read';
    const requirement = 'order.read.foreign-custodian-refused';
    const by = 'outsider_custodian';
    await beside(
      trial,
      { order },
      [{ by, endpoint, requirement, what: "a custodian of the name of the order's" }],
      [{ by: 'sender_custodian', endpoint, requirements: ['order.read.by-sender-custodian'] }],
    );
  },
});

/** The end that an order has on no other way, where one that is cancelled has EXPIRED. */
const failed = defineCheck({
  id: 'access.relation.reads.usual.failed',
  title: 'Who has a part in an order reads it once its settlement has failed; nobody else does.',
  requirements: idsOf('order.read'),
  needs: {
    parties: ['sender', 'maker_a'],
    controls: ['fail_settlement'],
    waitMs: settlementWaitMs,
  },
  async run(trial) {
    const order = await disturbedOrder(trial, 'fail_settlement');
    await accept(trial, order, await quote(trial, 'maker_a', order), 'sender');
    const ended = await awaitStatus(trial, order, ['FAILED'], settlementPatienceMs);
    if (!ended) trial.giveUp('the order did not fail');
    await readings(trial, usual, { order }, ['order.read']);
  },
});

/** The same at every station of an order's way. */
const stations: readonly Check[] = [
  ...allSides.map((sides) => ({ sides, end: 'settled' as const })),
  { sides: usual, end: 'cancelled' as const },
  { sides: exchanged, end: 'expired' as const },
].map(({ sides, end }) =>
  defineCheck({
    id: `access.relation.reads.${sides.id}.${end}`,
    title: `Who has a part in an order reads it and its quotes at every station until it is ${end}; nobody else does (${sides.id}).`,
    requirements: idsOf('order.read', 'order.quotes'),
    needs: {
      parties: [...new Set([...sidesNeed(sides), 'maker_a'] as const)],
      waitMs: settlementWaitMs,
    },
    async run(trial) {
      const order = await orderBetween(trial, sides);
      const ground = { order };
      await readings(trial, sides, ground);
      const placed = await quote(trial, 'maker_a', order);
      if (isThere(trial, 'maker_b')) await quote(trial, 'maker_b', order);
      await readings(trial, sides, ground);
      if (end === 'cancelled') await cancel(trial, order);
      else if (end === 'expired') await untilExpired(trial, order, sweepMs);
      else await accept(trial, order, placed, acceptor(trial, sides));
      await readings(trial, sides, ground);
      if (end !== 'settled') return;
      // That state may be over before anybody sees it.
      const going = sides === usual && (await awaitStatus(trial, order, ['EXECUTING'], 4_000));
      if (going) await readings(trial, sides, ground);
      await untilSettled(trial, order);
      await readings(trial, sides, ground);
      // Whether it may is open (gap `access.receiver_quotes`); what it then sees the rules hold against the rest.
      if (isThere(trial, sides.receiver)) await ask(trial, sides.receiver, 'order.quotes', ground);
    },
  }),
);

export const readChecks: readonly Check[] = [...stations, failed, namesake];
