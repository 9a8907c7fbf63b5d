import { expect, it } from 'vitest';
import { runThroughChaos } from './chaos-run.ts';

it('leads to no finding against a correct backend with one spoilt exchange in ten', async () => {
  const { exit, accusations, spoilt } = await runThroughChaos({
    backend: 'lantern',
    clock: 'driven',
    share: 0.1,
    seed: 7,
    only: ['order.cancel.with*', 'order.quotes.*', 'access.order.events.*'],
  });
  expect(accusations).toEqual([]);
  expect(exit).not.toBe(1);
  expect(spoilt).toBeGreaterThan(2);
});
