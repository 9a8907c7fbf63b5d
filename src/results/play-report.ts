import type { Correlation } from '../history/correlation.ts';
import type { RunOutcome, Verdict } from './verdicts.ts';

/** Result of a play: its scenarios, and the rules. `outcome` of its report is the worse of both. */
export interface PlayReport {
  /** Number of scenarios with each verdict, by their own expectations. */
  readonly scenarios: Readonly<Record<Verdict, number>>;
  /** Number of failed scenarios that a waiver covers; they also count as failed. Absent: none. */
  readonly waived?: number;
  /** Outcome of the rules on the interface, independent of what scenarios expected. */
  readonly interface: RunOutcome;
}

/** One scenario's timeline. */
export interface ScenarioReport {
  readonly id: string;
  readonly verdict: Verdict;
  /** The order in which the branches of each `together` began. */
  readonly drawn: readonly string[];
  readonly timeline: readonly {
    /** Target time since the scenario began. */
    readonly at_ms: number;
    readonly says: string;
    readonly party?: string;
    readonly outcome?: string;
    /** Id in `history.jsonl`. */
    readonly exchange?: string;
    /** Line in the scenario's file. */
    readonly line?: number;
  }[];
  /** Duration in milliseconds of target time. */
  readonly took_ms?: number;
  /** Absent: none. */
  readonly failures?: readonly ScenarioFailure[];
}

/** Location of a failed step, with all of its mismatches. */
export interface ScenarioFailure {
  /** Number of timeline lines before it. */
  readonly after: number;
  /** file:line:col */
  readonly at: string;
  readonly message: string;
  /** Ids in `history.jsonl`. */
  readonly exchanges: readonly string[];
  /** As in `Failure`. */
  readonly correlation?: readonly Correlation[];
  readonly mismatches: readonly {
    /** Path in the answer. Empty: the whole answer. */
    readonly path: string;
    readonly expected: string;
    readonly actual: string;
  }[];
}
