import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  type Fields,
  fieldsOf,
  retryWhileRefused,
  isRefusal,
  orderBody,
  paramsOf,
  quoteBody,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { acceptanceFields } from '../../../src/spec/requirements/index.ts';
import { isSet } from '../../shared/order-fields.ts';

const longAgo = '2001-01-01T00:00:00.000Z';

/** Fields of an order that are set by the service and by nobody else (2.2); how long it lives may be asked for. */
const orderFields = ({ random }: CheckContext): Fields => ({
  intent_id: random.uuid(),
  status: 'SETTLED',
  sender_party_id: `Somebody::${random.hex(40)}`,
  created_at: longAgo,
  quote_id: random.uuid(),
  market_maker_party_id: `Maker::${random.hex(40)}`,
  fx_rate: '9',
  source_amount_actual: '0.01',
  quote_accepted_at: longAgo,
  transaction_hash: random.hex(64),
  settled_at: longAgo,
});

/** Fields of a quote that are set by the service (2.3). */
const quoteFields = ({ random }: CheckContext): Fields => ({
  quote_id: random.uuid(),
  status: 'ACCEPTED',
  market_maker_party_id: `Maker::${random.hex(40)}`,
  submitted_at: longAgo,
});

/** Whether fields that are not of a body are passed over is open (gap `order.unknown_fields`): they may be refused. */
function taken(t: CheckContext, exchange: Exchange): boolean {
  if (isRefusal(exchange)) t.outOfScope('a body with more than its fields is refused here');
  return succeeded(exchange);
}

const ofOrders = defineCheck({
  id: 'order.create.service-assigns',
  title: 'What the service sets of an order cannot be set by whoever creates it.',
  requirements: [
    'order.create.returns-pending',
    'order.create.assigns-intent-id',
    'order.sender-party-id.is-creator',
    'order.quote-id.not-before-acceptance',
  ],
  needs: { parties: ['sender'] },
  async run(t) {
    const more = orderFields(t);
    const body = { ...orderBody(t), ...more };
    const exchange = await t.party('sender').call('order.create', { body });
    if (!taken(t, exchange)) return;
    const data = fieldsOf(exchange);
    const seen = [exchange];
    t.assert('order.create.assigns-intent-id', data['intent_id'] !== more['intent_id'], {
      message: 'An order got the intent_id that was sent with it.',
      actual: data['intent_id'],
      seen,
    });
    t.assert('order.create.returns-pending', data['status'] === 'PENDING', {
      message: 'An order got the status that was sent with it.',
      expected: 'PENDING',
      actual: data['status'],
      seen,
    });
    const { partyId } = t.party('sender');
    t.assert('order.sender-party-id.is-creator', data['sender_party_id'] === partyId, {
      message: 'An order got the sender that was sent with it.',
      expected: partyId,
      actual: data['sender_party_id'],
      seen,
    });
    const set = [...acceptanceFields, 'settled_at'].filter((name) => isSet(data, name));
    t.assert('order.quote-id.not-before-acceptance', set.length === 0, {
      message: `A new order showed ${set.join(', ')} as sent with it.`,
      actual: data,
      seen,
    });
  },
});

const ofQuotes = defineCheck({
  id: 'quote.submit.service-assigns',
  title: 'What the service sets of a quote cannot be set by whoever submits it.',
  requirements: [
    'quote.state.starts-pending',
    'quote.quote-id.unique',
    'quote.market-maker-party-id.is-submitter',
  ],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t);
    const more = quoteFields(t);
    const maker = t.party('maker_a');
    const body = { ...quoteBody(t, order), ...more };
    // Refused is the body, not a request that has yet to come to makers.
    await retryWhileRefused(t, () => maker.call('rfq.read', { params: paramsOf(order) }));
    const exchange = await maker.call('quote.submit', { params: paramsOf(order), body });
    if (!taken(t, exchange)) return;
    const data = fieldsOf(exchange);
    t.assert('quote.state.starts-pending', data['status'] === 'PENDING', {
      message: 'A quote got the status that was sent with it.',
      expected: 'PENDING',
      actual: data['status'],
      seen: [exchange],
    });
    t.assert('quote.quote-id.unique', data['quote_id'] !== more['quote_id'], {
      message: 'A quote got the quote_id that was sent with it, which may be that of another.',
      actual: data['quote_id'],
      seen: [exchange],
    });
    const listed = await quotesOf(t, order);
    const own = listed.items.find(
      (item) => textOf(item, 'quote_id')?.toLowerCase() === textOf(data, 'quote_id')?.toLowerCase(),
    );
    const shown = textOf(own, 'market_maker_party_id');
    if (shown === undefined) return;
    t.assert('quote.market-maker-party-id.is-submitter', shown === maker.partyId, {
      message: 'A quote got the market maker that was sent with it.',
      expected: maker.partyId,
      actual: shown,
      seen: [exchange, listed.exchange],
    });
  },
});

/** Bodies with fields in them that are not their sender's to set. */
export const serviceAssignedChecks: readonly Check[] = [ofOrders, ofQuotes];
