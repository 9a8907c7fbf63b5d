// A small backend of the interface, to try assay on: five parties on one port, everything in memory, nothing to install.
//
//   node server.js [--port 9100] [--bug rate-as-number]
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { bearerOf, tokenFor, verifiedClaims } from './tokens.js';
import { endpointFor, Refusal } from './endpoints.js';
import { openStream } from './events.js';
import { createMarket } from './market.js';

const { values: flags } = parseArgs({
  options: { port: { type: 'string', default: '9100' }, bug: { type: 'string' } },
});

/** Parties by the first segment of their path. */
const parties = new Map(
  [
    ['bank-a', 'institution', 'BankA::01'],
    ['bank-b', 'institution', 'BankB::02'],
    ['custodian-a', 'custodian', 'CustodianA::03'],
    ['mm-1', 'market-maker', 'MakerOne::04'],
    ['mm-2', 'market-maker', 'MakerTwo::05'],
  ].map(([path, role, id]) => [path, { role, id, streams: new Set() }]),
);
const market = createMarket([...parties.values()]);

let requests = 0;
function send(response, status, body, page) {
  requests += 1;
  const meta = { request_id: `req-${requests}`, timestamp: new Date().toISOString() };
  const whole = { ...body, meta, ...(page && { pagination: page }) };
  response.writeHead(status, { 'content-type': 'application/json' });
  // The bug to find: a rate that is a number in JSON, as a serializer makes it that is not told otherwise.
  const asWritten =
    flags.bug === 'rate-as-number'
      ? (key, value) => (key === 'fx_rate' ? Number(value) : value)
      : undefined;
  response.end(JSON.stringify(whole, asWritten));
}

async function bodyOf(request) {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) {
    text += piece;
    if (text.length > 100_000) throw new Refusal(413, 'the body is too large');
  }
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the body is no JSON');
  }
}

/** Items of one page: `page` from 1, `page_size` up to 100. */
function pageOf(items, query) {
  const whole = (name, usual) => {
    const text = query.get(name);
    if (text === null) return usual;
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new Refusal(400, `${name} is no number above zero`);
    return Number(text);
  };
  const page = whole('page', 1);
  const size = Math.min(whole('page_size', 20), 100);
  return {
    data: items.slice((page - 1) * size, page * size),
    page: {
      page,
      page_size: size,
      total_items: items.length,
      total_pages: Math.ceil(items.length / size),
    },
  };
}

async function handle(request, response) {
  const url = new URL(request.url, 'http://localhost');
  const [, name, ...rest] = url.pathname.split('/');
  const party = parties.get(name);
  const path = `/${rest.join('/')}`;
  const route = `${request.method} ${path}`;
  if (!party) throw new Refusal(404, 'nobody is here');
  if (route === 'GET /health') return send(response, 200, { data: { status: 'ok' } });
  if (route === 'POST /auth/token') {
    const data = { ...tokenFor(party), canton_party_id: party.id, role: party.role };
    return send(response, 200, { data });
  }
  const claims = verifiedClaims(bearerOf(request));
  if (claims?.sub !== party.id) throw new Refusal(401, 'a token of this backend is needed');
  const streamPath = party.role === 'market-maker' ? '/api/v1/events' : '/api/v1/orders/events';
  if (route === `GET ${streamPath}`) {
    return openStream(party, response, url.searchParams.get('intent_id'));
  }
  const found = endpointFor(request.method, path);
  if (!found) throw new Refusal(404, 'there is no such address');
  if (!found.roles.includes(party.role)) throw new Refusal(403, `not for a ${party.role}`);
  const body = await bodyOf(request);
  const query = url.searchParams;
  const result = found.run({ market, party, query, body, ids: found.ids });
  if (!Array.isArray(result)) return send(response, found.status ?? 200, { data: result });
  const { data, page } = pageOf(result, query);
  return send(response, 200, { data }, page);
}

const server = createServer((request, response) => {
  handle(request, response).catch((error) => {
    const status = error instanceof Refusal ? error.status : 500;
    if (status === 500) console.error(error);
    send(response, status, { error: { message: status === 500 ? 'a fault' : error.message } });
  });
});
server.listen(Number(flags.port), '127.0.0.1', () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  console.log([...parties].map(([name, { role }]) => `${role}  ${base}/${name}`).join('\n'));
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
