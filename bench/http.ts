import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
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
import type { Case, Ready } from './http-backends.ts';

export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the value should be: at most a ratio, at least a rate. */
  readonly aim: string;
}

const aims: Readonly<Record<string, string>> = {
  'authenticated GET of an order': '<= 1.3',
  'quote submission': '<= 2',
  'page of 20 orders': '<= 1.3',
};

/** Ratios of CPU time a request, and whole order lives a second. */
export async function benchHttp(): Promise<Row[]> {
  return [...(await ratios()), await lives()];
}

async function ratios(): Promise<Row[]> {
  const path = fileURLToPath(new URL('./http-backends.ts', import.meta.url));
  const child = fork(path, { execArgv: ['--import', 'tsx'] });
  const [ready] = (await once(child, 'message')) as [Ready];
  const reference = new Pool(`http://127.0.0.1:${ready.reference}`, { connections: 8 });
  const bare = new Pool(`http://127.0.0.1:${ready.bare}`, { connections: 8 });
  const rows: Row[] = [];
  for (const one of ready.cases) {
    // Interleaved, so that whatever else the machine does falls on both alike.
    const found: { ours: number; theirs: number }[] = [];
    for (let batch = 0; batch < 14; batch += 1) {
      const theirs = await cpuOf(child, bare, one);
      const ours = await cpuOf(child, reference, one);
      if (batch >= 4) found.push({ ours, theirs });
    }
    const value = median(found.map(({ ours, theirs }) => ours / theirs));
    const [us, them] = [median(found.map((f) => f.ours)), median(found.map((f) => f.theirs))];
    const unit = `x bare Fastify (${us.toFixed(1)} against ${them.toFixed(1)} µs of CPU)`;
    rows.push({ name: one.name, value, unit, aim: aims[one.name] ?? '' });
  }
  await Promise.all([reference.close(), bare.close()]);
  child.kill();
  return rows;
}

/** Microseconds of CPU that the backends' process spends on one request. */
async function cpuOf(child: ChildProcess, pool: Pool, one: Case): Promise<number> {
  const requests = 1500;
  let sent = 0;
  const before = await usage(child);
  const worker = async (): Promise<void> => {
    while (sent < requests) {
      const path = one.paths[(sent += 1) % one.paths.length] ?? '/';
      const answer = await pool.request({
        method: one.method,
        path,
        headers: {
          authorization: `Bearer ${one.token}`,
          ...(one.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(one.body !== undefined && { body: one.body }),
      });
      if (answer.statusCode >= 300) throw new Error(await answer.body.text());
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return ((await usage(child)) - before) / requests;
}

async function usage(child: ChildProcess): Promise<number> {
  child.send('usage');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Create, three quotes, accept, settle, through inject, with a stream of every party open and read. */
async function lives(): Promise<Row> {
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
    const before = performance.now();
    for (let n = 0; n < 20; n += 1) await batch(20);
    rates.push(400 / ((performance.now() - before) / 1000));
  }
  const perLife = frames / 400;
  await server.close();
  return {
    name: `whole order lives, ${perLife} events each`,
    value: median(rates),
    unit: 'a second',
    aim: '>= 1000',
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, value, unit, aim } of await benchHttp())
    console.log(`${name}: ${value.toFixed(2)} ${unit}, aim ${aim}`);
