import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  type PlacedOrder,
  quote,
  readOrder,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { acceptAndSettle, lifeRequirementsOf } from './flow.ts';
import { quoteIn, quotesOf } from './quotes-seen.ts';
import { awaitTold } from './told.ts';
import { judgeState } from './verdicts.ts';
import {
  acceptCall,
  type Accepter,
  each,
  lagMs,
  stateOf,
  sweepMs,
  untilCalm,
  waits,
} from './words.ts';

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
const looksMs = (trial: Trial): readonly number[] =>
  trial.target.answers.get('views.lag') === 'at-once' ? [120, 350] : [lagMs + 100];

async function acceptJustBefore(
  trial: Trial,
  by: Accepter,
  leadMs: number,
): Promise<Lapse | undefined> {
  await untilCalm(trial);
  const { timeline, clock } = trial.target;
  const [order, twin] = [await createOrder(trial), await createOrder(trial)];
  const placed = await quote(trial, 'maker_a', order, { validForMs: 3_000 });
  const { validUntil } = placed;
  const beside = await quote(trial, 'maker_a', twin, { validUntil });
  await timeline.until(validUntil - clock.offset.most - leadMs);
  const acceptance = await acceptCall(trial, order, placed, by);
  if (!succeeded(acceptance)) return undefined;
  let seen: readonly Exchange[] = [];
  for (const lookMs of looksMs(trial)) {
    await timeline.until(validUntil - clock.offset.least + lookMs);
    const { items, exchange } = await quotesOf(trial, twin);
    const now = await readOrder(trial, order, by);
    seen = [exchange, now.exchange];
    if (stateOf(now.data) !== 'QUOTED') break;
    const heeded = textOf(quoteIn(items, beside), 'status') === 'EXPIRED';
    if (heeded) return { order, heeded, seen };
  }
  return { order, heeded: false, seen };
}

/** Whether the sender's stream told of what became of an order: what it did not tell then did not happen. */
const wasTold = async (trial: Trial, order: PlacedOrder): Promise<boolean> =>
  trial.party('sender').events.isOpen &&
  (await awaitTold(trial, 'sender', order, ['QUOTED'], 0)) !== undefined &&
  (await awaitTold(trial, 'sender', order, ['FAILED'], 0)) !== undefined;

const quotedLapses = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.expiry.quoted.${by}`,
    title: `An order that ${by} accepted just before its quote's deadline expires where it is still QUOTED then.`,
    requirements: ['order.state.quoted-to-expired', 'order.state.expired-absorbs'],
    needs: {
      parties: [...new Set(['sender', 'maker_a', by] as const)],
      waitMs: 3 * waits.quoteExpiry,
    },
    async run(trial) {
      const requirement = 'order.state.quoted-to-expired';
      let tried = false;
      for (const leadMs of [120, 300, 60]) {
        const lapse = await acceptJustBefore(trial, by, leadMs);
        if (!lapse) continue;
        tried = true;
        const { timeline } = trial.target;
        const { order, heeded, seen } = lapse;
        await timeline.sleep(sweepMs);
        const after = await readOrder(trial, order);
        const state = stateOf(after.data);
        if (state === 'EXPIRED') {
          trial.judge(requirement, true, { message: '' });
          await timeline.sleep(1_000);
          const later = await readOrder(trial, order);
          judgeState(
            trial,
            'order.state.expired-absorbs',
            later,
            ['EXPIRED'],
            'after it had expired with its quote',
          );
          return;
        }
        if (state === 'QUOTED') {
          judgeState(trial, requirement, after, ['EXPIRED'], "well after its quote's valid_until");
          return;
        }
        const going = await awaitTold(trial, 'sender', order, ['EXECUTING'], 0);
        if (state === 'FAILED' && !going && (await wasTold(trial, order))) {
          judgeState(trial, requirement, after, ['EXPIRED'], 'without having been EXECUTING');
          return;
        }
        if (!heeded) continue;
        trial.judge(requirement, false, {
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
      trial.giveUp(why);
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
    async run(trial) {
      const order = await createOrder(trial);
      const placed = await quote(trial, 'maker_b', order, { validForMs: 12_000 });
      await acceptAndSettle(trial, { order, quote: placed, acceptedBy: by });
      const { data, exchange } = await readOrder(trial, order);
      trial.judge('order.state.quoted-to-expired.not-early', stateOf(data) !== 'EXPIRED', {
        message: 'An order was EXPIRED though the quote that was accepted was still valid.',
        expected: 'SETTLED',
        actual: stateOf(data) ?? null,
        seen: [exchange],
      });
    },
  }),
);

export const quotedExpiryChecks: readonly Check[] = [...quotedLapses, ...notEarly];
