import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  paramsOf,
  quote,
  untilExpired,
} from '../../src/suite/actions/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { each, expiryLagMs, waits } from '../shared/order-calls.ts';
import { awaitEndAndEvents, awaitEvents, eventLatencyMs } from '../shared/streams.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/** 6: a selection goes to the winner and to both losers, of that order alone. Another order is nobody's yet. */
const selections = each(
  [
    { winner: 'maker_a', by: 'sender' },
    { winner: 'maker_b', by: 'sender_custodian' },
    { winner: 'maker_c', by: 'sender' },
    { winner: 'maker_a', by: 'sender_custodian' },
  ] as const,
  ({ winner, by }) =>
    defineCheck({
      id: `event.selection.${winner}.${by}`,
      title: `When ${by} selects the quote of ${winner} out of three, the winner and both losers get their events, of that order alone.`,
      requirements: [
        'event.quote-accepted.sent',
        'event.quote-accepted.not-to-others',
        'event.quote-accepted.agrees-with-quote',
        'event.quote-rejected.sent',
        'event.quote-rejected.to-every-loser',
        'event.quote-rejected.not-to-winner',
        'event.settlement-completed.sent',
        'event.settlement-completed.not-to-others',
        ...(by === 'sender_custodian'
          ? ([
              'event.quote-accepted.on-custodian-acceptance',
              'event.quote-rejected.on-custodian-acceptance',
            ] as const)
          : []),
      ],
      needs: {
        parties: [...new Set<CastName>(['sender', by, ...makers])],
        waitMs: waits.settlement + eventLatencyMs,
      },
      async run(t) {
        const open = await createOrder(t);
        const order = await createOrder(t);
        for (const maker of makers) await quote(t, maker, open);
        const quotes = {
          maker_a: await quote(t, 'maker_a', order, { rate: '1' }),
          maker_b: await quote(t, 'maker_b', order, { rate: '1.01020304' }),
          maker_c: await quote(t, 'maker_c', order, { rate: '0.99' }),
        };
        await accept(t, order, quotes[winner], by);
        await awaitEndAndEvents(t, order);
      },
    }),
);

/** 6: a maker that has not quoted gets no event of what becomes of others' quotes. */
const uninvolved = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `event.uninvolved.${by}`,
    title: `A maker that has not quoted gets no event of the selection that ${by} makes nor of the settlement.`,
    requirements: [
      'event.quote-rejected.not-to-uninvolved',
      'event.quote-accepted.not-to-others',
      'event.settlement-completed.not-to-others',
    ],
    needs: {
      parties: [...new Set<CastName>(['sender', by, ...makers])],
      waitMs: waits.settlement + eventLatencyMs,
    },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_b', order);
      await quote(t, 'maker_a', order);
      await accept(t, order, placed, by);
      await awaitEndAndEvents(t, order);
    },
  }),
);

/** 6: makers learn that a request has expired: those that quoted it or those that did not, and none too early. */
const expired = defineCheck({
  id: 'event.request-expired',
  title:
    'Of a request that one maker quoted and the others did not, some get quote_request_expired, and none before its end.',
  requirements: ['event.quote-request-expired.sent', 'event.quote-request-expired.not-while-open'],
  needs: { parties: ['sender', ...makers], waitMs: waits.orderExpiry + eventLatencyMs },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_b', order);
    await t.party('maker_a').call('rfq.read', { params: paramsOf(order) });
    await untilExpired(t, order, expiryLagMs + eventLatencyMs);
    const end = await awaitStatus(t, order, ['EXPIRED'], eventLatencyMs);
    if (!end) return t.notExercised('the order did not expire', [order.exchange]);
    await awaitEvents(t, order);
  },
});

export const makerEventChecks: readonly Check[] = [...selections, ...uninvolved, expired];
