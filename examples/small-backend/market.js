// Orders and quotes in memory, and what happens to them as time passes.
import { randomBytes, randomUUID } from 'node:crypto';
import { tell } from './events.js';

const orderLivesMs = 60_000;
/** After an acceptance: until settlement starts, and until it is done. */
const executesMs = 500;
const settlesMs = 4_000;
/** Longest delay of a timer. */
const longestMs = 2 ** 31 - 1;

const now = () => new Date().toISOString();

export function createMarket(parties) {
  const orders = new Map();
  const quotes = new Map();
  const byId = (id) => parties.filter((party) => party.id === id);
  const makers = parties.filter(({ role }) => role === 'market-maker');
  const quotesOn = (order) =>
    [...quotes.values()].filter((one) => one.intent_id === order.intent_id);

  /** The sender and the custodians of an order. */
  const sideOf = (order) =>
    parties.filter(({ id }) =>
      [
        order.sender_party_id,
        order.sender_custodian_party_id,
        order.receiver_custodian_party_id,
      ].includes(id),
    );
  const at = (moment, act) =>
    setTimeout(act, Math.min(Math.max(0, Date.parse(moment) - Date.now()), longestMs)).unref();
  const after = (ms, act) => setTimeout(act, ms).unref();

  function become(order, status, more = {}) {
    Object.assign(order, { status, ...more });
    tell(sideOf(order), 'order_updated', order);
  }

  function create(sender, body) {
    const created_at = now();
    const order = {
      intent_id: randomUUID(),
      status: 'PENDING',
      sender_party_id: sender.id,
      ...body,
      created_at,
      expires_at: new Date(Date.parse(created_at) + orderLivesMs).toISOString(),
    };
    orders.set(order.intent_id, order);
    tell(makers, 'quote_request_new', requestView(order));
    at(order.expires_at, () => {
      if (order.status !== 'PENDING') return;
      const reason = quotesOn(order).length === 0 ? { failure_reason: 'NO_QUOTE' } : {};
      become(order, 'EXPIRED', reason);
      tell(makers, 'quote_request_expired', requestView(order));
    });
    return order;
  }

  function submit(maker, order, { fx_rate, target_amount, valid_until, source_amount }) {
    const quote = {
      quote_id: randomUUID(),
      intent_id: order.intent_id,
      market_maker_party_id: maker.id,
      fx_rate,
      source_amount,
      target_amount,
      submitted_at: now(),
      valid_until,
      status: 'PENDING',
    };
    quotes.set(quote.quote_id, quote);
    const side = [...byId(order.sender_party_id), ...byId(order.sender_custodian_party_id)];
    tell(side, 'quote_received', quote);
    at(valid_until, () => {
      if (quote.status === 'PENDING') quote.status = 'EXPIRED';
      if (order.status === 'QUOTED' && order.quote_id === quote.quote_id) become(order, 'EXPIRED');
    });
    return quote;
  }

  function accept(order, quote) {
    quote.status = 'ACCEPTED';
    for (const rival of quotesOn(order)) {
      if (rival.status !== 'PENDING') continue;
      rival.status = 'REJECTED';
      tell(byId(rival.market_maker_party_id), 'quote_rejected', {
        intent_id: order.intent_id,
        quote_id: rival.quote_id,
      });
    }
    become(order, 'QUOTED', {
      quote_id: quote.quote_id,
      market_maker_party_id: quote.market_maker_party_id,
      fx_rate: quote.fx_rate,
      source_amount_actual: quote.source_amount,
      quote_accepted_at: now(),
    });
    tell(byId(quote.market_maker_party_id), 'quote_accepted', {
      intent_id: order.intent_id,
      quote_id: quote.quote_id,
      fx_rate: quote.fx_rate,
    });
    after(executesMs, () => {
      if (order.status === 'QUOTED') become(order, 'EXECUTING');
    });
    after(settlesMs, () => {
      if (order.status !== 'EXECUTING') return;
      become(order, 'SETTLED', {
        transaction_hash: randomBytes(32).toString('hex'),
        settled_at: now(),
      });
      tell(byId(quote.market_maker_party_id), 'settlement_completed', settlementView(order));
    });
    return order;
  }

  return {
    orders,
    quotes,
    quotesOn,
    sideOf,
    create,
    submit,
    accept,
    cancel: (order) => become(order, 'FAILED', { failure_reason: 'USER_CANCELLED' }),
  };
}

/** An order as every market maker may see it: without the parties. */
export const requestView = ({
  intent_id,
  created_at,
  expires_at,
  source_currency,
  target_amount,
  target_currency,
}) => ({
  intent_id,
  created_at,
  expires_at,
  source_currency,
  target_amount,
  target_currency,
});

/** A settled order as the market maker that won it sees it. */
export const settlementView = (order) => ({
  intent_id: order.intent_id,
  source_currency: order.source_currency,
  target_currency: order.target_currency,
  target_amount: order.target_amount,
  source_amount_actual: order.source_amount_actual,
  fx_rate: order.fx_rate,
  quote_id: order.quote_id,
  mm_quoted_source_amount: order.source_amount_actual,
  mm_delivered_target_amount: order.target_amount,
  transaction_hash: order.transaction_hash,
  settled_at: order.settled_at,
});
