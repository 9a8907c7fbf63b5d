import { median } from './row.ts';
import { random } from '../src/runtime/random.ts';
import { virtualClock } from '../src/runtime/virtual-clock.ts';
import {
  buildServer,
  createWorld,
  standardOperator,
  standardParties,
} from '../src/server/index.ts';
import { formatTimestamp } from '../src/spec/forms.ts';
import { referenceAnswers } from '../src/spec/gaps/index.ts';

/** Create, three quotes, accept, settle, through inject, with a stream of every party open and read. */
/** What the process tells its parent. */
export interface Lives {
  readonly perSecond: number;
  readonly events: number;
}

async function lives(): Promise<Lives> {
  const clock = virtualClock(Date.UTC(2026, 0, 5, 9));
  const drawn = random(2n, 'bench');
  const parties = standardParties(drawn);
  const operator = standardOperator(drawn);
  const world = createWorld({
    clock,
    random: drawn,
    assignment: referenceAnswers,
    parties,
    operator,
  });
  const server = buildServer(world);
  const tokens = new Map<string, string>();
  const call = async (name: string, method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await server.app.inject({
      method,
      url: `${server.site(name).basePath}${path}`,
      headers: {
        authorization: `Bearer ${tokens.get(name) ?? ''}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    if (answer.statusCode >= 300) throw new Error(answer.body);
    return JSON.parse(answer.body).data;
  };
  let frames = 0;
  for (const { name, role } of parties) {
    tokens.set(name, (await call(name, 'POST', '/auth/token')).token);
    const path = role === 'market-maker' ? '/api/v1/events' : '/api/v1/orders/events';
    const stream = await server.app.inject({
      url: `${server.site(name).basePath}${path}`,
      headers: { authorization: `Bearer ${tokens.get(name) ?? ''}` },
      payloadAsStream: true,
    });
    stream.stream().on('data', (chunk: Buffer) => {
      if (!chunk.includes('event: heartbeat')) frames += 1;
    });
  }
  const idOf = (name: string): string => server.site(name).party.partyId;
  let contracts = 0;
  const makers = ['maker_a', 'maker_b', 'maker_c'];
  const life = async (): Promise<string> => {
    const { intent_id } = await call('sender', 'POST', '/api/v1/orders', {
      sender_custodian_party_id: idOf('sender_custodian'),
      intent_signature: 'ab12',
      receiver_party_id: idOf('outsider'),
      receiver_custodian_party_id: idOf('receiver_custodian'),
      source_contract_id: `00ff#${(contracts += 1)}`,
      source_currency: 'USD',
      target_amount: '10.00',
      target_currency: 'EUR',
      source_amount_max: '12.00',
      memo: 'bench',
    });
    const quote = {
      fx_rate: '0.9',
      target_amount: '10.00',
      valid_until: formatTimestamp(clock.now() + 30_000),
    };
    const path = `/api/v1/quote-requests/${intent_id}/quotes`;
    const quotes = await Promise.all(makers.map((maker) => call(maker, 'POST', path, quote)));
    const chosen = quotes[1].quote_id;
    await call('sender', 'POST', `/api/v1/orders/${intent_id}/quotes/${chosen}/accept`);
    return intent_id;
  };
  const batch = async (size: number): Promise<void> => {
    const ids = await Promise.all(Array.from({ length: size }, life));
    clock.advanceTo(clock.now() + 4000);
    const last = await call('sender', 'GET', `/api/v1/orders/${ids.at(-1)}`);
    if (last.status !== 'SETTLED') throw new Error(`the order is ${last.status}`);
  };
  for (let n = 0; n < 20; n += 1) await batch(20);
  const rates: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    frames = 0;
    const before = process.cpuUsage();
    for (let n = 0; n < 20; n += 1) await batch(20);
    const { user, system } = process.cpuUsage(before);
    rates.push(400 / ((user + system) / 1e6));
  }
  const perLife = frames / 400;
  await server.close();
  return { perSecond: median(rates), events: perLife };
}

process.send?.(await lives());
process.disconnect();
