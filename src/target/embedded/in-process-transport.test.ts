import type { ServerResponse } from 'node:http';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { flushPending } from '../../timeline/event-loop.ts';
import { inProcessTransport } from './in-process-transport.ts';

async function serve() {
  const app = fastify();
  const streams: ServerResponse[] = [];
  const closed: string[] = [];
  app.post('/bank-a/echo', async (request, reply) => reply.code(201).send({ got: request.body }));
  app.get('/bank-a/gone', (request, reply) => {
    reply.hijack();
    reply.raw.destroy();
    void request;
  });
  app.get('/bank-a/events', (_, reply) => {
    reply.hijack();
    const { raw } = reply;
    streams.push(raw);
    raw.on('close', () => closed.push('reply'));
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    raw.write('data: 0\n\n');
  });
  await app.ready();
  return { transport: inProcessTransport(app, '/bank-a'), streams, closed, app };
}

test('a request is answered in process, under the base path', async () => {
  const { transport } = await serve();
  const answer = await transport.request({
    method: 'POST',
    path: '/echo',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(answer).toMatchObject({ kind: 'response', response: { status: 201 } });
  const bytes = answer.kind === 'response' ? answer.response.bytes : new Uint8Array();
  expect(Buffer.from(bytes).toString()).toBe('{"got":{"a":1}}');
  expect(answer.kind === 'response' && answer.response.headers).not.toHaveProperty('date');
});

test('a stream is heard as it is written, and its end', async () => {
  const { transport, streams } = await serve();
  const heard: string[] = [];
  const opened = await transport.open(
    { method: 'GET', path: '/events', headers: {} },
    {
      chunk: (bytes) => heard.push(Buffer.from(bytes).toString()),
      end: (error) => heard.push(error?.code ?? '<end>'),
    },
  );
  expect(opened).toMatchObject({ kind: 'stream', status: 200 });
  await flushPending(1);
  streams[0]?.write('data: 1\n\n');
  await flushPending(1);
  expect(heard.join('')).toBe('data: 0\n\ndata: 1\n\n');
  streams[0]?.end();
  await flushPending(1);
  expect(heard.at(-1)).toBe('<end>');
});

test('the server sees that a reader is gone, and the reader hears nothing more', async () => {
  const { transport, streams, closed } = await serve();
  const heard: string[] = [];
  const opened = await transport.open(
    { method: 'GET', path: '/events', headers: {} },
    {
      chunk: (bytes) => heard.push(Buffer.from(bytes).toString()),
      end: (error) => heard.push(error?.code ?? '<end>'),
    },
  );
  await flushPending(1);
  heard.length = 0;
  if (opened.kind === 'stream') opened.abort();
  await flushPending(1);
  streams[0]?.write('data: 1\n\n');
  await flushPending(1);
  expect(heard).toEqual([]);
  expect(closed).not.toEqual([]);
});

test('closing the transport ends its streams', async () => {
  const { transport, closed } = await serve();
  const heard: string[] = [];
  await transport.open(
    { method: 'GET', path: '/events', headers: {} },
    { chunk: () => {}, end: (error) => heard.push(error?.code ?? '<end>') },
  );
  await transport.close();
  await flushPending(1);
  expect(heard).toEqual(['aborted']);
  expect(closed).not.toEqual([]);
});

test('an answer that never comes because the server hung up is an error', async () => {
  const { transport } = await serve();
  const answer = await transport.request({ method: 'GET', path: '/gone', headers: {} });
  expect(answer).toMatchObject({ kind: 'error', error: { code: 'reset' } });
});
