import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  type Fields,
  retryWhileRefused,
  isRefusal,
  orderBody,
  paramsOf,
  quoteBody,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';

const longAgo = '2001-01-01T00:00:00.000Z';

/** Fields of an order that only the service sets (2.2). A body may ask for a lifetime. */
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

/** Ends the check if a body with unknown fields is refused, which is admissible (gap `order.unknown_fields`). */
function outOfScopeIfRefused(t: CheckContext, exchange: Exchange): void {
  if (isRefusal(exchange)) t.outOfScope('a body with more than its fields is refused here');
}

/** 2.2: the creator of an order cannot set the fields that the service assigns. */
const ofOrders: Check = {
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
    const body = { ...orderBody(t), ...orderFields(t) };
    outOfScopeIfRefused(t, await t.party('sender').call('order.create', { body }));
  },
};

/** 2.3: the maker of a quote cannot set the fields that the service assigns. */
const ofQuotes: Check = {
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
    const maker = t.party('maker_a');
    const params = paramsOf(order);
    const body = { ...quoteBody(t, order), ...quoteFields(t) };
    // Waits for the request first, so that a refusal is about the body.
    await retryWhileRefused(t, () => maker.call('rfq.read', { params }));
    outOfScopeIfRefused(t, await maker.call('quote.submit', { params, body }));
    await quotesOf(t, order);
  },
};

/** Bodies with fields in them that are not their sender's to set. */
export const serviceAssignedChecks: readonly Check[] = [ofOrders, ofQuotes];
