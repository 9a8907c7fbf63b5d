import { expect, it } from 'vitest';
import { startedWith } from './started-with.ts';

it.each([
  [{}, []],
  [{ target: 'a b.yaml' }, ['--target', 'a b.yaml']],
  [
    { baseUrl: ['sender=http://h:1', 'http://h:2'] },
    ['--base-url', 'sender=http://h:1', '--base-url', 'http://h:2'],
  ],
  [{ checks: ['one.mjs', 'two.mjs'] }, ['--checks', 'one.mjs', '--checks', 'two.mjs']],
  [
    { mutation: 'rate-cut', maxWait: 90_000, rate: 5, concurrency: 2 },
    ['--mutation', 'rate-cut', '--max-wait', '1m30s', '--rate', '5', '--concurrency', '2'],
  ],
])('%j is repeated by %j', (flags, words) => {
  expect(startedWith(flags)).toEqual(words);
});
