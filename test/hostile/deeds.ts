import { gzipSync } from 'node:zlib';
import type { Deed, Relayed, Visit } from './front.ts';

/** What bad backends do to a request. */

const isPreflight = ({ path }: Visit): boolean =>
  path === '/auth/token' || path === '/api/v1/whoami';
export const isStream = ({ path }: Visit): boolean => path.endsWith('/events');

/** Well-behaved until all parties have been reached. */
export const later =
  (deed: Deed): Deed =>
  (visit) =>
    isPreflight(visit) ? 'pass' : deed(visit);

/** Only what asks for a stream is treated so. */
export const onStreams =
  (deed: Deed): Deed =>
  (visit) =>
    isStream(visit) ? deed(visit) : 'pass';

/** Of all requests that are no stream, every so-manyth. */
export const nowAndThen =
  (every: number, deed: Deed): Deed =>
  (visit) =>
    visit.before % every === every - 1 && !isStream(visit) ? deed(visit) : 'pass';

/** Sends bytes that no HTTP library would send, then whatever else. */
export const raw =
  (bytes: string | Buffer, then: (visit: Visit) => void = () => {}): Deed =>
  (visit) => {
    visit.socket.write(bytes);
    then(visit);
  };

const hang = (): void => {};
const hangUp = ({ socket }: Visit): void => {
  socket.end();
};
const reset = ({ socket }: Visit): void => {
  socket.resetAndDestroy();
};

const head = (status: string, ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const json = 'content-type: application/json';

/** Writes without end, as fast as it is read. */
const flood =
  (piece: Buffer) =>
  ({ socket }: Visit): void => {
    const more = (): void => {
      if (socket.destroyed) return;
      // A turn for everybody else in this process, between pieces.
      if (socket.write(piece)) setImmediate(more);
      else socket.once('drain', more);
    };
    more();
  };

/** One byte every so often. */
const drip =
  (text: string, ms: number) =>
  (visit: Visit): void => {
    let at = 0;
    visit.every(ms, () => {
      if (at < text.length) visit.socket.write(text[at++] ?? '');
    });
  };

export const answer =
  (status: number, headers: Record<string, string>, body: string | Buffer): Deed =>
  ({ response }) => {
    response.writeHead(status, headers).end(body);
  };
const asJson = { 'content-type': 'application/json' };

/** Good answers with their JSON text changed. */
export const mangled =
  (change: (text: string, answer: Relayed, visit: Visit) => string | Buffer): Deed =>
  async (visit) => {
    if (isStream(visit)) return 'pass';
    const relayed = await visit.relay();
    const body = relayed.body === '' ? '' : change(relayed.body, relayed, visit);
    visit.response.writeHead(relayed.status, relayed.headers).end(body);
    return undefined;
  };

type Json = Record<string, unknown>;

/** Good answers with every object in `data` changed. */
export const warped = (change: (item: Json, visit: Visit) => unknown): Deed =>
  mangled((text, { headers }, visit) => {
    if (!String(headers['content-type']).includes('json')) return text;
    const body = JSON.parse(text) as { data?: unknown };
    const one = (item: unknown): unknown =>
      typeof item === 'object' && item !== null ? change({ ...item }, visit) : item;
    if (body.data === undefined) return text;
    body.data = Array.isArray(body.data) ? body.data.map(one) : one(body.data);
    return JSON.stringify(body);
  });

/** Good lists with another `pagination`. */
export const paged = (change: (pagination: Json, body: Json, visit: Visit) => unknown): Deed =>
  mangled((text, _, visit) => {
    if (!text.includes('"pagination"')) return text;
    const body = JSON.parse(text) as Json;
    body['pagination'] = change(body['pagination'] as Json, body, visit);
    return JSON.stringify(body);
  });

const nested = (depth: number): string => `${'{"data":'.repeat(depth)}1${'}'.repeat(depth)}`;
const bomb = (): Buffer => gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '));
let kept: Buffer | undefined;
const gzipBomb = (): Buffer => (kept ??= bomb());

/** Behaviours of a whole connection: tried from the first request on, and again once all parties were reached. */
export const wireDeeds: Readonly<Record<string, Deed>> = {
  'hangs before the headers': hang,
  'hangs after the headers': raw(head('200 OK', json, 'content-length: 20')),
  'hangs within the headers': raw('HTTP/1.1 200 OK\r\ncontent-ty'),
  'answers a byte at a time': (visit) =>
    drip(`${head('200 OK', json, 'content-length: 20')}{"data":{},"meta":{}}`, 100)(visit),
  'has a body that drips': raw(
    head('200 OK', json, 'content-length: 999'),
    drip(' '.repeat(999), 50),
  ),
  'has a body without end': raw(head('200 OK', json), flood(Buffer.alloc(65_536, '[1,'))),
  'declares a gigabyte': raw(head('200 OK', json, 'content-length: 1073741824'), drip('x', 50)),
  'declares a negative length': raw(head('200 OK', json, 'content-length: -5')),
  'declares two lengths': raw(
    `${head('200 OK', json, 'content-length: 2', 'content-length: 9')}{}`,
  ),
  'has broken chunks': raw(
    `${head('200 OK', json, 'transfer-encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
  ),
  'ends within a chunk': raw(
    `${head('200 OK', json, 'transfer-encoding: chunked')}ff\r\n{"data":`,
    hangUp,
  ),
  'resets at once': reset,
  'resets within the body': raw(`${head('200 OK', json, 'content-length: 99')}{"data":`, reset),
  'hangs up within the body': raw(`${head('200 OK', json, 'content-length: 99')}{"da`, hangUp),
  'hangs up without an answer': hangUp,
  'speaks another protocol': raw('SSH-2.0-OpenSSH_9.7\r\n', hangUp),
  'floods with headers': raw(
    head('200 OK', ...Array.from({ length: 40_000 }, (_, n) => `x-${n}: ${'v'.repeat(40)}`)),
  ),
  'floods with 100 Continue': raw('', flood(Buffer.from(head('100 Continue').repeat(200)))),
  'floods with 103 Early Hints': raw(
    '',
    flood(Buffer.from(head('103 Early Hints', 'link: <x>').repeat(200))),
  ),
  'switches protocols unasked': raw(
    head('101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'),
  ),
  'declares gzip and sends none': answer(
    200,
    { ...asJson, 'content-encoding': 'gzip' },
    '{"data":{}}',
  ),
  'sends half a gzip': answer(
    200,
    { ...asJson, 'content-encoding': 'gzip' },
    gzipSync('{"data":{"a":1}}').subarray(0, 20),
  ),
  'sends a gzip bomb': (visit) =>
    answer(200, { ...asJson, 'content-encoding': 'gzip' }, gzipBomb())(visit),
  'encodes in a way nobody knows': answer(
    200,
    { ...asJson, 'content-encoding': 'zstd, rot13' },
    'x',
  ),
  'sends no JSON as JSON': answer(200, asJson, '{"data": {,}}'),
  'sends JSON 10,000 deep': answer(200, asJson, nested(10_000)),
  'sends 200,000 brackets': answer(200, asJson, '['.repeat(200_000)),
  'sends pages of HTML': answer(
    200,
    { 'content-type': 'text/html' },
    '<!doctype html><h1>Welcome</h1>',
  ),
  'sends HTML errors': answer(502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>'),
  'answers 204 to everything': answer(204, {}, ''),
  'answers null': answer(200, asJson, 'null'),
  'answers with an array': answer(200, asJson, '[[],[{}],null]'),
  'answers with a number beyond all': answer(200, asJson, '1e999'),
  'answers with data null': answer(200, asJson, '{"data":null,"meta":null,"pagination":null}'),
  'redirects in circles': (visit) => answer(307, { location: visit.path }, '')(visit),
  'redirects elsewhere': answer(302, { location: 'http://127.0.0.1:1/' }, ''),
  'answers 429 for ever': answer(429, {}, ''),
  'answers 429 and says to come back in the year 9999': answer(
    429,
    { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' },
    '',
  ),
  'answers 429 and says to come back in the past': answer(
    429,
    { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    '',
  ),
  'answers 429 and says to come back in a second': answer(429, { 'retry-after': '1' }, ''),
  'answers 429 and says to come back in a minute': answer(429, { 'retry-after': '60' }, ''),
  'answers 429 and says nonsense': answer(429, { 'retry-after': '-1, soon, 1e99' }, ''),
  'answers 503 to everything': answer(503, asJson, '{}'),
  'answers status 999': raw(`${head('999 Odd', json, 'content-length: 2')}{}`),
};

const long = (length: number): string => 'x'.repeat(length);

/** Good answers that are odd, and yet nothing that the document forbids. */
export const oddDeeds: Readonly<Record<string, Deed>> = {
  'has __proto__ keys': mangled((text) =>
    text.replace(
      '{',
      '{"__proto__":{"status":"SETTLED","data":[]},"constructor":{"prototype":{}},',
    ),
  ),
  'has __proto__ keys in every item': warped((item) =>
    JSON.parse(
      `{"__proto__":{"a":1},"toString":1,"hasOwnProperty":null,${JSON.stringify(item).slice(1)}`,
    ),
  ),
  'has every key twice': mangled((text) => text.replaceAll(/("[a-z_]+":)("[^"]*")/g, '$1"?",$1$2')),
  'has a byte order mark': mangled((text) => `\uFEFF${text}`),
  'has bytes that are no UTF-8': mangled((text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    ]),
  ),
  'says that JSON is an image': async (visit) => {
    const { status, body } = await visit.relay();
    void answer(status, { 'content-type': 'image/png' }, body)(visit);
  },
  'closes after each response': async (visit) => {
    const { status, headers, body } = await visit.relay();
    visit.response.writeHead(status, headers).end(body, () => visit.socket.destroySoon());
  },
  'has a hundred unknown fields': warped((item) => ({
    ...item,
    ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`field_${n}`, { n }])),
  })),
};

/** Good answers with something in their fields that no reader expects. */
export const fieldDeeds: Readonly<Record<string, Deed>> = {
  'has states named like prototypes': warped((item) => ({
    ...item,
    ...('status' in item && { status: 'constructor' }),
    ...('role' in item && { schema_version: '__proto__' }),
  })),
  'has ids named like prototypes': warped((item) => ({
    ...item,
    ...('intent_id' in item && { intent_id: '__proto__' }),
    ...('quote_id' in item && { quote_id: 'constructor' }),
  })),
  'has ids that are no text': warped((item) => ({ ...item, intent_id: ['x'], quote_id: 7 })),
  'has ids of half a surrogate pair': warped((item) => ({
    ...item,
    intent_id: '\ud800',
    quote_id: '\udfff',
  })),
  'has ids of 20 kB': warped((item) => ({ ...item, intent_id: long(20_000) })),
  'has ids that climb directories': warped((item) => ({
    ...item,
    intent_id: '../../auth/token?x#y',
  })),
  'has ids that change with every answer': warped((item, visit) => ({
    ...item,
    ...('intent_id' in item && { intent_id: `${visit.before}` }),
  })),
  'speaks UTF-16': mangled((text) => Buffer.from(text, 'utf16le')),
  'has data null': mangled((text) =>
    text.replace(/"data":(\{.*\}|\[.*\])(?=,"meta"|,"pag|\})/, '"data":null'),
  ),
  'has text for data': warped(() => 'data'),
  'has lists for items': warped((item) => [item]),
  'has null in every field': warped((item) =>
    Object.fromEntries(Object.keys(item).map((key) => [key, key === 'token' ? item[key] : null])),
  ),
  'has numbers for money': warped((item) => ({
    ...item,
    target_amount: 1e308,
    fx_rate: -0,
    source_amount: 1e-320,
  })),
  'has money of 100,000 digits': warped((item) => ({
    ...item,
    ...('target_amount' in item && {
      target_amount: `1${'0'.repeat(100_000)}.5`,
      fx_rate: '9'.repeat(50_000),
    }),
  })),
  'has money in powers of ten': warped((item) => ({
    ...item,
    target_amount: '1e999999999',
    fx_rate: '1e-999999999',
  })),
  'has rates of nothing': warped((item) => ({
    ...item,
    fx_rate: '0',
    source_amount: '0.00',
    source_amount_actual: '-1',
  })),
  'has moments that no calendar has': warped((item) => ({
    ...item,
    created_at: '2031-02-30T25:61:61.000Z',
    expires_at: '+275760-09-13T00:00:00.001Z',
    valid_until: '-271821-04-19T23:59:59.999Z',
  })),
  'has orders that live for ten thousand years': warped((item) => ({
    ...item,
    ...('expires_at' in item && { expires_at: '9999-12-31T23:59:59.999Z' }),
  })),
  'has orders that were dead when they were born': warped((item) => ({
    ...item,
    ...('expires_at' in item && { expires_at: '1970-01-01T00:00:00.000Z' }),
  })),
  'has a clock that jumps back and forth': mangled((text, _, { before }) =>
    text.replace(
      /"timestamp":"[^"]*"/,
      `"timestamp":"${before % 2 ? '1999' : '2099'}-01-01T00:00:00.000Z"`,
    ),
  ),
  'has a clock at the end of time': mangled((text) =>
    text.replace(/"timestamp":"[^"]*"/, '"timestamp":"9999-12-31T23:59:59.999Z"'),
  ),
  'has memos of 100 kB': warped((item) => ({ ...item, memo: long(100_000) })),
  'answers 503 now and then': nowAndThen(4, answer(503, {}, '')),
  'resets now and then': nowAndThen(4, reset),
  'hangs now and then': nowAndThen(25, hang),
  'answers the same to everything': answer(
    200,
    asJson,
    '{"data":[{"intent_id":"a","status":"SETTLED"}],"meta":{},"pagination":{}}',
  ),
};

/** Good lists with pages that mislead. */
export const listDeeds: Readonly<Record<string, Deed>> = {
  'has 1e15 pages': paged((pagination) => ({
    ...pagination,
    total_pages: 1e15,
    total_items: 1e15,
  })),
  'has 1e300 pages': paged((pagination) => ({ ...pagination, total_pages: 1e300 })),
  'has fewer than no pages': paged((pagination) => ({
    ...pagination,
    total_pages: -1,
    total_items: -9,
  })),
  'has pages of size zero': paged((pagination) => ({ ...pagination, page_size: 0 })),
  'has half a page': paged((pagination) => ({ ...pagination, page: 0.5 })),
  'has pages in words': paged(() => ({
    page: 'one',
    page_size: 'ten',
    total_items: '3',
    total_pages: null,
  })),
  'has a list for pagination': paged(() => [1, 2, 3]),
  'has pages that never end': paged((pagination, body, { before }) => {
    body['data'] = [{ intent_id: `${before}`, quote_id: `${before}`, status: 'PENDING' }];
    return { ...pagination, page: before, page_size: 1, total_items: 1e6, total_pages: 1e6 };
  }),
  'always shows page one': paged((pagination) => ({
    ...pagination,
    page: 1,
    total_pages: 50,
    total_items: 900,
  })),
  'counts otherwise each time': paged((pagination, _, { before }) => ({
    ...pagination,
    page: before,
    total_items: 10 + before,
    total_pages: 5 + (before % 3),
  })),
  'never shrinks': paged((pagination, body) => {
    body['data'] = Array.from({ length: 200 }, (_, n) => ({
      intent_id: `${n}`,
      status: 'PENDING',
    }));
    return { ...pagination, page_size: 200 };
  }),
  'has an empty page after each full one': paged((pagination, body, { before }) => {
    if (before % 2) body['data'] = [];
    return { ...pagination, total_pages: 400, page: before };
  }),
  'refuses every list': async (visit) => {
    const relayed = await visit.relay();
    const isList = relayed.body.includes('"pagination"');
    visit.response.writeHead(isList ? 400 : relayed.status, relayed.headers).end(relayed.body);
  },
};

const token =
  (change: (data: Json) => Json): Deed =>
  async (visit) => {
    if (visit.path !== '/auth/token') return 'pass';
    const { status, headers, body } = await visit.relay();
    const parsed = JSON.parse(body) as { data: Json };
    visit.response
      .writeHead(status, headers)
      .end(JSON.stringify({ ...parsed, data: change(parsed.data) }));
    return undefined;
  };
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** With these nobody can even ask who a party is. */
export const lostTokenDeeds: Readonly<Record<string, Deed>> = {
  'gives a token that breaks the header': token((data) => ({ ...data, token: 'a\r\nx-evil: 1' })),
  'gives a token of other scripts': token((data) => ({ ...data, token: 'жетон' })),
  'gives a number for a token': token((data) => ({ ...data, token: 17 })),
};

export const tokenDeeds: Readonly<Record<string, Deed>> = {
  'gives a token that is no JWT': token((data) => ({ ...data, token: 'open sesame' })),
  'gives a token of a megabyte': token((data) => ({ ...data, token: long(1_000_000) })),
  'gives a token of broken JSON': token((data) => ({ ...data, token: 'eyJ7.e30x.AAAA' })),
  'gives a token with claims of null': token((data) => ({
    ...data,
    token: `${part(null)}.${part(null)}.x`,
  })),
  ...Object.fromEntries(
    [-1, 0, '3600', 1e308, 0.001, null].map((lifetime) => [
      `gives tokens that expire in ${JSON.stringify(lifetime)}`,
      token((data) => ({ ...data, expires_in: lifetime })),
    ]),
  ),
  'gives tokens that nobody accepts': ({ path, response }) => {
    if (path === '/auth/token' || path === '/health') return 'pass';
    response.writeHead(401).end();
    return undefined;
  },
  'calls every party the same': token((data) => ({
    ...data,
    canton_party_id: 'Same::00',
    role: data['role'],
  })),
};

const sse = { 'content-type': 'text/event-stream' };

/** A stream that opens and brings this, over and over where `againMs` is told. */
const stream =
  (text: string | Buffer, againMs?: number): Deed =>
  (visit) => {
    visit.response.writeHead(200, sse);
    visit.response.write(text);
    if (againMs !== undefined) visit.every(againMs, () => visit.response.write(text));
  };
const floodOf =
  (text: string): Deed =>
  (visit) => {
    visit.response.writeHead(200, sse).flushHeaders();
    flood(Buffer.from(`${Number(text.length).toString(16)}\r\n${text}\r\n`))(visit);
  };
const event = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const id = '3f0c7f4e-8a50-4f2e-9d4b-0a2f6d3c1b11';
const settled = event('order_updated', { intent_id: id, status: 'SETTLED' });

export const streamDeeds: Readonly<Record<string, Deed>> = {
  'never opens': hang,
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

/** A driven clock is read so many times before it is moved: a run that cannot read it does not begin. */
const readings = 3;

/** The address of a clock that is driven, which no party's path leads to. */
const clockDeed =
  (deed: Deed): Deed =>
  (visit) =>
    visit.path === '' && visit.before >= readings ? deed(visit) : 'pass';
const clockAt =
  (moment: (real: number, visit: Visit) => unknown): Deed =>
  async (visit) => {
    const { body } = await visit.relay();
    const real = (JSON.parse(body) as { ms: number }).ms;
    void answer(200, asJson, JSON.stringify({ now: moment(real, visit) }))(visit);
  };
const start = Date.parse('2031-05-05T08:00:00Z');

export const clockDeeds: Readonly<Record<string, Deed>> = {
  hangs: clockDeed(hang),
  resets: clockDeed(reset),
  'answers 500': clockDeed(answer(500, {}, 'no')),
  'answers no JSON': clockDeed(answer(200, asJson, 'soon')),
  'answers without end': clockDeed(raw(head('200 OK', json), flood(Buffer.alloc(65_536, ' ')))),
  'redirects in circles': clockDeed(answer(307, { location: '/_clock' }, '')),
  'stands still': clockDeed(answer(200, asJson, JSON.stringify({ now: start }))),
  'goes backwards': clockDeed(clockAt((real, { before }) => start - before * 1_000 - (real % 1))),
  'is beyond all calendars': clockDeed(clockAt(() => 9e15)),
  'is before all calendars': clockDeed(clockAt(() => -1)),
  'is a word': clockDeed(clockAt(() => 'noon')),
  'lags by half of each step': clockDeed(clockAt((real) => start + Math.floor((real - start) / 2))),
  'leaps by a day': clockDeed(clockAt((real, { before }) => real + before * 86_400_000)),
};

/** More than a process may keep: tried on one with little memory. */
export const floodDeeds: Readonly<Record<string, Deed>> = {
  'sends 100 MB of events': floodOf(
    event('order_updated', { intent_id: id, status: 'SETTLED', memo: long(60_000) }),
  ),
  'beats without end': floodOf(event('heartbeat', {}).repeat(50)),
};
