import {
  anything,
  count,
  duration,
  listOf,
  type MadeBy,
  membersOf,
  oneOf,
  optional,
  seed,
  text,
  texts,
  valuesOf,
} from '../history/shape.ts';
import { endedEarly } from '../results/run-report.ts';

/**
 * Result of one world, as plain JSON: workers send it, campaigns store it, reports merge it. The seed, the options and
 * the version of the suite determine all of it except `host_ms`.
 */
export interface WorldOutcome {
  /** `0x` and sixteen digits. */
  readonly seed: string;
  /** Hash over every message and virtual moment, in order. It is the same wherever and however often the seed runs. */
  readonly hash: string;
  /** Steps that were planned, and those of them that took effect (a command was granted, a fault struck). */
  readonly steps: number;
  readonly effective: number;
  readonly exchanges: number;
  readonly frames: number;
  /** Time that passed on the world's clock, in milliseconds. */
  readonly target_ms: number;
  /** Time that the world took on this host, in milliseconds. */
  readonly host_ms: number;
  readonly findings: readonly WorldFinding[];
  /** Number of times each situation of the catalogue came about. A situation that did not come about is missing. */
  readonly reached: Readonly<Record<string, number>>;
  /** Factors of orders' lives that met, as `factor=value` joined by ` & ` in the order of the alphabet. */
  readonly met: readonly string[];
}

const violation = {
  cause: text,
  /** The rule, or the check of the inside, that found it. */
  rule: text,
  requirements: texts,
  message: text,
  /** Expected value, if the message does not say it. */
  expected: optional(anything),
  /** `defect`: of the target. `harness`: of Assay itself, such as a hash that differs. */
  blame: oneOf('defect', 'harness'),
};

/** One violation that a world shows. The same defect gives the same `cause` in every world. */
const finding = membersOf({
  ...violation,
  /** Ids of the exchanges and frames of the world's history that show it. */
  exchanges: texts,
});
export type WorldFinding = MadeBy<typeof finding>;

/** A finding about the target. */
export const defect = (
  cause: string,
  rule: string,
  message: string,
  more: Partial<Pick<WorldFinding, 'requirements' | 'exchanges' | 'expected'>> = {},
): WorldFinding => ({
  cause,
  rule,
  requirements: [],
  message,
  exchanges: [],
  ...more,
  blame: 'defect',
});

/** A finding about Assay itself. */
export const fault = (...of: Parameters<typeof defect>): WorldFinding => ({
  ...defect(...of),
  blame: 'harness',
});

type Known = Pick<WorldFinding, 'cause' | 'rule' | 'requirements'>;

/**
 * True if a finding shows nothing but what another one shows: the same cause, or some of its requirements by the same
 * rule. The name of a cause depends on all places in a world that show it.
 */
export const isPartOf = (one: Known, whole: Known): boolean =>
  one.cause === whole.cause ||
  (one.rule === whole.rule &&
    one.requirements.length > 0 &&
    one.requirements.every((requirement) => whole.requirements.includes(requirement)));

/** Options that a world is made with, besides its seed: plain JSON, so that a job can carry them. */
const options = membersOf({
  /** Names of faults that may be drawn; absent: all. Empty: none. */
  faults: optional(texts),
  /** The part of the system that plays it. `core` judges less: it has no tokens and no streams. */
  depth: oneOf('core', 'process', 'http'),
  /** The target file of the backend that is used in place of the reference. */
  target: optional(text),
  /** The reference with one defect. */
  mutation: optional(text),
  /** About how many steps a world has; absent: drawn. */
  steps: optional(count),
  /** Files whose rules judge beside those of the suite. */
  checks: optional(texts),
});
export type SimulationOptions = MadeBy<typeof options>;

/** Plays one world and judges it. Never throws for what a target does. */
export type RunWorld = (seed: string, options: SimulationOptions) => Promise<WorldOutcome>;

/** A range of consecutive seeds: the first, their number, and the host time of their worlds. */
const seeds = membersOf({ first: seed, count, host_ms: duration });
export type SeedsSummary = MadeBy<typeof seeds>;

const cause = membersOf({
  ...violation,
  /** The smallest seed that shows it. */
  first_seed: text,
  /** Number of seeds that show it. */
  seeds: count,
  /** Host time that all worlds before the first one took, and its own; summed over shards as if one machine had run them. */
  found_after_ms: duration,
});
export type CauseSummary = MadeBy<typeof cause>;

/** Summary of many worlds. Summaries of disjoint sets of seeds merge, in any order, into one of all seeds. */
export const campaignSummary = membersOf({
  format: oneOf('assay.campaign/1'),
  /** Version and digest of the suite; summaries of different ones do not merge. */
  suite: membersOf({ version: text, digest: text }),
  options,
  /** Why the campaign ended before all its worlds were played. Absent: all were played. */
  ended_early: optional(endedEarly),
  /** Whole ranges of seeds in ascending order, which never overlap or touch. */
  seeds: listOf(seeds),
  worlds: count,
  steps: count,
  effective: count,
  exchanges: count,
  target_ms: duration,
  host_ms: duration,
  causes: listOf(cause),
  reached: valuesOf(count),
  met: texts,
});
export interface CampaignSummary extends MadeBy<typeof campaignSummary> {}

/** False if no order came about: then nothing is known. The core alone has no circumstances that could have met. */
export const hadOrders = ({ met, reached }: CampaignSummary): boolean =>
  met.length > 0 || Object.keys(reached).some((name) => name.startsWith('end: '));
