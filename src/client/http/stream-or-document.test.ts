import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { isStream } from './stream-or-document.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };

/** A body that brings what a test says, and does not end unless that is undefined. */
const body = (text: string | undefined): Readable => {
  const stream = new Readable({ read: () => {} });
  stream.push(text === undefined ? null : Buffer.from(text));
  return stream;
};

async function collected(stream: Readable): Promise<string> {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await eventLoopTurn();
  await eventLoopTurn();
  return text;
}

it.each([
  ['text/event-stream', 'event: a\n\n', true],
  ['text/plain', '{}', true],
  ['application/json', 'event: heartbeat\ndata: {}\n\n', true],
  ['application/json', ': hello\n\n', true],
  ['application/json', ' {"data":{}}', false],
  ['application/problem+json', '\uFEFF[]', false],
  ['application/json', undefined, false],
])('%s that begins with %j: %s', async (type, text, expected) => {
  const answer = { status: 200, headers: { 'content-type': type }, body: body(text) };
  expect(await isStream(answer, virtualClock(0))).toBe(expected);
  expect(await collected(answer.body)).toBe(text ?? '');
});

it('takes what is silent for a stream, whatever it says that it is', async () => {
  const clock = virtualClock(0);
  const stream = new Readable({ read: () => {} });
  const asked = isStream({ status: 200, headers: json, body: stream }, clock);
  clock.advanceTo(5_000);
  expect(await asked).toBe(true);
});

it.each([
  [403, {}],
  [204, {}],
  [200, { 'content-length': '12' }],
  [200, { 'content-encoding': 'gzip' }],
])(
  'no stream: a refusal, an empty answer, and an answer with a length: %d %j',
  async (status, more) => {
    const answer = { status, headers: { ...json, ...more }, body: body('event: a\n\n') };
    expect(await isStream(answer, virtualClock(0))).toBe(false);
  },
);
