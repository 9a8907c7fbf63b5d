import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import { accept, cancel, quote, untilExpired } from '../../src/conformance/moves/index.ts';
import { beside } from '../beside.ts';
import { type Ground, settlementWaitMs, untilSettled } from '../deeds.ts';
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
async function readings(trial: Trial, sides: Sides, ground: Ground): Promise<void> {
  for (const endpoint of ['order.read', 'order.quotes'] as const) {
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

/** The same at every station of an order's way. */
export const readChecks: readonly Check[] = [
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
      await untilSettled(trial, order);
      await readings(trial, sides, ground);
    },
  }),
);
