import { setImmediate } from 'node:timers/promises';
import { median } from './row.ts';
import { random } from '../src/random/random.ts';
import { virtualClock } from '../src/timeline/clock/virtual-clock.ts';
import {
  buildServer,
  createWorld,
  standardOperator,
  standardParties,
} from '../src/reference/http/index.ts';
import { answerInProcess } from '../src/target/embedded/in-process-transport.ts';
import { formatTimestamp } from '../src/spec/forms.ts';
import { referenceAnswers } from '../src/spec/gaps/index.ts';

/** What the process tells its parent. */
export interface Lives {
  readonly perSecond: number;
  readonly events: number;
}

/** How requests reach the application: through our own injector, as those of a run in process do, or Fastify's. */
type Way = 'ours' | 'fastify';

/** Create, three quotes, accept, settle, in process, with a stream of every party open and read. */
async function lives(way: Way): Promise<Lives> {
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
  await server.app.ready();
  const tokens = new Map<string, string>();
  const call = async (name: string, method: 'GET' | 'POST', path: string, body?: object) => {
    const request = {
      method,
      url: `${server.site(name).basePath}${path}`,
      headers: {
        authorization: `Bearer ${tokens.get(name) ?? ''}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    };
    const answer = await (way === 'ours'
      ? answerInProcess(server.app, request)
      : server.app.inject(request));
    const text = Buffer.from(answer.rawPayload).toString();
    if (answer.statusCode >= 300) throw new Error(text);
    return JSON.parse(text).data;
  };
  let frames = 0;
  for (const { name, role } of parties) {
    tokens.set(name, (await call(name, 'POST', '/auth/token')).token);
    const path = role === 'market-maker' ? '/api/v1/events' : '/api/v1/orders/events';
    const request = {
      method: 'GET',
      url: `${server.site(name).basePath}${path}`,
      headers: { authorization: `Bearer ${tokens.get(name) ?? ''}` },
      payloadAsStream: true,
    } as const;
    const answer = await (way === 'ours'
      ? answerInProcess(server.app, request)
      : server.app.inject(request));
    answer.stream().on('data', (chunk: Buffer) => {
      for (const [, event] of chunk.toString().matchAll(/^event: (\w+)$/gm))
        if (event !== 'heartbeat') frames += 1;
    });
  }
  // A stream flows from the next tick on, which no promise makes room for.
  await setImmediate();
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

process.send?.(await lives(process.argv[2] as Way));
process.disconnect();
