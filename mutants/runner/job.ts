import type { Verdict } from '../../src/results/verdicts.ts';
import type { GapId } from '../../src/spec/gaps/index.ts';

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
