import type { Correlation } from '../history/correlation.ts';
import type { RunOutcome, Verdict } from './verdicts.ts';

/** What a play came to. `outcome` of its report is the worse of both. */
export interface PlayReport {
  /** Of the scenarios' own expectations. */
  readonly scenarios: Readonly<Record<Verdict, number>>;
  /** Scenarios that failed as a waiver says; among those that failed. Absent: none. */
  readonly waived?: number;
  /** What the rules say of the interface, whatever scenarios expected. */
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
    /** In the scenario's file. */
    readonly line?: number;
  }[];
  /** How long it took on the target's clock. */
  readonly took_ms?: number;
  /** Absent: none. */
  readonly failures?: readonly ScenarioFailure[];
}

/** Where a scenario failed, and all that was not as it must be. */
export interface ScenarioFailure {
  /** How many lines of the timeline came before it. */
  readonly after: number;
  /** file:line:col */
  readonly at: string;
  readonly message: string;
  /** Ids in `history.jsonl`. */
  readonly exchanges: readonly string[];
  /** As of a failure. */
  readonly correlation?: readonly Correlation[];
  readonly mismatches: readonly {
    /** In the answer; empty for the whole. */
    readonly path: string;
    readonly expected: string;
    readonly actual: string;
  }[];
}
