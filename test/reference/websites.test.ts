import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type Server } from '../../src/reference/http/index.ts';
import { createReference, referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';

let server: Server;
let base = '';
beforeAll(async () => {
  const clock = virtualClock(referenceStartMs);
  server = buildServer(createReference({ clock, seed: 1n }));
  const addresses = await server.serve({ port: 0, allowedHosts: ['assay', 'localhost:5173'] });
  base = addresses[0]?.baseUrl ?? '';
});
afterAll(() => server.close());

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As any program may ask, and any page as its browser does. */
const ask = ({ path, method = 'GET', headers = {}, body }: Sent) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const asked = request(new URL(path, base), { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      // A stream would never end by itself.
      if (answer.headers['content-type'] === 'text/event-stream') asked.destroy();
    });
    asked.on('error', reject);
    asked.end(body);
  });

const json = { 'content-type': 'application/json' };
const evil = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
const now = (): number => server.world.now();
const sender = (): string => new URL(base).pathname;

const requests: readonly (readonly [string, () => Sent])[] = [
  ['the clock', () => ({ path: '/_sim/clock/advance', method: 'POST', body: '{"ms":1000}' })],
  [
    'all answers',
    () => ({ path: '/_sim/faults', method: 'POST', body: '{"party":"all","delay_ms":600000}' }),
  ],
  ['the time', () => ({ path: '/_sim/clock' })],
  ['a token', () => ({ path: `${sender()}/auth/token`, method: 'POST' })],
  ['an order', () => ({ path: `${sender()}/api/v1/orders`, method: 'POST', body: '{}' })],
  ['a stream', () => ({ path: `${sender()}/api/v1/orders/events` })],
  ['what there is not', () => ({ path: '/nothing' })],
];

describe('a page of another website', () => {
  it.each(requests)('gets nothing of %s', async (_, sent) => {
    const before = now();
    for (const headers of [
      { ...evil, 'content-type': 'text/plain' },
      { ...json, ...evil },
      // Through a name of its own that it has made to lead here.
      { ...json, host: 'evil.test', origin: 'http://evil.test', 'sec-fetch-site': 'same-origin' },
      { ...json, host: 'evil.test' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ]) {
      const { status, text } = await ask({ ...sent(), headers });
      expect([status, JSON.parse(text)]).toEqual([
        403,
        expect.objectContaining({ status: 403, title: 'Forbidden' }),
      ]);
    }
    expect(now()).toBe(before);
    const faults = await ask({ path: '/_sim/faults' });
    expect(faults.text).not.toContain('600000');
  });
});

describe('what is no website', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['a program', {}],
    ['a program that reaches it through a mapped port', { host: 'localhost:18080' }],
    ['a container that knows it by a name that is allowed', { host: 'assay:9000' }],
    ['a page that is allowed', { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }],
  ])('%s moves the clock and gets a token', async (_, headers) => {
    const before = now();
    const advance = { path: '/_sim/clock/advance', method: 'POST', body: '{"ms":1000}' };
    expect((await ask({ ...advance, headers: { ...json, ...headers } })).status).toBe(200);
    expect(now()).toBe(before + 1_000);
    const token = { path: `${sender()}/auth/token`, method: 'POST', headers };
    expect((await ask(token)).text).toContain('canton_party_id');
  });
});

describe('a body for a tester address', () => {
  const advance = { path: '/_sim/clock/advance', method: 'POST', body: '{"ms":1000}' };

  it.each([
    ['text/plain', 'as "text/plain"'],
    ['application/x-www-form-urlencoded', 'as "application/x-www-form-urlencoded"'],
    ['application/jsonp', 'as "application/jsonp"'],
    [undefined, 'without one'],
  ])('must be JSON: %s is none', async (type, how) => {
    const before = now();
    const headers = type === undefined ? {} : { 'content-type': type };
    const { status, text } = await ask({ ...advance, headers });
    expect([status, JSON.parse(text)]).toEqual([
      415,
      {
        status: 415,
        detail: `send the body as JSON, with the header content-type: application/json; it came ${how}`,
      },
    ]);
    expect(now()).toBe(before);
  });

  it('may name its charset', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await ask({ ...advance, headers })).status).toBe(200);
  });
});
