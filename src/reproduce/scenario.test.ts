import { expect, it } from 'vitest';
import { flowLines } from './scenario.ts';
import type { WaitStep } from './steps.ts';

it.each([
  [{ ms: 90_000 }, '- wait: 1m30s'],
  [{ ms: 0, until: { next: '23:59:58.500', lessMs: 0 } }, '- wait: until ${next("23:59:58.500")}'],
  [
    { ms: 0, until: { next: '02-29T00:00:00.000', lessMs: 62_000 } },
    '- wait: until ${next("02-29T00:00:00.000") - 1m2s}',
  ],
])('writes how long a flow waits: %j', (wait, line) => {
  const step: WaitStep = { kind: 'wait', ...wait };
  expect(flowLines({ steps: [step], claims: [] }).map((one) => one.trim())).toContain(line);
});
