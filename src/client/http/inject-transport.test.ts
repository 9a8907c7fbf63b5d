import { PassThrough } from 'node:stream';
import Fastify, { type InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { flushPending } from '../../timeline/event-loop.ts';
import { type Inject, injectTransport } from './inject-transport.ts';

function serve() {
  const app = Fastify();
  const streams: PassThrough[] = [];
  const closed: string[] = [];
  app.post('/bank-a/echo', async (request, reply) => reply.code(201).send({ got: request.body }));
  app.get('/bank-a/gone', (request, reply) => {
    reply.hijack();
    reply.raw.destroy();
    void request;
  });
  app.get('/bank-a/events', (request, reply) => {
    const stream = new PassThrough();
    streams.push(stream);
    request.raw.on('close', () => closed.push('request'));
    reply.raw.on('close', () => closed.push('reply'));
    void reply.header('content-type', 'text/event-stream').send(stream);
    stream.write('data: 0\n\n');
  });
  const inject: Inject = (options) => app.inject(options as InjectOptions);
  return { transport: injectTransport(inject, { basePath: '/bank-a/' }), streams, closed, app };
}

test('a request is answered in process, under the base path', async () => {
  const { transport } = serve();
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
  const { transport, streams } = serve();
  const heard: string[] = [];
  const opened = await transport.open(
    { method: 'GET', path: '/events', headers: {} },
    {
      chunk: (bytes) => heard.push(Buffer.from(bytes).toString()),
      end: (error) => heard.push(error?.code ?? '<end>'),
    },
  );
  expect(opened).toMatchObject({ kind: 'stream', status: 200 });
  await flushPending();
  streams[0]?.write('data: 1\n\n');
  await flushPending();
  expect(heard.join('')).toBe('data: 0\n\ndata: 1\n\n');
  streams[0]?.end();
  await flushPending();
  expect(heard.at(-1)).toBe('<end>');
});

test('the server sees that a reader is gone, and the reader hears nothing more', async () => {
  const { transport, streams, closed } = serve();
  const heard: string[] = [];
  const opened = await transport.open(
    { method: 'GET', path: '/events', headers: {} },
    {
      chunk: (bytes) => heard.push(Buffer.from(bytes).toString()),
      end: (error) => heard.push(error?.code ?? '<end>'),
    },
  );
  await flushPending();
  heard.length = 0;
  if (opened.kind === 'stream') opened.abort();
  await flushPending();
  streams[0]?.write('data: 1\n\n');
  await flushPending();
  expect(heard).toEqual([]);
  expect(closed).not.toEqual([]);
});

test('closing the transport ends its streams', async () => {
  const { transport, closed } = serve();
  const heard: string[] = [];
  await transport.open(
    { method: 'GET', path: '/events', headers: {} },
    { chunk: () => {}, end: (error) => heard.push(error?.code ?? '<end>') },
  );
  await transport.close();
  await flushPending();
  expect(heard).toEqual(['aborted']);
  expect(closed).not.toEqual([]);
});

test('an answer that never comes because the server hung up is an error', async () => {
  const { transport } = serve();
  const answer = await transport.request({ method: 'GET', path: '/gone', headers: {} });
  expect(answer).toMatchObject({ kind: 'error', error: { code: 'reset' } });
});
