import { expect, it } from 'vitest';
import { random } from '../random/random.ts';
import { type GapId, gaps } from '../spec/gaps/index.ts';
import { assign } from '../target/embedded/assignment.ts';
import { openEmbedded } from '../target/embedded/embedded.ts';
import { discover } from './discover.ts';
import { discoverOverTime, gapsOverTime } from './over-time.ts';

/** Every answer that the reference can be built with. */
const answers = gapsOverTime.flatMap((gap) =>
  gaps[gap].values.map((value) => [gap, value] as const),
);

async function foundOn(gap: GapId, answer: string, wanted: readonly GapId[]) {
  const target = await openEmbedded({
    seed: 1n,
    assignment: assign({ [gap]: answer }),
    listening: false,
  });
  try {
    await discover(target, target.answers, random(1n).fork('discovery'), target.observations);
    const before = target.history.records.length;
    const draws = random(1n).fork('over time');
    await discoverOverTime(target, target.answers, draws, wanted, target.observations);
    return { answer: target.answers.get(gap), more: target.history.records.length - before };
  } finally {
    await target.close();
  }
}

it.each(answers)('finds the answer to %s: %s', async (gap, answer) => {
  expect((await foundOn(gap, answer, [gap])).answer).toBe(answer);
});

it('asks nothing where nothing is wanted', async () => {
  expect(await foundOn('expiry.reason', 'unset', [])).toMatchObject({ more: 0 });
});
