import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  readOrder,
  targetNow,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { expiryRequirements, followToExpiry, untilNear } from '../../shared/order-expiry.ts';
import { acceptQuote, lifeRequirementsOf, wholeLife } from '../../shared/order-life.ts';
import { acceptProposal } from '../acceptance/proposal-acceptance.ts';
import { assertState, assertStillPending } from '../../shared/order-assertions.ts';
import { tryAccept, tryCancel } from '../../shared/order-calls.ts';
import { needsOf, waits } from '../../shared/waits.ts';
import { rows } from '../../shared/check-table.ts';

/** A maker that has quoted may still see an expired order, but no quote is taken on it. */
async function quoteTooLate(t: CheckContext, order: PlacedOrder, maker: CastName): Promise<void> {
  // Valid for as long as a quote may be here: any time from now on lies beyond the order's deadline.
  const body = quoteBody(t, { ...order, expiresAt: undefined });
  await t.party(maker).call('quote.submit', { params: paramsOf(order), body });
}

/** 3.1: a PENDING order without an accepted quote expires at its expires_at, and takes no request after it. */
const expiries = (
  [
    { id: 'unquoted', makers: [] },
    { id: 'one-quote', makers: ['maker_a'] },
    { id: 'three-quotes', makers: ['maker_c', 'maker_a', 'maker_b'] },
  ] as const satisfies readonly { id: string; makers: readonly CastName[] }[]
).map<Check>(({ id, makers }) => ({
  id: `order.expiry.${id}`,
  title: `An order with ${makers.length} quotes, none of them accepted, expires at its deadline and takes nothing after it.`,
  requirements: [
    ...expiryRequirements,
    'order.cancel.expired-stays',
    ...(makers.length === 0
      ? (['order.failure-reason.no-quote'] as const)
      : ([
          'order.state.pending-to-expired.though-quoted',
          'order.accept.expired-order-refused',
          'quote.submit.expired-request-refused',
        ] as const)),
  ],
  needs: { parties: ['sender', ...makers], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    const placed: PlacedQuote[] = [];
    for (const maker of makers) placed.push(await quote(t, maker, order));
    await followToExpiry(t, order);
    for (const one of placed) {
      await tryAccept(t, order, one);
      await quoteTooLate(t, order, one.maker);
    }
    await tryCancel(t, order);
    const stays = 'order.cancel.expired-stays';
    const when = 'after a cancel that came too late';
    assertState(t, stays, await readOrder(t, order), ['EXPIRED'], when);
  },
}));

/** 2.2: SLIPPAGE is about quotes above the maximum. A reason for an expiry is open (gap `expiry.reason`). */
const onlyTooDear: Check = {
  id: 'order.expiry.only-above-the-maximum',
  title:
    'An order whose only quote is above its maximum expires, with no reason that speaks of another end.',
  requirements: ['order.failure-reason.slippage', ...expiryRequirements],
  needs: needsOf(waits.orderExpiry, 'sender', 'maker_c'),
  async run(t) {
    const order = await createOrder(t, { target_amount: '1000.00', source_amount_max: '250.00' });
    const body = quoteBody(t, order);
    await t.party('maker_c').call('quote.submit', { params: paramsOf(order), body });
    await followToExpiry(t, order);
  },
};

/** 3.1: a deadline ends its own order and no other. */
const nextOrder: Check = {
  id: 'order.expiry.next-order',
  title:
    'An order that is created while another expires, is not ended with it; the next one settles.',
  requirements: [
    ...expiryRequirements,
    'order.state.other-orders-untouched',
    ...lifeRequirementsOf(),
  ],
  needs: needsOf(waits.orderExpiry + waits.settlement, 'sender', 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    await untilNear(t, order, 8_000);
    const younger = await createOrder(t);
    const placed = await quote(t, 'maker_a', younger);
    await followToExpiry(t, order);
    const now = await readOrder(t, younger);
    const [first = 0, second = 0] = [order.expiresAt, younger.expiresAt];
    if (second > first + 6_000) {
      const requirement = 'order.state.other-orders-untouched';
      assertStillPending(t, requirement, younger, now, 'after an older order had expired');
    }
    if (placed.validUntil < targetNow(t).latest + 1_000) return;
    await acceptQuote(t, { order: younger, quote: placed, acceptedBy: 'sender' });
    await wholeLife(t);
  },
};

/** Longer than a deadline may take to have its effect, so that one which was moved by as much is seen to be late. */
const laterMs = 8_000;

/** 2.2: expires_at is fixed at the creation; no event in an order's life extends it. */
const touched = rows(
  { id: 'not-extended-by-quote', what: 'quoted', by: 'maker_b' },
  { id: 'not-extended-by-proposal', what: 'whose proposal is accepted', by: 'sender_custodian' },
).map<Check>(({ id, what, by }) => ({
  id: `order.expiry.${id}`,
  title: `An order ${what} ${laterMs / 1000} s after its creation expires when it said at first.`,
  requirements: [
    ...expiryRequirements,
    ...(by === 'maker_b' ? (['order.state.pending-to-expired.though-quoted'] as const) : []),
  ],
  needs: { parties: ['sender', by], waitMs: waits.orderExpiry },
  async run(t) {
    const order = await createOrder(t);
    await t.target.timeline.sleep(laterMs);
    if (by === 'maker_b') await quote(t, by, order);
    // The effect of a proposal's acceptance is open, and a refusal is admissible.
    else await acceptProposal(t, order);
    await followToExpiry(t, order);
  },
}));

export const orderExpiryChecks: readonly Check[] = [
  ...expiries,
  onlyTooDear,
  nextOrder,
  ...touched,
];
