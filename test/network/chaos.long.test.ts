import { expect, it } from 'vitest';
import { chaosKinds } from '../support/network/chaos-proxy.ts';
import { runThroughChaos } from './chaos-run.ts';

// `npm run chaos` tries other backends, clocks, shares and seeds, and the whole suite.
const some = ['order.life.*', 'order.cancel.*', 'quote.accept.*'];
const correct = (['reference', 'lantern'] as const).flatMap((backend) =>
  [0.01, 0.1].map((share, index) => ({
    backend,
    clock: 'driven' as const,
    share,
    seed: index + 1,
    only: some,
  })),
);

it.each(correct)('nobody is blamed: $backend, $clock clock, $share of exchanges', async (run) => {
  const { exit, accusations } = await runThroughChaos(run);
  expect(accusations).toEqual([]);
  expect(exit).not.toBe(1);
});

it.each(chaosKinds.slice(0, 6))(
  '%s is no evidence, though it meets one exchange of six',
  async (kind) => {
    const { exit, accusations } = await runThroughChaos({
      backend: 'lantern',
      clock: 'driven',
      share: 0.16,
      seed: 3,
      kinds: [kind],
      only: ['order.quotes.empty', 'order.create.not-json', 'auth.self.*', 'health.*'],
    });
    expect(accusations).toEqual([]);
    expect(exit).not.toBe(1);
  },
);
