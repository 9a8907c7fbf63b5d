import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';
import { random } from '../src/random/random.ts';
import { virtualClock } from '../src/timeline/clock/virtual-clock.ts';
import {
  buildServer,
  createWorld,
  standardOperator,
  standardParties,
} from '../src/reference/http/index.ts';
import { formatTimestamp } from '../src/spec/forms.ts';
import { referenceAnswers } from '../src/spec/gaps/index.ts';

/** One comparison: the same request to the reference and to a bare route that answers with the same bytes. */
export interface Case {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly paths: readonly string[];
  readonly token: string;
  readonly body?: string;
}

export interface Ready {
  readonly reference: number;
  readonly bare: number;
  readonly cases: readonly Case[];
}

/** Both backends in one process of their own, so that its CPU time is theirs and not the client's. */
async function main(): Promise<void> {
  const clock = virtualClock(Date.UTC(2026, 0, 5, 9));
  const drawn = random(1n, 'bench');
  const parties = standardParties(drawn);
  const world = createWorld({
    clock,
    random: drawn,
    assignment: referenceAnswers,
    parties,
    operator: standardOperator(drawn),
  });
  const server = buildServer(world, { layout: 'prefix' });
  const of = (name: string) => server.site(name);
  const inject = async (name: string, method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await server.app.inject({
      method,
      url: `${of(name).basePath}${path}`,
      headers: { authorization: `Bearer ${tokens.get(name) ?? ''}` },
      ...(body && { payload: body }),
    });
    if (answer.statusCode >= 300) throw new Error(answer.body);
    return answer;
  };
  const tokens = new Map<string, string>();
  for (const name of ['sender', 'maker_a'])
    tokens.set(name, (await inject(name, 'POST', '/auth/token')).json().data.token);

  const orders: string[] = [];
  for (let n = 0; n < 200; n += 1) {
    const created = await inject('sender', 'POST', '/api/v1/orders', {
      sender_custodian_party_id: of('sender_custodian').party.partyId,
      intent_signature: 'ab12',
      receiver_party_id: of('outsider').party.partyId,
      receiver_custodian_party_id: of('receiver_custodian').party.partyId,
      source_contract_id: `00ff#${n}`,
      source_currency: 'USD',
      target_amount: '1000.00',
      target_currency: 'EUR',
      source_amount_max: '1200.00',
      memo: 'bench',
    });
    orders.push(created.json().data.intent_id);
  }
  const quote = {
    fx_rate: '0.9',
    target_amount: '1000.00',
    valid_until: formatTimestamp(clock.now() + 50_000),
  };
  const read = await inject('sender', 'GET', `/api/v1/orders/${orders[0]}`);
  const page = await inject('sender', 'GET', '/api/v1/orders?page_size=20');
  const quoted = await inject(
    'maker_a',
    'POST',
    `/api/v1/quote-requests/${orders[0]}/quotes`,
    quote,
  );

  const type = 'application/json; charset=utf-8';
  const bare = fastify();
  bare.get('/bank-a/api/v1/orders/:intent_id', (_, reply) => reply.type(type).send(read.body));
  bare.get('/bank-a/api/v1/orders', (_, reply) => reply.type(type).send(page.body));
  bare.post('/mm-1/api/v1/quote-requests/:intent_id/quotes', (_, reply) =>
    reply.code(201).type(type).send(quoted.body),
  );
  await bare.listen({ port: 0, host: '127.0.0.1' });
  await server.serve({ port: 0 });

  const sender = tokens.get('sender') ?? '';
  const cases: Case[] = [
    {
      name: 'authenticated GET of an order',
      method: 'GET',
      paths: orders.map((id) => `/bank-a/api/v1/orders/${id}`),
      token: sender,
    },
    {
      name: 'quote submission',
      method: 'POST',
      paths: orders.map((id) => `/mm-1/api/v1/quote-requests/${id}/quotes`),
      token: tokens.get('maker_a') ?? '',
      body: JSON.stringify(quote),
    },
    {
      name: 'page of 20 orders',
      method: 'GET',
      paths: ['/bank-a/api/v1/orders?page_size=20'],
      token: sender,
    },
  ];
  const portOf = (app: typeof bare): number => (app.server.address() as AddressInfo).port;
  const ready: Ready = { reference: portOf(server.app as typeof bare), bare: portOf(bare), cases };
  // The driver asks for the CPU time so far between batches.
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.(ready);
}

await main();
