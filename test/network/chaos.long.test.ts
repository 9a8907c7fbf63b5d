import { expect, it } from 'vitest';
import { mutations } from '../../mutants/index.ts';
import { random } from '../../src/random/random.ts';
import { chaosKinds } from '../support/network/chaos-proxy.ts';
import { runThroughChaos } from './chaos-run.ts';

const correct = (['reference', 'harbour', 'meridian', 'lantern'] as const).flatMap((backend) =>
  (['driven', 'system'] as const).flatMap((clock) =>
    [0.01, 0.1].map((share, index) => ({ backend, clock, share, seed: index + 1 })),
  ),
);

it.each(correct)('nobody is blamed: $backend, $clock clock, $share of exchanges', async (run) => {
  const { exit, accusations } = await runThroughChaos(run);
  expect(accusations).toEqual([]);
  expect(exit).not.toBe(1);
});

it('most defects are found through a network that spoils one exchange of a hundred', async () => {
  const drawn = random(20n).fork('chaos').shuffle(mutations).slice(0, 5);
  const missed: string[] = [];
  for (const { id } of drawn) {
    const run = {
      backend: 'reference',
      clock: 'driven',
      share: 0.01,
      seed: 5,
      mutation: id,
    } as const;
    const { report } = await runThroughChaos(run);
    const verdicts = new Set(
      [...(report?.checks ?? []), ...(report?.rules ?? [])].map((one) => one.verdict),
    );
    if (!verdicts.has('fail') && !verdicts.has('warn')) missed.push(id);
  }
  expect(missed.length).toBeLessThanOrEqual(1);
});

it.each(chaosKinds)('%s is no evidence, though it meets one exchange of six', async (kind) => {
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
});
