import type { Correlation } from '../history/correlation.ts';
import type { CauseReport, Place } from './cause-report.ts';
import type { CoverageReport, Lack } from './coverage-report.ts';
import type { Deviation } from '../spec/deviations.ts';
import type { Must } from './must.ts';
import type { PlayReport, ScenarioReport } from './play-report.ts';
import type { Contrast, FindingOutcome, RunOutcome, Verdict } from './verdicts.ts';

// With these a reader of `report.json` has all of its types from one place.
export type * from './cause-report.ts';
export type * from './coverage-report.ts';
export type * from './play-report.ts';

export const reportFormat = 'assay.report/1';

/** `report.json`, the source of every other format. Keys in this order. */
export interface RunReport {
  readonly format: typeof reportFormat;
  readonly outcome: RunOutcome;
  readonly suite: { readonly version: string; readonly digest: string };
  readonly target: {
    readonly name: string;
    readonly participants: Readonly<
      Record<string, { readonly role: string; readonly base_url: string }>
    >;
    readonly clock: {
      readonly kind: string;
      readonly max_wait_ms?: number;
      readonly offset_ms?: number;
      /** The offset lies between these two, as far as it was known when the rules judged. */
      readonly offset_range_ms?: readonly [least: number, most: number];
    };
  };
  readonly run: {
    readonly seed: string;
    /** Of this run alone: what it created on the target has identifiers drawn by it. Absent: it created nothing. */
    readonly id?: string;
    readonly started_at: string;
    readonly finished_at: string;
    readonly wall_ms: number;
    readonly target_ms: number;
    /** Why it ended before all was judged. Absent: it came to its end. */
    readonly ended_early?: EndedEarly;
    /** Words of the command line that a replay needs, as they were given: `--target`, `acme.yaml`. Absent: not known. */
    readonly started_with?: readonly string[];
  };
  readonly totals: {
    readonly requirements: Readonly<Record<Verdict, number>>;
    readonly checks: Readonly<Record<Verdict, number>>;
  };
  /** In the order of the catalogue. */
  readonly requirements: readonly RequirementReport[];
  readonly checks: readonly CheckReport[];
  /** What the rules found in the history of the run. */
  readonly rules: readonly CheckReport[];
  /** What probably broke, the strongest first. Absent: nothing did. */
  readonly causes?: readonly CauseReport[];
  readonly gaps: readonly GapReport[];
  /** How much of the suite was judged, and what kept the run from the rest. Absent: no suite of checks was run. */
  readonly coverage?: CoverageReport;
  /** What came of the scenarios that were played, and of the interface apart from them. Absent: the run played none. */
  readonly play?: PlayReport;
  /** What kept the run from judging: a party out of reach, a wrong role. Absent: nothing. */
  readonly preflight?: readonly string[];
  /** What a reader should know of the target and that decides nothing. Absent: nothing. */
  readonly notes?: readonly string[];
  /** What happened in each scenario, for drawing. Absent: the run played none. */
  readonly scenarios?: readonly ScenarioReport[];
  /** Known failures that were declared, and what became of them. Absent: none were. */
  readonly waivers?: readonly WaiverReport[];
  /** Failures that no waiver covers, each with the reason. Absent: there are none, or no waivers were declared. */
  readonly unwaived?: readonly UnwaivedFailure[];
  /** How the run differs from an earlier one. Absent: it was compared with none. */
  readonly baseline?: BaselineReport;
}

/** A run that ended before all was judged is never more than `incomplete`, whatever had failed by then. */
export interface EndedEarly {
  /** Somebody stopped it; the target was gone, or its driven clock was lost; a limit of the run was reached. */
  readonly reason: 'signal' | 'target_gone' | 'clock_lost' | 'budget';
  /** The moment, as an ISO 8601 time of the host. */
  readonly at: string;
  /** In words for a person, without a full stop. */
  readonly detail: string;
}

/** A clock that is lost may have been wrong for a while: what failed before is no verdict. */
export const endOfClock = (detail: string, at: string): EndedEarly => ({
  reason: 'clock_lost',
  at,
  detail,
});

export interface RequirementReport {
  readonly id: string;
  readonly part: string;
  readonly level: 'must' | 'vague';
  readonly summary: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  /** Ids of the checks and rules that judged it. */
  readonly judged_by: readonly string[];
  readonly exercised: number;
  /** How often it failed. Absent: never. */
  readonly failed?: number;
  /** How failures differ from passes. Absent: not known. */
  readonly contrast?: Contrast;
  /** It fails as was expected: why. */
  readonly waived?: string;
  /** It fails for nothing but what the baseline has as well. */
  readonly known?: true;
}

/** One exercise that was no pass. */
export interface Failure {
  readonly requirement?: string;
  readonly outcome: Exclude<FindingOutcome, 'pass'>;
  readonly message: string;
  /** The value that had to be there, or `must` as a sentence. */
  readonly expected?: unknown;
  /** All that had to be there, where that is no single value. */
  readonly must?: Must;
  readonly actual?: unknown;
  /** Ids of exchanges and frames in `history.jsonl`. */
  readonly exchanges: readonly string[];
  /** What the requests among them were called, as the target's own logs have it. Absent: they carried no ids. */
  readonly correlation?: readonly Correlation[];
  /** What kind of departure it is, as of a cause. */
  readonly deviation?: Deviation;
  /** The defect of the token with which a request was let through. Absent: the token was not the reason. */
  readonly token?: string;
  /** Where it may lie, the most likely place first. Absent: not known. */
  readonly places?: readonly Place[];
  /** Ids of the orders that its evidence is about. Absent: none, or not known. */
  readonly orders?: readonly string[];
  /** The seed of the run that it is of, in a report that runs of several seeds were merged into. */
  readonly seed?: string;
  /** The page of its requirement, below the root of the documentation's site. Absent: it has none. */
  readonly docs?: string;
}

/** What one check or one rule came to. */
export interface CheckReport {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly verdict: Verdict;
  readonly reason?: string;
  /** What it needs and the target lacks, where it is out of scope for that. Absent: nothing. */
  readonly lacks?: readonly Lack[];
  /** Ids of the exchanges and frames that show its reason. Absent: none do, or its failures name them. */
  readonly seen?: readonly string[];
  /** The first few of each requirement. */
  readonly failures: readonly Failure[];
  /** How many more there were. Absent: none. */
  readonly omitted?: number;
  /** How long it took on the target's clock, while other checks ran, too. Absent: it was not run, or is a rule. */
  readonly took_ms?: number;
  /** It fails as was expected: why. */
  readonly waived?: string;
}

export interface GapReport {
  readonly id: string;
  readonly part: string;
  readonly question: string;
  readonly declared?: string;
  readonly observed?: string;
  readonly consistent: boolean;
  /** How many requirements cannot be judged while the answer is not known. */
  readonly unlocks: number;
}

/** The comparison with an earlier run. */
export interface BaselineReport {
  /** As it was named. */
  readonly file: string;
  readonly target: string;
  readonly seed: string;
  readonly finished_at: string;
  /** What limits the comparison. Absent: nothing. */
  readonly notes?: readonly string[];
  /** Causes that fail now and did not then. */
  readonly new: readonly BaselineCause[];
  /** Causes that fail in both, and break requirements now that held then. */
  readonly wider: readonly BaselineCause[];
  /** Causes that failed then, do no more, and were looked at. */
  readonly fixed: readonly BaselineCause[];
  /** Causes that fail in both, and break nothing that held. */
  readonly known: readonly BaselineCause[];
  /** Requirements that held then and do not now. */
  readonly regressed: readonly {
    readonly id: string;
    readonly before: Verdict;
    readonly after: Verdict;
  }[];
  /** Requirements that were judged then and are not now. */
  readonly unjudged: readonly string[];
  /** Gap answers that are others now; absent on a side that does not know any. */
  readonly gaps: readonly {
    readonly id: string;
    readonly before?: string;
    readonly after?: string;
  }[];
  /** What the run comes to without what is known. Absent: it was only compared, and the baseline decides nothing. */
  readonly outcome?: RunOutcome;
}

/** A cause as a comparison names it. */
export type BaselineCause = Pick<CauseReport, 'id' | 'title' | 'requirements'>;

export interface WaiverReport {
  /** Of a check, a rule or a requirement; of a cause, where `kind` says so. */
  readonly id: string;
  readonly kind?: 'cause';
  readonly reason: string;
  /** What the failure must say. Of a cause: what it said. */
  readonly message: string;
  /** `untested`: nothing that it names was judged. `broken`: it passed, or failed otherwise. */
  readonly status: 'met' | 'untested' | 'broken';
  readonly problem?: string;
}

/** A failure that no waiver covers. */
export interface UnwaivedFailure {
  /** Of the check or rule that found it. */
  readonly id: string;
  readonly requirement?: string;
  /** Ids of its causes. */
  readonly causes: readonly string[];
  readonly message: string;
  /** Why no waiver covers it. */
  readonly reason: string;
}
