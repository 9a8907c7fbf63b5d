// Endpoints of the backend, and the roles that may call them.
import { parse, sourceFor } from './decimals.js';
import { requestView, settlementView } from './market.js';

/** An answer that says no. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const orderStatuses = ['PENDING', 'QUOTED', 'EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'];
const quoteStatuses = ['PENDING', 'ACCEPTED', 'REJECTED', 'EXPIRED'];
const sender = ['institution'];
const orderSide = ['institution', 'custodian'];
const maker = ['market-maker'];
const everyone = [...orderSide, ...maker];

const newestFirst = (map) => [...map.values()].toReversed();

function withStatus(items, query, known) {
  const status = query.get('status');
  if (status === null) return items;
  if (!known.includes(status)) throw new Refusal(400, 'there is no such status');
  return items.filter((one) => one.status === status);
}

function orderOf({ market, party, ids: [id] }) {
  const order = market.orders.get(id);
  const isMine = order && (party.role === 'market-maker' || market.sideOf(order).includes(party));
  if (!isMine) throw new Refusal(404, 'there is no such order');
  return order;
}

/** The same, for who may decide on it: not the custodian of the receiver, who only reads. */
function decidableOrderOf(request) {
  const order = orderOf(request);
  const { id } = request.party;
  if (id === order.sender_party_id || id === order.sender_custodian_party_id) return order;
  throw new Refusal(403, 'only the sender and its custodian decide');
}

const texts = {
  sender_custodian_party_id: /^[^:]+::[0-9a-f]+$/i,
  receiver_party_id: /^[^:]+::[0-9a-f]+$/i,
  receiver_custodian_party_id: /^[^:]+::[0-9a-f]+$/i,
  intent_signature: /^[0-9a-f]+$/i,
  source_contract_id: /^[0-9a-f]+#\d+$/i,
  source_currency: /^[A-Z]{3}$/,
  target_currency: /^[A-Z]{3}$/,
};

function createOrder({ market, party, body }) {
  if (typeof body !== 'object' || body === null) throw new Refusal(400, 'an order is needed');
  const { target_amount, source_amount_max, memo } = body;
  for (const [name, form] of Object.entries(texts)) {
    if (typeof body[name] !== 'string' || !form.test(body[name])) {
      throw new Refusal(400, `${name} is not as it must be`);
    }
  }
  if (!parse(target_amount) || !parse(source_amount_max)) throw new Refusal(400, 'no such amount');
  if (memo !== undefined && typeof memo !== 'string') throw new Refusal(400, 'memo is a text');
  const wanted = Object.keys(texts).map((name) => [name, body[name]]);
  return market.create(party, {
    ...Object.fromEntries(wanted),
    target_amount,
    source_amount_max,
    ...(memo !== undefined && { memo }),
  });
}

function submitQuote(request) {
  const { market, party, body } = request;
  const order = orderOf(request);
  const { fx_rate, target_amount, valid_until } = body ?? {};
  if (!parse(fx_rate)) throw new Refusal(400, 'fx_rate is no rate');
  if (parse(target_amount) !== parse(order.target_amount))
    throw new Refusal(400, 'not that amount');
  const until = typeof valid_until === 'string' ? Date.parse(valid_until) : Number.NaN;
  if (!(until > Date.now())) throw new Refusal(400, 'valid_until is no moment to come');
  if (order.status !== 'PENDING') throw new Refusal(409, 'it takes no quotes any more');
  const source_amount = sourceFor(target_amount, fx_rate);
  const terms = {
    fx_rate,
    target_amount,
    valid_until: new Date(until).toISOString(),
    source_amount,
  };
  return market.submit(party, order, terms);
}

function acceptQuote(request) {
  const { market, ids } = request;
  const order = decidableOrderOf(request);
  const quote = market.quotes.get(ids[1]);
  if (quote?.intent_id !== order.intent_id) throw new Refusal(404, 'there is no such quote');
  if (order.status !== 'PENDING') throw new Refusal(409, `the order is ${order.status}`);
  if (quote.status !== 'PENDING' || Date.parse(quote.valid_until) <= Date.now()) {
    throw new Refusal(409, 'the quote is not valid any more');
  }
  if (parse(quote.source_amount) > parse(order.source_amount_max)) {
    throw new Refusal(409, 'it costs more than the most that is to be paid');
  }
  return market.accept(order, quote);
}

function cancelOrder(request) {
  const order = orderOf(request);
  if (order.status !== 'PENDING' && order.status !== 'QUOTED') {
    throw new Refusal(409, `the order is ${order.status}`);
  }
  request.market.cancel(order);
  return order;
}

/** Accepting a proposal changes nothing here; it only says that the custodian agrees. */
function acceptProposal(request) {
  const order = decidableOrderOf(request);
  if (order.status !== 'PENDING') throw new Refusal(409, `the order is ${order.status}`);
  return order;
}

const ownOrders = ({ market, party }) =>
  newestFirst(market.orders).filter((order) => market.sideOf(order).includes(party));
const ownQuotes = ({ market, party }) =>
  newestFirst(market.quotes).filter((quote) => quote.market_maker_party_id === party.id);
const wonBy = ({ market, party }) =>
  newestFirst(market.orders).filter(
    (order) => order.status === 'SETTLED' && order.market_maker_party_id === party.id,
  );

function requestOf(request) {
  const order = orderOf(request);
  if (order.status !== 'PENDING') throw new Refusal(404, 'there is no such request');
  return requestView(order);
}

function settlementOf(request) {
  const order = wonBy(request).find((one) => one.intent_id === request.ids[0]);
  if (!order) throw new Refusal(404, 'there is no such settlement');
  return settlementView(order);
}

const identity = ({ party }) => ({
  party_id: party.id,
  operator_party_id: 'Operator::00',
  role: party.role,
  participant_id: '',
  schema_version: 'v2',
});

const id = '([^/]+)';
const base = '/api/v1';
const orders = `${base}/orders`;
const requests = `${base}/quote-requests`;

/** Method, path, who may ask, what happens; the status where it is not 200. */
const endpoints = [
  ['GET', `${base}/whoami`, everyone, identity],
  ['GET', `${base}/dashboard/stats`, everyone, ({ market }) => ({ orders: market.orders.size })],
  ['POST', orders, sender, createOrder, 201],
  ['GET', orders, orderSide, (one) => withStatus(ownOrders(one), one.query, orderStatuses)],
  ['GET', `${orders}/${id}`, orderSide, orderOf],
  ['POST', `${orders}/${id}/cancel`, sender, cancelOrder],
  ['POST', `${orders}/${id}/accept`, ['custodian'], acceptProposal],
  ['GET', `${orders}/${id}/quotes`, orderSide, (one) => one.market.quotesOn(orderOf(one))],
  ['POST', `${orders}/${id}/quotes/${id}/accept`, orderSide, acceptQuote],
  [
    'GET',
    requests,
    maker,
    ({ market }) =>
      newestFirst(market.orders)
        .filter(({ status }) => status === 'PENDING')
        .map(requestView),
  ],
  ['GET', `${requests}/${id}`, maker, requestOf],
  ['POST', `${requests}/${id}/quotes`, maker, submitQuote, 201],
  [
    'GET',
    `${requests}/${id}/quotes`,
    maker,
    (one) => ownQuotes(one).filter(({ intent_id }) => intent_id === orderOf(one).intent_id),
  ],
  ['GET', `${base}/quotes`, maker, (one) => withStatus(ownQuotes(one), one.query, quoteStatuses)],
  ['GET', `${base}/settlements`, maker, (one) => wonBy(one).map(settlementView)],
  ['GET', `${base}/settlements/${id}`, maker, settlementOf],
].map(([method, path, roles, run, status]) => ({
  method,
  form: new RegExp(`^${path}$`),
  roles,
  run,
  status,
}));

/** The endpoint of an address, with the ids in it. */
export function endpointFor(method, path) {
  for (const one of endpoints) {
    const found = one.method === method && one.form.exec(path);
    if (found) return { ...one, ids: found.slice(1) };
  }
  return undefined;
}
