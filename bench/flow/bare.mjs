// The flow of ten-requests.yaml as the shortest script that still looks at every answer. Argument: the origin of a
// served reference.
const [origin] = process.argv.slice(2);
const sender = `${origin}/bank-a`;
const maker = `${origin}/mm-1`;

async function call(url, token, method = 'GET', body) {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).data;
}

function demand(holds, what) {
  if (!holds) throw new Error(what);
}

const ours = (await call(`${sender}/auth/token`, undefined, 'POST')).token;
const theirs = (await call(`${maker}/auth/token`, undefined, 'POST')).token;
const order = await call(`${sender}/api/v1/orders`, ours, 'POST', {
  sender_custodian_party_id: 'Custodian::12',
  intent_signature: 'ab',
  receiver_party_id: 'Receiver::12',
  receiver_custodian_party_id: 'Other::12',
  source_contract_id: '00ab#0',
  source_currency: 'USD',
  target_amount: '1000.00',
  target_currency: 'EUR',
  source_amount_max: '1200.00',
});
const own = `${sender}/api/v1/orders/${order.intent_id}`;
const request = `${maker}/api/v1/quote-requests/${order.intent_id}`;
demand((await call(request, theirs)).target_amount === order.target_amount, 'another amount');
const quote = await call(`${request}/quotes`, theirs, 'POST', {
  fx_rate: '1',
  target_amount: '1000.00',
  valid_until: new Date(Date.now() + 30_000).toISOString(),
});
demand((await call(`${own}/quotes`, ours)).length === 1, 'another number of quotes');
demand((await call(own, ours)).status === 'PENDING', 'not PENDING');
const accepted = await call(`${own}/quotes/${quote.quote_id}/accept`, ours, 'POST');
demand(accepted.status === 'QUOTED', 'not QUOTED');
const won = await call(`${maker}/api/v1/quotes?status=ACCEPTED`, theirs);
demand(
  won.some(({ quote_id: id }) => id === quote.quote_id),
  'not among the accepted',
);
demand((await call(own, ours)).quote_id === quote.quote_id, 'another quote');
