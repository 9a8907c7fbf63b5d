import type { Check } from '../../src/suite/engine/check.ts';
import { accept, quote, type PlacedQuote } from '../../src/suite/actions/quotes.ts';
import {
  createOrder,
  openForQuotes,
  orderBody,
  paramsOf,
  placedOrder,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import { describeExchange } from '../../src/protocol/answers.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import { cancelOrder, tryAccept, tryCancel, tryQuote } from '../shared/order-life.ts';
import { needsOf, settlementTimeoutMs, waits, rows, expiryLagMs, makers } from '../shared/waits.ts';
import { awaitEndAndEvents, awaitEvents, eventLatencyMs } from '../shared/order-states.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';

const custodians = rows(
  { id: 'by-sender', by: 'sender', acceptedBy: 'sender' },
  { id: 'by-custodian', by: 'sender', acceptedBy: 'outsider_custodian' },
  { id: 'of-outsider', by: 'outsider', acceptedBy: 'outsider_custodian' },
).map<Check>(({ id, by, acceptedBy }) => ({
  id: `event.custodians.${id}`,
  title: `Events of an order (${id}) with other custodians go to those: quotes to the sender's one, none to unrelated parties.`,
  requirements: [
    'event.order-updated.to-sender-custodian',
    'event.quote-received.to-sender-custodian',
    'event.quote-received.not-to-receiver-custodian',
    'event.order-updated.not-to-strangers',
    'event.quote-received.not-to-strangers',
  ],
  needs: needsOf(
    waits.settlement + eventLatencyMs,
    'sender',
    'outsider',
    'sender_custodian',
    'receiver_custodian',
    'outsider_custodian',
    'maker_a',
  ),
  async run(t) {
    const changes = {
      sender_custodian_party_id: t.party('outsider_custodian').partyId,
      receiver_custodian_party_id: t.party('sender_custodian').partyId,
    };
    const body = orderBody(t, changes, by);
    const exchange = await t.party(by).call('order.create', { body });
    const order = placedOrder(by, body, exchange);
    if (!order) {
      const why = `no order was taken with these custodians: ${describeExchange(exchange)}`;
      return t.notExercised(why, [exchange]);
    }
    await openForQuotes(t, order);
    await accept(t, order, await quote(t, 'maker_a', order), acceptedBy);
    await awaitEndAndEvents(t, order, settlementTimeoutMs, by);
  },
}));

const quotesAnnounced = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `event.quote-received.each.${by}`,
  title: `Quotes of three makers on two open orders, some a second time, each go to ${by} once, with their rate.`,
  requirements: [
    by === 'sender'
      ? 'event.quote-received.every-quote'
      : 'event.quote-received.to-sender-custodian',
    'event.quote-received.once',
    'event.quote-received.agrees-with-list',
  ],
  needs: needsOf(eventLatencyMs + 4_000, 'sender', by, 'maker_a', 'maker_b', 'maker_c'),
  async run(t) {
    const [first, second] = [await createOrder(t), await createOrder(t)];
    const orders = [first, second];
    for (const [maker, rate] of [
      ['maker_a', '1'],
      ['maker_b', '1.0203040506'],
      ['maker_c', '0.98'],
    ] as const) {
      for (const order of orders) await quote(t, maker, order, { rate });
    }
    for (const order of orders) {
      await tryQuote(t, 'maker_b', order);
      await t.party(by).call('order.quotes', { params: paramsOf(order) });
    }
    await awaitEvents(t, first);
  },
}));

const onlyOnChange: Check = {
  id: 'event.order-updated.only-on-change',
  title: 'Quotes, reads and refused requests leave an order PENDING, and send no order_updated.',
  requirements: ['event.order-updated.only-on-change'],
  needs: needsOf(
    2 * eventLatencyMs,
    'sender',
    'outsider',
    'sender_custodian',
    'receiver_custodian',
    'maker_a',
    'maker_b',
  ),
  async run(t) {
    const order = await createOrder(t);
    // The document leaves open if a creation and an accepted proposal are announced.
    await t.target.timeline.sleep(eventLatencyMs);
    const placed = await quote(t, 'maker_a', order);
    await quote(t, 'maker_b', order);
    for (const by of ['sender', 'sender_custodian'] as const) {
      await t.party(by).call('order.read', { params: paramsOf(order) });
    }
    await tryAccept(t, order, placed, 'outsider');
    await tryAccept(t, order, { quoteId: t.random.uuid() });
    await tryCancel(t, order, 'receiver_custodian');
    await awaitEvents(t, order);
  },
};

const inARow: Check = {
  id: 'event.consecutive-orders',
  title:
    'Of orders that are cancelled, accepted and cancelled one after the other, the events of each go to all it concerns.',
  requirements: [
    'event.quote-request-new.to-every-maker',
    'event.order-updated.on-cancel',
    'event.order-updated.on-quoted',
    'event.order-updated.to-sender-custodian',
    'event.quote-received.sent',
  ],
  needs: needsOf(
    eventLatencyMs + 4_000,
    'sender',
    'sender_custodian',
    'maker_a',
    'maker_b',
    'maker_c',
  ),
  async run(t) {
    let order = await createOrder(t);
    for (const [index, accepted] of [false, true, false, true, false].entries()) {
      if (index > 0) order = await createOrder(t);
      const placed = await quote(t, accepted ? 'maker_b' : 'maker_c', order);
      if (accepted) await accept(t, order, placed);
      else await cancelOrder(t, order);
      await readOrder(t, order);
    }
    await awaitEvents(t, order);
  },
};

export const orderEventChecks: readonly Check[] = [
  ...custodians,
  ...quotesAnnounced,
  onlyOnChange,
  inARow,
];

const selection: readonly RequirementId[] = [
  'event.quote-accepted.sent',
  'event.quote-accepted.not-to-others',
  'event.quote-accepted.agrees-with-quote',
  'event.quote-rejected.sent',
  'event.quote-rejected.to-every-loser',
  'event.quote-rejected.not-to-winner',
  'event.settlement-completed.sent',
  'event.settlement-completed.not-to-others',
];
const byCustodian: readonly RequirementId[] = [
  'event.quote-accepted.on-custodian-acceptance',
  'event.quote-rejected.on-custodian-acceptance',
];
const uninvolved: readonly RequirementId[] = [
  'event.quote-rejected.not-to-uninvolved',
  'event.quote-accepted.not-to-others',
  'event.settlement-completed.not-to-others',
];
const rates = { maker_a: '1', maker_b: '1.01020304', maker_c: '0.99' } as const;

/** 6: a selection and its settlement send events to the winner and to the losers, and none to a maker that has not quoted. */
const selections = rows(
  { winner: 'maker_a', by: 'sender', quoters: makers },
  { winner: 'maker_b', by: 'sender_custodian', quoters: makers },
  { winner: 'maker_c', by: 'sender', quoters: makers },
  { winner: 'maker_a', by: 'sender_custodian', quoters: makers },
  { winner: 'maker_b', by: 'sender', quoters: ['maker_b', 'maker_a'] },
  { winner: 'maker_b', by: 'sender_custodian', quoters: ['maker_b', 'maker_a'] },
).map<Check>(({ winner, by, quoters }) => {
  const all = quoters === makers;
  return {
    id: all ? `event.selection.${winner}.${by}` : `event.uninvolved.${by}`,
    title: all
      ? `When ${by} selects the quote of ${winner} out of three, the winner and both losers get their events, of that order alone.`
      : `A maker that has not quoted gets no event of the selection that ${by} makes nor of the settlement.`,
    requirements: all
      ? [...selection, ...(by === 'sender_custodian' ? byCustodian : [])]
      : uninvolved,
    needs: needsOf(waits.settlement + eventLatencyMs, 'sender', by, ...makers),
    async run(t) {
      const open = await createOrder(t);
      const order = await createOrder(t);
      const quotes = new Map<CastName, PlacedQuote>();
      for (const maker of quoters) {
        await quote(t, maker, open);
        quotes.set(maker, await quote(t, maker, order, { rate: rates[maker] }));
      }
      const won = quotes.get(winner);
      if (won) await accept(t, order, won, by);
      await awaitEndAndEvents(t, order);
    },
  };
});

const expired: Check = {
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
};

export const makerEventChecks: readonly Check[] = [...selections, expired];
