import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
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
import { type Accepter, tryAccept } from '../../shared/order-calls.ts';
import { expiryLagMs, needsOf, untilBefore, viewLagMs, waits } from '../../shared/waits.ts';
import { stateOf } from '../../shared/order-fields.ts';

/**
 * The document leaves open if a target sweeps its deadlines or heeds them at once. A quote that nobody accepted shows
 * it: a target that saw this deadline pass must have seen the same deadline of a QUOTED order.
 */
interface Lapse {
  readonly order: PlacedOrder;
  /** Just after the deadline the order was still QUOTED, and another quote of the same deadline EXPIRED. */
  readonly heeded: boolean;
  readonly seen: readonly Exchange[];
}

/**
 * Moments after the deadline at which an order is read, with room for a settlement under way. If views lag, an order
 * may show QUOTED although it was EXECUTING before: only an order that is QUOTED beyond any lag counts.
 */
const looksMs = (t: CheckContext): readonly number[] =>
  t.target.answers.get('views.lag') === 'at-once' ? [120, 350] : [viewLagMs + 100];

async function acceptJustBefore(t: CheckContext, by: Accepter, leadMs: number) {
  const { timeline, clock } = t.target;
  const [order, control] = [await createOrder(t), await createOrder(t)];
  const placed = await quote(t, 'maker_a', order, { validForMs: 3_000 });
  const { validUntil } = placed;
  const unaccepted = await quote(t, 'maker_a', control, { validUntil });
  await untilBefore(t, validUntil, leadMs);
  const acceptance = await t.promptly(() => tryAccept(t, order, placed, by));
  if (!succeeded(acceptance)) return undefined;
  let seen: readonly Exchange[] = [];
  for (const lookMs of looksMs(t)) {
    await timeline.until(validUntil - clock.offset.least + lookMs);
    const { items, exchange } = await t.promptly(() => quotesOf(t, control));
    const now = await t.promptly(() => readOrder(t, order, by));
    seen = [exchange, now.exchange];
    if (stateOf(now.data) !== 'QUOTED') break;
    const heeded = textOf(findQuote(items, unaccepted), 'status') === 'EXPIRED';
    if (heeded) return { order, heeded, seen };
  }
  return { order, heeded: false, seen };
}

/** The event that announced a state of an order to its sender, if one has. */
const announced = (t: CheckContext, order: PlacedOrder, state: string) =>
  awaitUpdate(t, 'sender', order, [state], 0);

/** True if the sender's stream announced the order as QUOTED and FAILED, but never as EXECUTING. */
async function failedUnexecuted(t: CheckContext, order: PlacedOrder): Promise<boolean> {
  if (!t.party('sender').events.isOpen || (await announced(t, order, 'EXECUTING'))) return false;
  const both = [await announced(t, order, 'QUOTED'), await announced(t, order, 'FAILED')];
  return both.every((frame) => frame !== undefined);
}

/** Judges the state of an order whose quote lapsed. Returns false if its settlement came too early to judge that. */
async function assertExpiredWithQuote(t: CheckContext, { order, heeded, seen }: Lapse) {
  const after = await readOrder(t, order);
  const state = stateOf(after.data);
  const isWrong =
    state === 'QUOTED' || heeded || (state === 'FAILED' && (await failedUnexecuted(t, order)));
  if (state !== 'EXPIRED' && !isWrong) return false;
  t.assert('order.state.quoted-to-expired', state === 'EXPIRED', {
    message: `An order that was QUOTED when its quote's valid_until passed was ${state} later.`,
    fields: ['valid_until'],
    expected: 'EXPIRED',
    actual: state ?? null,
    seen: [...seen, after.exchange],
  });
  return true;
}

/** 3.1: a QUOTED order expires when the quote's valid_until passes before settlement. */
const quotedLapses = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.expiry.quoted.${by}`,
  title: `An order that ${by} accepted just before its quote's deadline expires where it is still QUOTED then.`,
  requirements: ['order.state.quoted-to-expired', 'order.state.expired-absorbs'],
  needs: needsOf(3 * waits.quoteExpiry, 'sender', 'maker_a', by),
  async run(t) {
    let why = 'no acceptance came in time before its deadline';
    for (const leadMs of [120, 300, 60]) {
      const lapse = await acceptJustBefore(t, by, leadMs);
      if (!lapse) continue;
      why = 'settlement here starts sooner than a deadline can pass and be seen to';
      await t.target.timeline.sleep(expiryLagMs);
      if (!(await assertExpiredWithQuote(t, lapse))) continue;
      await t.target.timeline.sleep(1_000);
      await readOrder(t, lapse.order);
      return;
    }
    t.notExercised(why);
  },
}));

/** 3.1: a quote that stays valid for longer than settlement takes never ends its order. */
const notEarly = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.expiry.quoted-not-early.${by}`,
  title: `An order that ${by} accepted with a quote that stays valid does not expire, but settles.`,
  requirements: ['order.state.quoted-to-expired.not-early', ...lifeRequirementsOf(by)],
  needs: needsOf(waits.settlement, 'sender', 'maker_b', by),
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_b', order, { validForMs: 12_000 });
    await acceptAndSettle(t, { order, quote: placed, acceptedBy: by });
  },
}));

export const acceptedQuoteExpiryChecks: readonly Check[] = [...quotedLapses, ...notEarly];
