import { random } from '../../src/random/random.ts';
import { type GapId, gapIds, gaps } from '../../src/spec/gaps/index.ts';
import type { Mutation } from '../index.ts';
import type { AnswerChanges, Job, Suite } from './job.ts';

export const mutationJobs = (mutations: readonly Mutation[], suite: Suite): Job[] =>
  mutations.map(({ id }) => ({ kind: 'mutation', id, suite }));

/** Jobs with one gap answered differently, one job for every other answer that the reference can be built with. */
export const singleAssignments = (): Job[] =>
  gapIds.flatMap((id) =>
    gaps[id].values
      .slice(1)
      .map(
        (value): Job => ({ kind: 'assignment', name: `${id}=${value}`, changes: { [id]: value } }),
      ),
  );

/** The reference with all gaps answered at random; which answers depends on the seed and the number alone. */
export function randomAssignment(seed: bigint, number: number): Job {
  const draws = random(seed).fork('assignments').fork(String(number));
  const changes: { [id in GapId]?: string } = {};
  for (const id of gapIds) {
    const value = draws.fork(id).pick(gaps[id].values);
    if (value !== gaps[id].values[0]) changes[id] = value;
  }
  return { kind: 'assignment', name: `combination ${number}`, changes };
}

export const randomAssignments = (seed: bigint, count: number): Job[] =>
  Array.from({ length: count }, (_, index) => randomAssignment(seed, index + 1));

/** The usual reference, with the old orders of a long life. */
export const targetWithOldOrders = (oldOrders: number): Job => ({
  kind: 'assignment',
  name: `${oldOrders} old orders`,
  changes: {},
  oldOrders,
});

/** A part of a list, another one for each rotation, so that all of it is seen within `of` rotations. */
export const slice = <T>(all: readonly T[], rotation: number, of: number): T[] =>
  all.filter((_, index) => index % of === rotation % of);

/** Answers in the form of a `--gaps` file, on one line. */
export const changesText = (changes: AnswerChanges): string =>
  Object.entries(changes)
    .map(([id, value]) => `${id}=${value}`)
    .join(' ');
