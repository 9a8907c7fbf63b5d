import type { Check } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  paramsOf,
  type PlacedQuote,
  quote,
  untilExpired,
} from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { needsOf, expiryLagMs, waits } from '../shared/waits.ts';
import { awaitEndAndEvents, awaitEvents, eventLatencyMs } from '../shared/streams.ts';
import { rows } from '../shared/check-table.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

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

/** 6: makers learn that a request has expired: those that quoted it or those that did not, and none too early. */
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
