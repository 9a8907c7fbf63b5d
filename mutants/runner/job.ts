import { random } from '../../src/random/random.ts';
import type { Verdict } from '../../src/results/verdicts.ts';
import { type GapId, gapIds, gaps } from '../../src/spec/gaps/index.ts';
import type { Mutation } from '../index.ts';

export type Suite = 'narrow' | 'narrow-only' | 'whole';

/** One run of the whole suite against one reference. */
export type Job =
  | { readonly kind: 'plain' }
  /**
   * `narrow`: first alone the checks that name a requirement which the mutation breaks, then with them those that
   * drive the lives of orders, then the whole suite, until it is found. `narrow-only`: never the whole suite.
   * `whole`: the whole suite in any case.
   */
  | { readonly kind: 'mutation'; readonly id: string; readonly suite: Suite }
  | {
      readonly kind: 'assignment';
      readonly name: string;
      readonly changes: AnswerChanges;
      /** Number of orders that the target holds from before. */
      readonly oldOrders?: number;
    };

/** Answers to gaps that differ from the usual ones. */
export type AnswerChanges = { readonly [id in GapId]?: string };

/** Result of a run, small enough to be sent from one thread to another. */
export interface JobResult {
  readonly job: Job;
  readonly outcome: string;
  /** Part of the suite that was run. */
  readonly suite: 'narrow' | 'wider' | 'whole';
  /** Verdict of every requirement of the catalogue, by its id. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** First message of each requirement that failed or warned. */
  readonly messages: Readonly<Record<string, string>>;
  /** Checks and rules that broke, or the run itself. */
  readonly broke: readonly string[];
  /** Checks and rules that failed or warned. */
  readonly by: readonly string[];
  /** Answers to gaps that were seen as others than they are, or as changing. */
  readonly misread: readonly string[];
  readonly wallMs: number;
}

export const nameOf = (job: Job): string => {
  if (job.kind === 'plain') return 'the reference';
  return job.kind === 'mutation' ? job.id : job.name;
};

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
