import type { Behaviour } from '../proxy.ts';
import {
  afterPreflight,
  answer,
  asJson,
  changedData,
  changedText,
  everyNth,
  flood,
  isStream,
  type Json,
  long,
  nested,
  onStreams,
  paged,
} from './building-blocks.ts';
import { token } from './tokens.ts';

/** Answers that are expensive to keep, print, compare or read again. */

const million = 1_000_000;
const megabyte = long(million);
const id = (n: number): string => `3f0c7f4e-8a50-4f2e-9d4b-${n.toString(16).padStart(12, '0')}`;
const part = (text: string): string => Buffer.from(text).toString('base64url');
const jwt = (header: string, claims: string): string => `${part(header)}.${part(claims)}.c2ln`;
const goodHeader = '{"alg":"EdDSA"}';

/** Good answers with a text in every field of their items that is no id, state or moment. */
const wordy = (text: string): Behaviour =>
  changedData((item) =>
    Object.fromEntries(
      Object.entries(item).map(([key, value]) => [
        key,
        typeof value !== 'string' || /_id$|status|_at$|until$|token|role/.test(key) ? value : text,
      ]),
    ),
  );

const manyMembers = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`m${n}`, n]));

/** Members named as what every object of JavaScript has. */
const prototypeNames = ['__proto__', 'toString', 'toJSON', 'constructor', 'then', 'valueOf'];
const prototypeMembers = JSON.parse(
  `{${prototypeNames.map((name) => `"${name}":{"${name}":"${name}"}`).join(',')}}`,
) as Json;

const sse = { 'content-type': 'text/event-stream' };
/** Writes events as fast as they are read, each different, up to a number. */
const events =
  (count: number, one: (n: number) => string): Behaviour =>
  (visit) => {
    visit.response.writeHead(200, sse).flushHeaders();
    let sent = 0;
    const more = (): void => {
      if (visit.socket.destroyed || sent >= count) return;
      let piece = '';
      for (const last = Math.min(count, sent + 200); sent < last; sent += 1) piece += one(sent);
      if (visit.response.write(piece)) setImmediate(more);
      else visit.response.once('drain', more);
    };
    more();
  };
const frame = (name: string, data: unknown, n: number): string =>
  `id: ${n}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export const heavyBehaviours: Readonly<Record<string, Behaviour>> = {
  'has ids of 1 MB in every ninth answer': afterPreflight(
    everyNth(
      9,
      changedData((item) => ({ ...item, intent_id: megabyte })),
    ),
  ),
  'has another id of 1 MB in every answer': afterPreflight(
    changedData((item, { before }) => ({ ...item, intent_id: `${before}${megabyte}` })),
  ),
  'has states of 1 MB': afterPreflight(
    changedData((item) => ({ ...item, ...('status' in item && { status: megabyte }) })),
  ),
  'has failure reasons of 1 MB': afterPreflight(
    changedData((item) => ({ ...item, failure_reason: megabyte })),
  ),
  'has keys of 1 MB': afterPreflight(changedData((item) => ({ ...item, [megabyte]: 1 }))),
  'has 5,000 members in every item': afterPreflight(
    changedData((item) => ({ ...item, ...manyMembers })),
  ),
  'has lists of 20,000 items': afterPreflight(
    paged((pagination, body) => {
      const [first] = body['data'] as Json[];
      body['data'] = Array.from({ length: 20_000 }, (_, n) => ({ ...first, intent_id: id(n) }));
      return { ...pagination, page_size: 20_000, total_items: 20_000 };
    }),
  ),
  'refuses with errors of 2 MB': afterPreflight(
    everyNth(3, (visit) =>
      answer(422, asJson, JSON.stringify({ code: megabyte, detail: megabyte }))(visit),
    ),
  ),
  'answers 1 MB of text': afterPreflight(
    everyNth(3, answer(200, { 'content-type': 'text/plain' }, megabyte)),
  ),
  'has headers of 15 kB': afterPreflight(async (visit) => {
    if (isStream(visit)) return 'pass';
    const { status, headers, body } = await visit.relay();
    visit.response.writeHead(status, { ...headers, 'x-request-id': long(14_000) }).end(body);
    return undefined;
  }),
  'has headers named like prototypes': afterPreflight(async (visit) => {
    if (isStream(visit)) return 'pass';
    const { status, headers, body } = await visit.relay();
    const odd = Object.fromEntries(prototypeNames.map((name) => [name, name]));
    visit.response.writeHead(status, { ...headers, ...odd }).end(body);
    return undefined;
  }),
  'has members named like prototypes in every item': changedData((item) =>
    Object.defineProperties({ ...item }, Object.getOwnPropertyDescriptors(prototypeMembers)),
  ),
  'has members named like prototypes for its result': changedText((text, { status }) =>
    status < 300 && !text.includes('"token"')
      ? JSON.stringify({
          data: prototypeMembers,
          meta: prototypeMembers,
          pagination: prototypeMembers,
        })
      : text,
  ),
  'refuses with members named like prototypes': afterPreflight(
    everyNth(2, answer(400, asJson, JSON.stringify({ error: prototypeMembers }))),
  ),
  // Texts on which a careless regular expression backtracks.
  'has texts of spaces': afterPreflight(wordy(' '.repeat(200_000))),
  'has texts that begin as a token over and over': afterPreflight(
    wordy('eyJhbGci.'.repeat(20_000)),
  ),
  'has texts of digits': afterPreflight(wordy('9'.repeat(200_000))),
  'has texts of line ends and controls': afterPreflight(
    wordy('\r\n\u0000\u001b[2J\u2028'.repeat(20_000)),
  ),
  'has texts of half surrogate pairs': afterPreflight(wordy('\ud800'.repeat(100_000))),
  'has texts of quotes and backslashes': afterPreflight(wordy('\\"'.repeat(100_000))),
  'nests every refusal 5,000 deep': afterPreflight(everyNth(3, answer(400, asJson, nested(5_000)))),
  'nests every item 5,000 deep': afterPreflight(
    changedText((text) => text.replace('"data":{', `"data":{"deep":${nested(5_000)},`)),
  ),
  'is silent after forty requests': (visit) => (visit.before < 40 ? 'pass' : undefined),
  'answers with a moment of the year 275760': afterPreflight(
    changedText((text) =>
      text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"+275760-09-13T00:00:00.000Z"'),
    ),
  ),
};

export const heavyTokenBehaviours: Readonly<Record<string, Behaviour>> = {
  'gives a token with claims 5,000 deep': token((data) => ({
    ...data,
    token: jwt(goodHeader, nested(5_000)),
  })),
  'gives a token with a header 5,000 deep': token((data) => ({
    ...data,
    token: jwt(nested(5_000), '{"sub":"a"}'),
  })),
  'gives a token body 5,000 deep': async (visit) => {
    if (visit.path !== '/auth/token') return 'pass';
    const { status, headers, body } = await visit.relay();
    visit.response
      .writeHead(status, headers)
      .end(body.replace('"data":{', `"data":{"deep":${nested(5_000)},`));
    return undefined;
  },
  'gives a token of an algorithm that nobody knows': token((data) => ({
    ...data,
    token: jwt('{"alg":"HS999","kid":7}', '{"sub":"a","exp":1e308}'),
  })),
  'gives a token of an algorithm that is no text': token((data) => ({
    ...data,
    token: jwt('{"alg":{"toString":1},"kid":{}}', JSON.stringify(prototypeMembers)),
  })),
  'gives a token with control characters in its claims': token((data) => ({
    ...data,
    token: jwt(goodHeader, JSON.stringify({ sub: '\u0000\u001b[2J\r\n', role: '\u0007' })),
  })),
  'gives a token with claims of 1 MB': token((data) => ({
    ...data,
    token: jwt(goodHeader, JSON.stringify({ sub: 'a', note: long(5_000) })),
  })),
  'calls its parties by names of 100 kB': token((data) => ({
    ...data,
    canton_party_id: `Bank::${'a'.repeat(100_000)}`,
  })),
};

export const heavyStreamBehaviours: Readonly<Record<string, Behaviour>> = {
  'sends a million events': onStreams(events(million, (n) => frame('heartbeat', {}, n))),
  'sends distinct events without end': onStreams(
    events(Number.POSITIVE_INFINITY, (n) =>
      frame('order_updated', { intent_id: id(n), status: 'SETTLED', note: `${n}` }, n),
    ),
  ),
  'names every event anew': onStreams(
    events(20_000, (n) => frame(`event_${n}${long(200)}`, { intent_id: id(n) }, n)),
  ),
  'sends one event of 900 kB again and again': onStreams(
    events(200, (n) => frame('order_updated', { intent_id: id(n), memo: long(900_000) }, n)),
  ),
  'sends events named like prototypes': onStreams(
    events(200, (n) => frame(prototypeNames[n % 6] ?? '', prototypeMembers, n)),
  ),
  'sends another comment each time': onStreams((visit) => {
    visit.response.writeHead(200, sse).flushHeaders();
    const piece = `: ${long(1_000)}\n`.repeat(60);
    flood(Buffer.from(`${piece.length.toString(16)}\r\n${piece}\r\n`))(visit);
  }),
};
