import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  readOrder,
  assertRefused,
  targetNow,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { expiryRequirements, assertExpires, untilNear } from '../../shared/order-expiry.ts';
import { assertAcceptance, lifeRequirementsOf, assertFullLife } from '../../shared/order-life.ts';
import { acceptProposal } from '../acceptance/proposal-acceptance.ts';
import { assertReason, assertState, assertStillPending } from '../../shared/order-assertions.ts';
import { tryAccept, tryCancel, each, stateOf, waits } from '../../shared/order-calls.ts';

const expiries = each(
  [
    { id: 'unquoted', quotes: [] },
    { id: 'one-quote', quotes: ['maker_a'] },
    { id: 'three-quotes', quotes: ['maker_c', 'maker_a', 'maker_b'] },
  ] as const satisfies readonly { id: string; quotes: readonly CastName[] }[],
  ({ id, quotes }) =>
    defineCheck({
      id: `order.expiry.${id}`,
      title: `An order with ${quotes.length} quotes, none of them accepted, expires at its deadline and takes nothing after it.`,
      requirements: [
        ...expiryRequirements,
        'order.state.pending-to-expired.though-quoted',
        'order.failure-reason.no-quote',
        'order.cancel.expired-stays',
        'order.accept.expired-order-refused',
        ...(quotes.length > 0 ? (['quote.submit.expired-request-refused'] as const) : []),
      ],
      needs: { parties: ['sender', ...quotes], waitMs: waits.orderExpiry },
      async run(t) {
        const order = await createOrder(t);
        const placed: PlacedQuote[] = [];
        for (const maker of quotes) placed.push(await quote(t, maker, order));
        const quoted = 'order.state.pending-to-expired.though-quoted';
        await assertExpires(t, order, placed.length > 0 ? [quoted] : []);
        const ended = await readOrder(t, order);
        if (stateOf(ended.data) !== 'EXPIRED') return;
        if (placed.length === 0) {
          assertReason(t, 'order.failure-reason.no-quote', ended, ['NO_QUOTE']);
        }
        for (const one of placed) {
          const no = await tryAccept(t, order, one);
          const what = 'an acceptance on an EXPIRED order';
          assertRefused(t, 'order.accept.expired-order-refused', no, what);
          await assertQuotedAnew(t, order, one.maker);
        }
        await tryCancel(t, order);
        const after = await readOrder(t, order);
        const stays = 'order.cancel.expired-stays';
        assertState(t, stays, after, ['EXPIRED'], 'after a cancel that came too late');
      },
    }),
);

/** Who has quoted may know an expired order still; it can be quoted no more. */
async function assertQuotedAnew(
  t: CheckContext,
  order: PlacedOrder,
  maker: CastName,
): Promise<void> {
  const { answers } = t.target;
  // That a maker quotes twice is open.
  if (answers.get('quote.twice') === 'refuse') return;
  // Valid for as long as a quote may be here: any moment to come lies beyond the order's deadline.
  const body = quoteBody(t, { ...order, expiresAt: undefined });
  const params = paramsOf(order);
  const late = await t.party(maker).call('quote.submit', { params, body });
  // Where no quote may be valid for longer than its order, a refusal may be for that.
  if (isRefusal(late) && answers.get('quote.beyond_expiry') !== 'allow') return;
  const what = 'another quote of a maker on an EXPIRED order';
  assertRefused(t, 'quote.submit.expired-request-refused', late, what);
}

const others: readonly Check[] = [
  defineCheck({
    id: 'order.expiry.only-above-the-maximum',
    title:
      'An order whose only quote is above its maximum expires, with no reason that speaks of another end.',
    requirements: ['order.failure-reason.slippage', ...expiryRequirements],
    needs: { parties: ['sender', 'maker_c'], waitMs: waits.orderExpiry },
    async run(t) {
      const terms = { target_amount: '1000.00', source_amount_max: '250.00' };
      const order = await createOrder(t, terms);
      const params = paramsOf(order);
      const body = quoteBody(t, order);
      await t.party('maker_c').call('quote.submit', { params, body });
      await assertExpires(t, order);
      const ended = await readOrder(t, order);
      if (stateOf(ended.data) !== 'EXPIRED') return;
      const plausible = ['SLIPPAGE', 'NO_QUOTE', 'TIMEOUT'];
      assertReason(t, 'order.failure-reason.slippage', ended, plausible);
    },
  }),
  defineCheck({
    id: 'order.expiry.next-order',
    title:
      'An order that is created while another expires, is not ended with it; the next settles.',
    requirements: [
      ...expiryRequirements,
      'order.state.other-orders-untouched',
      ...lifeRequirementsOf(),
    ],
    needs: { parties: ['sender', 'maker_a'], waitMs: waits.orderExpiry + waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      await untilNear(t, order, 8_000);
      const younger = await createOrder(t);
      const placed = await quote(t, 'maker_a', younger);
      await assertExpires(t, order);
      const now = await readOrder(t, younger);
      if (
        younger.expiresAt !== undefined &&
        order.expiresAt !== undefined &&
        younger.expiresAt > order.expiresAt + 6_000
      ) {
        const requirement = 'order.state.other-orders-untouched';
        assertStillPending(t, requirement, younger, now, 'after an older order had expired');
      }
      const deal = { order: younger, quote: placed, acceptedBy: 'sender' } as const;
      if (placed.validUntil < targetNow(t).latest + 1_000) return;
      if (!(await assertAcceptance(t, deal))) return;
      await assertFullLife(t);
    },
  }),
];

/** Longer than a deadline may take to have its effect, so that one which was moved by as much is seen to be late. */
const laterMs = 8_000;

/** What happens to an order in the course of its life does not make that longer. */
const touched = each(
  [
    { id: 'late-quote', title: 'quoted', by: 'maker_b' },
    { id: 'late-proposal', title: 'whose proposal is accepted', by: 'sender_custodian' },
  ] as const,
  ({ id, title, by }) =>
    defineCheck({
      id: `order.expiry.${id}`,
      title: `An order ${title} ${laterMs / 1000} s after its creation expires when it said at first.`,
      requirements: [
        ...expiryRequirements,
        ...(by === 'maker_b' ? (['order.state.pending-to-expired.though-quoted'] as const) : []),
      ],
      needs: { parties: ['sender', by], waitMs: waits.orderExpiry },
      async run(t) {
        const order = await createOrder(t);
        await t.target.timeline.sleep(laterMs);
        if (by === 'maker_b') await quote(t, by, order);
        // Whatever else it does, and whether it is taken: both are open.
        else await acceptProposal(t, order);
        const quoted = 'order.state.pending-to-expired.though-quoted';
        await assertExpires(t, order, by === 'maker_b' ? [quoted] : []);
      },
    }),
);

export const orderExpiryChecks: readonly Check[] = [...expiries, ...others, ...touched];
