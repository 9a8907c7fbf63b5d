import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type Fields,
  openForQuotes,
  orderBody,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  type PlacedQuote,
  quote,
  quoteBody,
  describeExchange,
} from '../../src/suite/actions/index.ts';
import { equalValues } from '../../src/protocol/equality.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { each } from '../shared/check-table.ts';
import { settlementTimeoutMs, waits } from '../shared/waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  framesOf,
  wasListeningSince,
  assertNotDelivered,
  assertDelivered,
  namesOrders,
  showsState,
} from '../shared/event-delivery.ts';
import { textInFrame, eventLatencyMs } from '../shared/streams.ts';

/** Creates an order whose custodians are others than usual; gives up where a target does not take them. */
async function custodied(t: CheckContext, by: CastName, changes: Fields): Promise<PlacedOrder> {
  const body = orderBody(t, changes, by);
  const exchange = await t.party(by).call('order.create', { body });
  const order = placedOrder(by, body, exchange);
  if (!order)
    t.notExercised(`no order was taken with these custodians: ${describeExchange(exchange)}`, [
      exchange,
    ]);
  await openForQuotes(t, order);
  return order;
}

/** Who custodies an order is told of it, not who usually does. */
const custodians = each(
  [
    { id: 'by-sender', by: 'sender', acceptedBy: 'sender' },
    { id: 'by-custodian', by: 'sender', acceptedBy: 'outsider_custodian' },
    { id: 'of-outsider', by: 'outsider', acceptedBy: 'outsider_custodian' },
  ] as const,
  ({ id, by, acceptedBy }) =>
    defineCheck({
      id: `event.custodians.${id}`,
      title: `An order (${id}) with other custodians is told to those: quotes to the sender's one, neither to strangers.`,
      requirements: [
        'event.order-updated.to-sender-custodian',
        'event.quote-received.to-sender-custodian',
        'event.quote-received.not-to-receiver-custodian',
        'event.order-updated.not-to-strangers',
        'event.quote-received.not-to-strangers',
      ],
      needs: {
        parties: [
          'sender',
          'outsider',
          'sender_custodian',
          'receiver_custodian',
          'outsider_custodian',
          'maker_a',
        ],
        waitMs: waits.settlement + eventLatencyMs,
      },
      async run(t) {
        const order = await custodied(t, by, {
          sender_custodian_party_id: t.party('outsider_custodian').partyId,
          receiver_custodian_party_id: t.party('sender_custodian').partyId,
        });
        await accept(t, order, await quote(t, 'maker_a', order), acceptedBy);
        await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs, by);
        await t.target.timeline.sleep(eventLatencyMs);
        for (const state of ['QUOTED', 'EXECUTING', 'SETTLED']) {
          assertDelivered(t, order, {
            by: 'outsider_custodian',
            requirement: 'event.order-updated.to-sender-custodian',
            event: 'order_updated',
            match: showsState(order, state),
          });
        }
        if (namesOrders(t, [by], 'quote_received')) {
          assertDelivered(t, order, {
            by: 'outsider_custodian',
            requirement: 'event.quote-received.to-sender-custodian',
            event: 'quote_received',
          });
        }
        assertNotDelivered(t, order, {
          by: 'sender_custodian',
          requirement: 'event.quote-received.not-to-receiver-custodian',
          event: 'quote_received',
        });
        for (const stranger of [
          'receiver_custodian',
          by === 'sender' ? 'outsider' : 'sender',
        ] as const) {
          assertNotDelivered(t, order, {
            by: stranger,
            requirement: 'event.order-updated.not-to-strangers',
            event: 'order_updated',
          });
          assertNotDelivered(t, order, {
            by: stranger,
            requirement: 'event.quote-received.not-to-strangers',
            event: 'quote_received',
          });
        }
      },
    }),
);

/** Every quote of every maker is told, each with its own rate, with two orders open and some quoted twice. */
const quotesTold = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `event.quote-received.each.${by}`,
    title: `Quotes of three makers on two open orders, some a second time, are each told to ${by} once, with their rate.`,
    requirements: [
      by === 'sender'
        ? 'event.quote-received.every-quote'
        : 'event.quote-received.to-sender-custodian',
      'event.quote-received.once',
      'event.quote-received.agrees-with-list',
    ],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a', 'maker_b', 'maker_c'])],
      waitMs: eventLatencyMs + 4_000,
    },
    async run(t) {
      const orders = [await createOrder(t), await createOrder(t)];
      const taken: { readonly order: PlacedOrder; readonly placed: PlacedQuote }[] = [];
      for (const [index, maker] of (['maker_a', 'maker_b', 'maker_c'] as const).entries()) {
        for (const order of orders) {
          const rate = ['1', '1.0203040506', '0.98'][index] ?? '1';
          taken.push({ order, placed: await quote(t, maker, order, { rate }) });
        }
      }
      for (const order of orders) {
        const body = quoteBody(t, order);
        await t.party('maker_b').call('quote.submit', { params: paramsOf(order), body });
      }
      await t.target.timeline.sleep(eventLatencyMs);
      if (!namesOrders(t, ['sender', by], 'quote_received')) return;
      const since = orders[0]?.exchange.sent ?? 0;
      if (!wasListeningSince(t, by, since)) t.notExercised('the stream was not open all the while');
      const missed =
        by === 'sender'
          ? 'event.quote-received.every-quote'
          : 'event.quote-received.to-sender-custodian';
      for (const { order, placed } of taken) {
        const all = framesOf(t, by, order, 'quote_received');
        if (all.some((frame) => textInFrame(frame, 'quote_id') === undefined)) return;
        const id = placed.quoteId.toLowerCase();
        const mine = all.filter((frame) => textInFrame(frame, 'quote_id')?.toLowerCase() === id);
        const seen = [placed.exchange, ...all];
        t.assert(missed, mine.length > 0, {
          message: `${by} was not told of a quote by ${placed.maker}.`,
          expected: placed.quoteId,
          actual: all.map((frame) => textInFrame(frame, 'quote_id')),
          seen,
        });
        // A maker's second quote may take the place, and the id, of its first (gap `quote.twice`).
        const mayReplace = placed.maker === 'maker_b';
        if (mayReplace || mine.length === 0) continue;
        t.assert('event.quote-received.once', mine.length === 1, {
          message: `${by} was told of one quote ${mine.length} times.`,
          expected: 1,
          actual: mine.length,
          seen,
        });
        const rate = mine[0] && textInFrame(mine[0], 'fx_rate');
        if (rate === undefined) continue;
        t.assert(
          'event.quote-received.agrees-with-list',
          equalValues('fx_rate', rate, placed.sent['fx_rate']),
          {
            message: 'quote_received told another rate than was quoted.',
            expected: placed.sent['fx_rate'],
            actual: rate,
            seen,
          },
        );
      }
    },
  }),
);

export const orderSideEventChecks: readonly Check[] = [...custodians, ...quotesTold];
