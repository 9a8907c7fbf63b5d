import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  type PlacedOrder,
  quote,
  readOrder,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { acceptAndSettle, lifeRequirementsOf } from '../../shared/order-life.ts';
import { findQuote, quotesOf } from '../../shared/listed-quotes.ts';
import { awaitUpdate } from '../../shared/order-updates.ts';
import { assertState } from '../../shared/order-assertions.ts';
import {
  tryAccept,
  type Accepter,
  each,
  viewLagMs,
  stateOf,
  expiryLagMs,
  waitWhileBusy,
  waits,
} from '../../shared/order-calls.ts';

/**
 * Whether a target sweeps its deadlines or heeds them at once is open. What it does with a quote that nobody
 * accepted tells: a target that had seen that deadline pass must have seen the same one of a QUOTED order.
 */
interface Lapse {
  readonly order: PlacedOrder;
  /** Just after the deadline the order was still QUOTED, and another quote of the same deadline EXPIRED. */
  readonly heeded: boolean;
  readonly seen: readonly Exchange[];
}

/**
 * When after the deadline an order is looked at: with room for a settlement that was under way. Where views lag, one
 * may show QUOTED that was EXECUTING before, and only what is QUOTED beyond any lag tells.
 */
const looksMs = (t: CheckContext): readonly number[] =>
  t.target.answers.get('views.lag') === 'at-once' ? [120, 350] : [viewLagMs + 100];

async function acceptJustBefore(
  t: CheckContext,
  by: Accepter,
  leadMs: number,
): Promise<Lapse | undefined> {
  await waitWhileBusy(t);
  const { timeline, clock } = t.target;
  const [order, twin] = [await createOrder(t), await createOrder(t)];
  const placed = await quote(t, 'maker_a', order, { validForMs: 3_000 });
  const { validUntil } = placed;
  const beside = await quote(t, 'maker_a', twin, { validUntil });
  await timeline.until(validUntil - clock.offset.most - leadMs);
  const acceptance = await tryAccept(t, order, placed, by);
  if (!succeeded(acceptance)) return undefined;
  let seen: readonly Exchange[] = [];
  for (const lookMs of looksMs(t)) {
    await timeline.until(validUntil - clock.offset.least + lookMs);
    const { items, exchange } = await quotesOf(t, twin);
    const now = await readOrder(t, order, by);
    seen = [exchange, now.exchange];
    if (stateOf(now.data) !== 'QUOTED') break;
    const heeded = textOf(findQuote(items, beside), 'status') === 'EXPIRED';
    if (heeded) return { order, heeded, seen };
  }
  return { order, heeded: false, seen };
}

/** Whether the sender's stream told of what became of an order: what it did not tell then did not happen. */
const wasTold = async (t: CheckContext, order: PlacedOrder): Promise<boolean> =>
  t.party('sender').events.isOpen &&
  (await awaitUpdate(t, 'sender', order, ['QUOTED'], 0)) !== undefined &&
  (await awaitUpdate(t, 'sender', order, ['FAILED'], 0)) !== undefined;

const quotedLapses = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.expiry.quoted.${by}`,
    title: `An order that ${by} accepted just before its quote's deadline expires where it is still QUOTED then.`,
    requirements: ['order.state.quoted-to-expired', 'order.state.expired-absorbs'],
    needs: {
      parties: [...new Set(['sender', 'maker_a', by] as const)],
      waitMs: 3 * waits.quoteExpiry,
    },
    async run(t) {
      const requirement = 'order.state.quoted-to-expired';
      let tried = false;
      for (const leadMs of [120, 300, 60]) {
        const lapse = await acceptJustBefore(t, by, leadMs);
        if (!lapse) continue;
        tried = true;
        const { timeline } = t.target;
        const { order, heeded, seen } = lapse;
        await timeline.sleep(expiryLagMs);
        const after = await readOrder(t, order);
        const state = stateOf(after.data);
        if (state === 'EXPIRED') {
          t.assert(requirement, true, { message: '' });
          await timeline.sleep(1_000);
          const later = await readOrder(t, order);
          assertState(
            t,
            'order.state.expired-absorbs',
            later,
            ['EXPIRED'],
            'after it had expired with its quote',
          );
          return;
        }
        if (state === 'QUOTED') {
          assertState(t, requirement, after, ['EXPIRED'], "well after its quote's valid_until");
          return;
        }
        const going = await awaitUpdate(t, 'sender', order, ['EXECUTING'], 0);
        if (state === 'FAILED' && !going && (await wasTold(t, order))) {
          assertState(t, requirement, after, ['EXPIRED'], 'without having been EXECUTING');
          return;
        }
        if (!heeded) continue;
        t.assert(requirement, false, {
          message: `An order that was QUOTED when its quote's valid_until passed went on and was ${state}.`,
          expected: 'EXPIRED',
          actual: state ?? null,
          seen: [...seen, ...(going ? [going] : []), after.exchange],
        });
        return;
      }
      const why = tried
        ? 'settlement here starts sooner than a deadline can pass and be seen to'
        : 'no acceptance came in time before its deadline';
      t.notExercised(why);
    },
  }),
);

/** The other side of it: a quote that is valid for longer than settlement takes never ends its order. */
const notEarly = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.expiry.quoted-not-early.${by}`,
    title: `An order that ${by} accepted with a quote that stays valid does not expire, but settles.`,
    requirements: ['order.state.quoted-to-expired.not-early', ...lifeRequirementsOf(by)],
    needs: { parties: [...new Set(['sender', 'maker_b', by] as const)], waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_b', order, { validForMs: 12_000 });
      await acceptAndSettle(t, { order, quote: placed, acceptedBy: by });
      const { data, exchange } = await readOrder(t, order);
      t.assert('order.state.quoted-to-expired.not-early', stateOf(data) !== 'EXPIRED', {
        message: 'An order was EXPIRED though the quote that was accepted was still valid.',
        expected: 'SETTLED',
        actual: stateOf(data) ?? null,
        seen: [exchange],
      });
    },
  }),
);

export const acceptedQuoteExpiryChecks: readonly Check[] = [...quotedLapses, ...notEarly];
