import type { Behaviour } from '../proxy.ts';
import {
  answer,
  asJson,
  drip,
  flood,
  gzipBomb,
  hang,
  head,
  long,
  nested,
  raw,
  reset,
} from './building-blocks.ts';

const sse = { 'content-type': 'text/event-stream' };

/** A stream that sends this text, repeatedly if `againMs` is given. */
const stream =
  (text: string | Buffer, againMs?: number): Behaviour =>
  (visit) => {
    visit.response.writeHead(200, sse);
    visit.response.write(text);
    if (againMs !== undefined) visit.every(againMs, () => visit.response.write(text));
  };
const floodOf =
  (text: string): Behaviour =>
  (visit) => {
    visit.response.writeHead(200, sse).flushHeaders();
    flood(Buffer.from(`${Number(text.length).toString(16)}\r\n${text}\r\n`))(visit);
  };
const event = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const id = '3f0c7f4e-8a50-4f2e-9d4b-0a2f6d3c1b11';
const settled = event('order_updated', { intent_id: id, status: 'SETTLED' });

export const streamBehaviours: Readonly<Record<string, Behaviour>> = {
  'never opens': hang,
  // As a server does that sends its headers with its first bytes.
  'opens with its first heartbeat': (visit) => {
    visit.every(30_000, () => {
      if (!visit.response.headersSent) visit.response.writeHead(200, sse);
      visit.response.write(event('heartbeat', {}));
    });
  },
  'opens and is silent': stream(''),
  'closes at once': answer(200, sse, ''),
  'resets at once': reset,
  'resets after an event': (visit) => {
    void stream(settled)(visit);
    setImmediate(() => visit.socket.resetAndDestroy());
  },
  'is an HTML page': answer(200, { 'content-type': 'text/html' }, '<h1>Events</h1>'),
  'is a JSON document': answer(200, asJson, '{"data":[]}'),
  'is no content': answer(204, {}, ''),
  'is refused': answer(403, asJson, '{}'),
  'is a redirect': answer(302, { location: '/elsewhere' }, ''),
  'has no line ends': stream('data: {"a":1} ', 5),
  'sends 100 MB in one line': floodOf(long(65_536)),
  'sends 100 MB of comments': floodOf(`:${long(65_000)}\n`),
  'beats a thousand times': stream(event('heartbeat', {}).repeat(1_000)),
  'repeats one event for ever': stream(settled.repeat(5), 50),
  'tells every state at once': stream(
    ['SETTLED', 'PENDING', 'FAILED', 'QUOTED', 'constructor', '__proto__', 7, null]
      .map((status) => event('order_updated', { intent_id: id, status }))
      .join(''),
  ),
  'names events oddly': stream(
    [
      '__proto__',
      'constructor',
      'toString',
      '',
      ' ',
      '\u0000',
      '\ud83d\ude00',
      long(5_000),
      'a:b',
      'order_updated ',
    ]
      .map((name) => event(name, { intent_id: id }))
      .join(''),
  ),
  'sends payloads that are no objects': stream(
    [
      'null',
      '7',
      '"x"',
      '[]',
      '{',
      '',
      nested(500),
      '{"intent_id":{}}',
      '{"intent_id":null,"status":[]}',
    ]
      .flatMap((data) =>
        ['order_updated', 'quote_received', 'quote_request_new', 'quote_accepted'].map(
          (name) => `event: ${name}\ndata: ${data}\n\n`,
        ),
      )
      .join(''),
  ),
  'sends events without data': stream('event: order_updated\n\nid: 1\n\nretry: 0\n\n'.repeat(50)),
  'sends bytes that are no text': stream(
    Buffer.concat([Buffer.from('data: '), Buffer.alloc(10_000, 0xff), Buffer.from('\n\n')]),
  ),
  'sends zeros': stream(Buffer.alloc(200_000)),
  'sends ids of 100 kB': stream(`id: ${long(100_000)}\ndata: {}\n\n`),
  'sends ids that break headers': stream('id: a\u0001\u20ac\ndata: {}\n\n', 50),
  'drips a byte at a time': (visit) => {
    visit.response.writeHead(200, sse);
    drip(`${Number(settled.length).toString(16)}\r\n${settled}\r\n`, 20)(visit);
  },
  'has broken chunks': raw(
    `${head('200 OK', 'content-type: text/event-stream', 'transfer-encoding: chunked')}zz\r\n`,
  ),
  'has broken gzip': answer(200, { ...sse, 'content-encoding': 'gzip' }, 'event: x'),
  'is a gzip bomb': (visit) =>
    answer(200, { ...sse, 'content-encoding': 'gzip' }, gzipBomb())(visit),
  'is encoded in a way nobody knows': answer(200, { ...sse, 'content-encoding': 'rot13' }, settled),
};

/** More than a process may keep: tried on one with little memory. */
export const floodBehaviours: Readonly<Record<string, Behaviour>> = {
  'sends 100 MB of events': floodOf(
    event('order_updated', { intent_id: id, status: 'SETTLED', memo: long(60_000) }),
  ),
  'beats without end': floodOf(event('heartbeat', {}).repeat(50)),
};
