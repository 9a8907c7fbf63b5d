import { expect, it } from 'vitest';
import { flowOf } from './scenario.ts';
import type { WaitStep } from './steps.ts';

it.each([
  [{ ms: 90_000 }, '1m30s'],
  [{ ms: 0, until: { next: '23:59:58.500', lessMs: 0 } }, 'until ${next("23:59:58.500")}'],
  [
    { ms: 0, until: { next: '02-29T00:00:00.000', lessMs: 62_000 } },
    'until ${next("02-29T00:00:00.000") - 1m2s}',
  ],
])('writes how long a flow waits: %j', (wait, text) => {
  const step: WaitStep = { kind: 'wait', ...wait };
  expect(flowOf({ steps: [step], claims: [] }).steps).toEqual([{ wait: text }]);
});
