import type { EndedEarly } from '../results/run-report.ts';

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

/** One violation that a world shows. The same defect gives the same `cause` in every world. */
export interface WorldFinding {
  readonly cause: string;
  /** The rule, or the check of the inside, that found it. */
  readonly rule: string;
  readonly requirements: readonly string[];
  readonly message: string;
  /** Ids of the exchanges and frames of the world's history that show it. */
  readonly exchanges: readonly string[];
  /** Expected value, if the message does not say it. */
  readonly expected?: unknown;
  /** `defect`: of the target. `harness`: of Assay itself, such as a hash that differs. */
  readonly blame: 'defect' | 'harness';
}

/** Options that a world is made with, besides its seed: plain JSON, so that a job can carry them. */
export interface SimulationOptions {
  /** Names of faults that may be drawn; absent: all. Empty: none. */
  readonly faults?: readonly string[];
  /** The part of the system that plays it. `core` judges less: it has no tokens and no streams. */
  readonly depth: 'core' | 'process' | 'http';
  /** The target file of the backend that is used in place of the reference. */
  readonly target?: string;
  /** The reference with one defect. */
  readonly mutation?: string;
  /** About how many steps a world has; absent: drawn. */
  readonly steps?: number;
  /** Files whose rules judge beside those of the suite. */
  readonly checks?: readonly string[];
}

/** Plays one world and judges it. Never throws for what a target does. */
export type RunWorld = (seed: string, options: SimulationOptions) => Promise<WorldOutcome>;

/** Summary of many worlds. Summaries of disjoint sets of seeds merge, in any order, into one of all seeds. */
export interface CampaignSummary {
  readonly format: 'assay.campaign/1';
  /** Version and digest of the suite; summaries of different ones do not merge. */
  readonly suite: { readonly version: string; readonly digest: string };
  readonly options: SimulationOptions;
  /** Why the campaign ended before all its worlds were played. Absent: all were played. */
  readonly ended_early?: EndedEarly;
  /** Whole ranges of seeds in ascending order, which never overlap or touch. */
  readonly seeds: readonly SeedsSummary[];
  readonly worlds: number;
  readonly steps: number;
  readonly effective: number;
  readonly exchanges: number;
  readonly target_ms: number;
  readonly host_ms: number;
  readonly causes: readonly CauseSummary[];
  readonly reached: Readonly<Record<string, number>>;
  readonly met: readonly string[];
}

/** A range of consecutive seeds: the first, their number, and the host time of their worlds. */
export interface SeedsSummary {
  readonly first: string;
  readonly count: number;
  readonly host_ms: number;
}

export interface CauseSummary extends Omit<WorldFinding, 'exchanges'> {
  /** The smallest seed that shows it. */
  readonly first_seed: string;
  /** Number of seeds that show it. */
  readonly seeds: number;
  /** Host time that all worlds before the first one took, and its own; summed over shards as if one machine had run them. */
  readonly found_after_ms: number;
}
