import { expect, it } from 'vitest';
import type { Transport } from '../../client/http/transport.ts';
import { createAnswerTimes } from './answer-times.ts';

/** Asks a target that answers after these times, and tells what its usual one is after each. */
async function usualAfterEach(answerMs: readonly number[]): Promise<readonly number[]> {
  let now = 0;
  const left = [...answerMs];
  const transport: Transport = {
    baseUrl: 'http://127.0.0.1',
    async request() {
      now += left.shift() ?? 0;
      return { kind: 'response', response: { status: 200, headers: {}, bytes: new Uint8Array() } };
    },
    open: () => Promise.reject(new Error('no stream')),
    close: () => Promise.resolve(),
  };
  const times = createAnswerTimes(() => now);
  expect(times.usualMs()).toBe(0);
  const timed = times.timed(transport);
  const usual: number[] = [];
  for (let n = 0; n < answerMs.length; n += 1) {
    await timed.request({ method: 'GET', path: '/', headers: {} });
    usual.push(times.usualMs());
  }
  return usual;
}

it('tells how long an answer takes where neither side is busy', async () => {
  const usual = await usualAfterEach([900, 20, 21, 20, 250, 22, 24, 300]);
  expect(usual.at(-1)).toBe(21);
});

it('goes on with a target that becomes slower, and with the first answers at once', async () => {
  const answers = [...Array<number>(16).fill(1), ...Array<number>(64).fill(40)];
  const usual = await usualAfterEach(answers);
  expect([usual[0], usual[15], usual.at(-1)]).toEqual([1, 1, 40]);
});

it('forgets what a target took long ago', async () => {
  const usual = await usualAfterEach([
    ...Array<number>(200).fill(40),
    ...Array<number>(256).fill(2),
  ]);
  expect(usual.at(-1)).toBe(2);
});
