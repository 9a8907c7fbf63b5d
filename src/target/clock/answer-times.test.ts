import { expect, it } from 'vitest';
import type { Transport } from '../../client/http/transport.ts';
import { createAnswerTimes } from './answer-times.ts';

it('tells how long an answer takes where neither side is busy', async () => {
  let now = 0;
  const delays = [900, 20, 21, 20, 250, 22, 24, 300];
  const transport: Transport = {
    baseUrl: 'http://127.0.0.1',
    async request() {
      now += delays.shift() ?? 0;
      return { kind: 'response', response: { status: 200, headers: {}, bytes: new Uint8Array() } };
    },
    open: () => Promise.reject(new Error('no stream')),
    close: () => Promise.resolve(),
  };
  const times = createAnswerTimes(() => now);
  expect(times.usualMs()).toBe(0);
  const timed = times.timed(transport);
  const asked = delays.length;
  for (let n = 0; n < asked; n += 1) await timed.request({ method: 'GET', path: '/', headers: {} });
  expect(times.usualMs()).toBe(21);
});
