import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { referenceAnswers } from '../spec/gaps/index.ts';
import { referenceCockpit } from './cockpit.ts';
import { type CockpitServer, serveCockpit } from './server.ts';
import type { Session } from './session.ts';

let session: Session;
let server: CockpitServer;
beforeAll(async () => {
  session = await referenceCockpit({
    seed: 7n,
    assignment: referenceAnswers,
    openers: {
      library: { folder: '.', names: [] },
      cwd: '.',
      tamperOf: () => ({}),
      readLibrary: () => undefined,
    },
  });
  server = await serveCockpit({
    session,
    page: '<p>the page</p>',
    token: 'secret',
    host: '127.0.0.1',
    port: 0,
  });
});
afterAll(async () => {
  await server.close();
  await session.close();
});

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As any program may ask, a browser's own restrictions aside. */
const ask = ({ path, method = 'GET', headers = {}, body }: Asked) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const asked = request(new URL(path, server.url), { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });

const token = { 'x-assay-token': 'secret' };
const advance = { path: '/do', method: 'POST', body: JSON.stringify({ do: 'advance', ms: 1_000 }) };
const json = { 'content-type': 'application/json' };

it('serves the page at the address with its token', async () => {
  const { status, text } = await ask({ path: new URL(server.url).search });
  expect([status, text]).toEqual([200, '<p>the page</p>']);
});

it.each([
  ['without the token', {}],
  ['with another token', { 'x-assay-token': 'guess' }],
  ['from another site', { ...token, origin: 'http://evil.example' }],
  ['from another site, as browsers say it', { ...token, 'sec-fetch-site': 'cross-site' }],
  ['under another name', { ...token, host: 'rebound.example' }],
])('does nothing %s', async (_, headers) => {
  const before = session.state().now;
  const { status } = await ask({ ...advance, headers: { ...json, ...headers } });
  expect(status).toBe(403);
  expect(session.state().now).toBe(before);
});

it('does what its own page asks for', async () => {
  const before = session.state().now;
  const { origin } = new URL(server.url);
  const answer = await ask({ ...advance, headers: { ...json, ...token, origin } });
  expect(JSON.parse(answer.text)).toMatchObject({ ok: true });
  expect(session.state().now).toBe(before + 1_000);
});

it('refuses what is no verb', async () => {
  const answer = await ask({ ...advance, headers: { ...json, ...token }, body: '[]' });
  expect(JSON.parse(answer.text)).toMatchObject({ ok: false });
});

it('gives a record whole, without its tokens', async () => {
  const place = session.rows.findIndex(({ what }) => what === 'token.create');
  const { text } = await ask({ path: `/records/${place}`, headers: token });
  expect(text).toContain('token.create');
  expect(text).toMatch(/"token":"\*{3}\d+"/);
  expect(text).toContain('"claims":{');
  expect((await ask({ path: '/records/99999', headers: token })).status).toBe(404);
});

it('tells a page all there is, and then what changes', async () => {
  const told = await new Promise<string>((resolve, reject) => {
    const asked = request(new URL('/events?token=secret', server.url), (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
        if (text.includes('"type":"state"')) void session.do({ do: 'advance', ms: 30_000 });
        if (!text.includes('"what":"heartbeat"')) return;
        asked.destroy();
        resolve(text);
      });
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') reject(error);
    });
    asked.end();
  });
  expect(told.indexOf('"type":"hello"')).toBeLessThan(told.indexOf('"type":"rows"'));
  expect(told.indexOf('"type":"rows"')).toBeLessThan(told.indexOf('"type":"state"'));
});
