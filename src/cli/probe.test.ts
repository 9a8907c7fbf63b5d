import { expect, it } from 'vitest';
import { clockText } from './probe.ts';

it.each([
  [-3, 5, 'clock: system, 3 ms behind to 5 ms ahead of this machine'],
  [0, 0, 'clock: system, 0 to 0 ms ahead of this machine'],
  [2, 5, 'clock: system, 2 to 5 ms ahead of this machine'],
  [-5, -2, 'clock: system, 2 to 5 ms behind this machine'],
])('names the offset of a clock, %i to %i ms', (least, most, text) => {
  const clock = { maxWaitMs: 90_000, offset: { least, most } };
  expect(clockText({ ...clock, kind: 'system' })).toBe(text);
  expect(clockText({ ...clock, kind: 'controlled' })).toBe('clock: controlled');
});
