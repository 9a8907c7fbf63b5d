import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
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
  said,
} from '../../src/conformance/moves/index.ts';
import { sameValue } from '../../src/rules/same.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { each, settlementPatienceMs, terminal, waits } from '../3-states/words.ts';
import {
  framesOf,
  heardSince,
  judgeSpared,
  judgeTold,
  namesOrders,
  tellsState,
} from './hearing.ts';
import { told, travelMs } from './listening.ts';

/** Creates an order whose custodians are others than usual; gives up where a target does not take them. */
async function custodied(trial: Trial, by: CastName, changes: Fields): Promise<PlacedOrder> {
  const body = orderBody(trial, changes, by);
  const exchange = await trial.party(by).call('order.create', { body });
  const order = placedOrder(by, body, exchange);
  if (!order)
    trial.giveUp(`no order was taken with these custodians: ${said(exchange)}`, [exchange]);
  await openForQuotes(trial, order);
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
        waitMs: waits.settlement + travelMs,
      },
      async run(trial) {
        const order = await custodied(trial, by, {
          sender_custodian_party_id: trial.party('outsider_custodian').partyId,
          receiver_custodian_party_id: trial.party('sender_custodian').partyId,
        });
        await accept(trial, order, await quote(trial, 'maker_a', order), acceptedBy);
        await awaitStatus(trial, order, terminal, settlementPatienceMs, by);
        await trial.target.timeline.sleep(travelMs);
        for (const state of ['QUOTED', 'EXECUTING', 'SETTLED']) {
          judgeTold(trial, order, {
            by: 'outsider_custodian',
            requirement: 'event.order-updated.to-sender-custodian',
            event: 'order_updated',
            match: tellsState(order, state),
          });
        }
        if (namesOrders(trial, [by], 'quote_received')) {
          judgeTold(trial, order, {
            by: 'outsider_custodian',
            requirement: 'event.quote-received.to-sender-custodian',
            event: 'quote_received',
          });
        }
        judgeSpared(trial, order, {
          by: 'sender_custodian',
          requirement: 'event.quote-received.not-to-receiver-custodian',
          event: 'quote_received',
        });
        for (const stranger of [
          'receiver_custodian',
          by === 'sender' ? 'outsider' : 'sender',
        ] as const) {
          judgeSpared(trial, order, {
            by: stranger,
            requirement: 'event.order-updated.not-to-strangers',
            event: 'order_updated',
          });
          judgeSpared(trial, order, {
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
      waitMs: travelMs + 4_000,
    },
    async run(trial) {
      const orders = [await createOrder(trial), await createOrder(trial)];
      const taken: { readonly order: PlacedOrder; readonly placed: PlacedQuote }[] = [];
      for (const [index, maker] of (['maker_a', 'maker_b', 'maker_c'] as const).entries()) {
        for (const order of orders) {
          const rate = ['1', '1.0203040506', '0.98'][index] ?? '1';
          taken.push({ order, placed: await quote(trial, maker, order, { rate }) });
        }
      }
      for (const order of orders) {
        const body = quoteBody(trial, order);
        await trial.party('maker_b').call('quote.submit', { params: paramsOf(order), body });
      }
      await trial.target.timeline.sleep(travelMs);
      if (!namesOrders(trial, ['sender', by], 'quote_received')) return;
      const since = orders[0]?.exchange.sent ?? 0;
      if (!heardSince(trial, by, since)) trial.giveUp('the stream was not open all the while');
      const missed =
        by === 'sender'
          ? 'event.quote-received.every-quote'
          : 'event.quote-received.to-sender-custodian';
      for (const { order, placed } of taken) {
        const all = framesOf(trial, by, order, 'quote_received');
        if (all.some((frame) => told(frame, 'quote_id') === undefined)) return;
        const id = placed.quoteId.toLowerCase();
        const mine = all.filter((frame) => told(frame, 'quote_id')?.toLowerCase() === id);
        const seen = [placed.exchange, ...all];
        trial.judge(missed, mine.length > 0, {
          message: `${by} was not told of a quote by ${placed.maker}.`,
          expected: placed.quoteId,
          actual: all.map((frame) => told(frame, 'quote_id')),
          seen,
        });
        // A maker's second quote may take the place, and the id, of its first (gap `quote.twice`).
        const mayReplace = placed.maker === 'maker_b';
        if (mayReplace || mine.length === 0) continue;
        trial.judge('event.quote-received.once', mine.length === 1, {
          message: `${by} was told of one quote ${mine.length} times.`,
          expected: 1,
          actual: mine.length,
          seen,
        });
        const rate = mine[0] && told(mine[0], 'fx_rate');
        if (rate === undefined) continue;
        trial.judge(
          'event.quote-received.agrees-with-list',
          sameValue('fx_rate', rate, placed.sent['fx_rate']),
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

export const toldChecks: readonly Check[] = [...custodians, ...quotesTold];
