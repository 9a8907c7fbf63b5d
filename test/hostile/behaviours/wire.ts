import { gzipSync } from 'node:zlib';
import type { Behaviour } from '../proxy.ts';
import {
  answer,
  asJson,
  drip,
  flood,
  gzipBomb,
  hang,
  hangUp,
  head,
  json,
  nested,
  raw,
  reset,
} from './building-blocks.ts';

/** Behaviours of a connection, tried from the first request on, and after the preflight. */
export const wireBehaviours: Readonly<Record<string, Behaviour>> = {
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
