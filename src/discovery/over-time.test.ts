import { expect, it } from 'vitest';
import { random } from '../random/random.ts';
import { type GapId, gaps } from '../spec/gaps/index.ts';
import { assign } from '../target/embedded/assignment.ts';
import { discovered, withEmbedded } from '../../test/support/tampered.ts';
import { discoverOverTime, gapsOverTime } from './over-time.ts';

/** The n-th world gives each of these gaps its n-th answer, so that every answer is to be found. */
const most = Math.max(...gapsOverTime.map((gap) => gaps[gap].values.length));
const worlds = Array.from({ length: most }, (_, nth) =>
  Object.fromEntries(
    gapsOverTime.flatMap((gap) => {
      const value = gaps[gap].values[nth];
      return value === undefined ? [] : [[gap, value]];
    }),
  ),
);

const foundOn = (answers: { readonly [id in GapId]?: string }, wanted: readonly GapId[]) =>
  withEmbedded({ assignment: assign(answers), listening: false }, async (target) => {
    await discovered(target);
    const before = target.history.records.length;
    const draws = random(1n).fork('over time');
    await discoverOverTime(target, target.answers, draws, wanted, target.observations);
    const found = wanted.map((gap) => [gap, target.answers.get(gap)]);
    return { found: Object.fromEntries(found), more: target.history.records.length - before };
  });

it.each(worlds)('finds every answer of world %#', async (answers) => {
  const { found } = await foundOn(answers, Object.keys(answers) as GapId[]);
  expect(found).toEqual(answers);
});

it('asks nothing where nothing is wanted', async () => {
  expect(await foundOn({ 'expiry.reason': 'unset' }, [])).toMatchObject({ more: 0 });
});
