import type { Correlation } from '../history/correlation.ts';
import type { Deviation } from '../spec/deviations.ts';
import type { Must } from './must.ts';
import type { Contrast, FindingOutcome, RunOutcome, Verdict } from './verdicts.ts';

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
    /**
     * Unique to this run: identifiers that the run created on the target are drawn from it. Absent: it created nothing.
     */
    readonly id?: string;
    readonly started_at: string;
    readonly finished_at: string;
    readonly wall_ms: number;
    readonly target_ms: number;
    /** Reason of an early end. Absent: the run came to its end. */
    readonly ended_early?: EndedEarly;
    /**
     * Words of the command line that a replay needs, as they were given: `--target`, `acme.yaml`. Absent: not known.
     */
    readonly started_with?: readonly string[];
  };
  readonly totals: {
    readonly requirements: Readonly<Record<Verdict, number>>;
    readonly checks: Readonly<Record<Verdict, number>>;
  };
  /** In the order of the catalogue. */
  readonly requirements: readonly RequirementReport[];
  readonly checks: readonly CheckReport[];
  /** Findings of the rules in the history of the run. */
  readonly rules: readonly CheckReport[];
  /** Probable causes, the strongest first. Absent: none. */
  readonly causes?: readonly CauseReport[];
  readonly gaps: readonly GapReport[];
  /** Share of the suite that was judged, and the needs that kept the run from the rest. Absent: no suite was run. */
  readonly coverage?: CoverageReport;
  /** Result of the scenarios, and of the interface apart from them. Absent: the run played none. */
  readonly play?: PlayReport;
  /** Reasons why the run could not judge: a party out of reach, a wrong role. Absent: none. */
  readonly preflight?: readonly string[];
  /** Notes on the target that decide nothing. Absent: none. */
  readonly notes?: readonly string[];
  /** Timeline of each scenario, for drawing. Absent: the run played none. */
  readonly scenarios?: readonly ScenarioReport[];
  /** Declared known failures, with their status. Absent: none were declared. */
  readonly waivers?: readonly WaiverReport[];
  /** Failures that no waiver covers, each with the reason. Absent: there are none, or no waivers were declared. */
  readonly unwaived?: readonly UnwaivedFailure[];
  /** Comparison with an earlier run. Absent: it was compared with none. */
  readonly baseline?: BaselineReport;
}

/**
 * Early end of a run. Unless its reason is `budget`, the run is never more than `incomplete`, even if something had
 * failed by then.
 */
export interface EndedEarly {
  /** A user stopped it; the target was gone, or its driven clock was lost; a limit of the run was reached. */
  readonly reason: 'signal' | 'target_gone' | 'clock_lost' | 'budget';
  /** The moment, as an ISO 8601 time of the host. */
  readonly at: string;
  /** In words for a person, without a full stop. */
  readonly detail: string;
}

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
  /** Number of failures. Absent: none. */
  readonly failed?: number;
  /** Difference between failures and passes. Absent: not known. */
  readonly contrast?: Contrast;
  /** It fails as was expected: why. */
  readonly waived?: string;
  /** All of its failures are in the baseline as well. */
  readonly known?: true;
}

/** One exercise that was no pass. */
export interface Failure {
  readonly requirement?: string;
  readonly outcome: Exclude<FindingOutcome, 'pass'>;
  readonly message: string;
  /** The value that had to be there, or `must` as a sentence. */
  readonly expected?: unknown;
  /** Condition on the value, if there is no single expected value. */
  readonly must?: Must;
  readonly actual?: unknown;
  /** Ids of exchanges and frames in `history.jsonl`. */
  readonly exchanges: readonly string[];
  /** Correlation ids of the requests, as in the target's own logs. Absent: they carried none. */
  readonly correlation?: readonly Correlation[];
  /** Kind of departure, as in `CauseReport`. */
  readonly deviation?: Deviation;
  /** The defect of the token with which a request was let through. Absent: the token was not the reason. */
  readonly token?: string;
  /** Possible places of the defect, the most likely first. Absent: not known. */
  readonly places?: readonly Place[];
  /** Ids of the orders that its evidence is about. Absent: none, or not known. */
  readonly orders?: readonly string[];
  /** Seed of its run, in a merged report of runs with several seeds. */
  readonly seed?: string;
  /** The page of its requirement, below the root of the documentation's site. Absent: it has none. */
  readonly docs?: string;
}

/** Result of one check or one rule. */
export interface CheckReport {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly verdict: Verdict;
  readonly reason?: string;
  /** Needs that the target lacks, if the check is out of scope for them. Absent: none. */
  readonly lacks?: readonly Lack[];
  /** Ids of the exchanges and frames that show its reason. Absent: none do, or its failures name them. */
  readonly seen?: readonly string[];
  /** The first few of each requirement. */
  readonly failures: readonly Failure[];
  /** Number of further failures. Absent: none. */
  readonly omitted?: number;
  /** Duration in milliseconds of target time; other checks ran as well. Absent: it was not run, or is a rule. */
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
  /** Number of requirements that cannot be judged while the answer is not known. */
  readonly unlocks: number;
}

/** The comparison with an earlier run. */
export interface BaselineReport {
  /** As it was named. */
  readonly file: string;
  readonly target: string;
  readonly seed: string;
  readonly finished_at: string;
  /** Limits of the comparison. Absent: none. */
  readonly notes?: readonly string[];
  /** Causes that fail now and did not fail then. */
  readonly new: readonly BaselineCause[];
  /** Causes that fail in both runs, and now break requirements that held then. */
  readonly wider: readonly BaselineCause[];
  /** Causes that failed then, were judged again, and do not fail now. */
  readonly fixed: readonly BaselineCause[];
  /** Causes that fail in both runs, and break nothing that held then. */
  readonly known: readonly BaselineCause[];
  /** Requirements that held then and do not now. */
  readonly regressed: readonly {
    readonly id: string;
    readonly before: Verdict;
    readonly after: Verdict;
  }[];
  /** Requirements that were judged then and are not now. */
  readonly unjudged: readonly string[];
  /** Changed gap answers. A side without a known answer is absent. */
  readonly gaps: readonly {
    readonly id: string;
    readonly before?: string;
    readonly after?: string;
  }[];
  /** Outcome of the run without known causes. Absent: it was only compared, and the baseline decides nothing. */
  readonly outcome?: RunOutcome;
}

/** A cause as a comparison names it. */
export type BaselineCause = Pick<CauseReport, 'id' | 'title' | 'requirements'>;

export interface WaiverReport {
  /** Id of a check, a rule or a requirement; of a cause if `kind` says so. */
  readonly id: string;
  readonly kind?: 'cause';
  readonly reason: string;
  /**
   * Text that the failure's message must contain; empty if the waiver names none. For a cause: its title; empty if the
   * run did not have the cause.
   */
  readonly message: string;
  /** Deviation that the failure must have. Absent: any, or of a cause. */
  readonly deviation?: Deviation;
  /** `untested`: nothing that it names was judged. `broken`: it passed, or failed otherwise. */
  readonly status: 'met' | 'untested' | 'broken';
  readonly problem?: string;
}

/** A failure that no waiver covers. */
export interface UnwaivedFailure {
  /** Id of the check or rule that found it. */
  readonly id: string;
  readonly requirement?: string;
  /** Ids of its causes. */
  readonly causes: readonly string[];
  readonly message: string;
  /** Reason why no waiver covers it. */
  readonly reason: string;
}

/** A place in the interface. */
export interface Place {
  readonly endpoint?: string;
  readonly event?: string;
  /** JSON path without numbers of items, as `data[].target_amount`. */
  readonly field?: string;
}

/** One probable cause of failures or warnings. */
export interface CauseReport {
  /** Stable across runs and seeds: made of its place and its deviation. */
  readonly id: string;
  /** One sentence that names the place. */
  readonly title: string;
  readonly outcome: 'fail' | 'warn';
  readonly place: Place;
  /** Further places at which it shows. Absent: none. */
  readonly also?: readonly Place[];
  /** Kind of departure, in a word or two: `wrong value`. */
  readonly deviation: string;
  /** The requirement that says best what is wrong: one of `requirements`. */
  readonly about?: string;
  /** In the order of the catalogue. */
  readonly requirements: readonly string[];
  /** Failures that it explains, the clearest first. */
  readonly failures: readonly {
    /** Id of a check or a rule. */
    readonly source: string;
    /** Index in the failures of the source. */
    readonly index: number;
  }[];
  /** Reason of the waiver that covers it. */
  readonly waived?: string;
  /** The baseline has it as well. */
  readonly known?: true;
}

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

/** Need of a check that the target does not declare, offer or allow. */
export type Lack =
  | { readonly party: string }
  | { readonly control: string }
  | { readonly signing: true }
  /** Wait longer than the target's `max_wait`, in milliseconds of target time. */
  | { readonly wait_ms: number };

/** Share of the suite that a run judged. The counts of `checks` add up to `all`. */
export interface CoverageReport {
  readonly checks: {
    readonly all: number;
    /** Checks that passed, failed or gave a warning. */
    readonly judged: number;
    /** Checks that ran without a verdict. */
    readonly undecided: number;
    /** Checks that the target's answers to gaps rule out. */
    readonly not_applicable: number;
    /** Checks that need something that the target lacks. */
    readonly out_of_scope: number;
    /** Checks outside the selected part of the suite. */
    readonly not_selected: number;
  };
  /** Selection of that part. Absent: the whole suite was selected. */
  readonly part?: {
    readonly profile?: string;
    readonly only?: readonly string[];
    /** `parts`: the shards that ran, counted from 1, ascending. `of`: number of equal shards. */
    readonly shard?: { readonly of: number; readonly parts: readonly number[] };
  };
  /** Needs that would bring checks into scope, those with the most checks first. */
  readonly left_out: readonly {
    /** All of these are needed, and nothing else. */
    readonly needs: readonly Lack[];
    /** Checks that these needs alone bring into scope. */
    readonly checks: number;
    /** Number of these checks that each `max_wait` brings. Absent: none waits too long. */
    readonly waits?: readonly { readonly max_wait_ms: number; readonly checks: number }[];
  }[];
  /**
   * Requirements that must hold and that nothing exercised, though the whole suite was selected and checks for them
   * ran. Absent: none.
   */
  readonly unexercised?: readonly { readonly id: string; readonly reason: string }[];
  /** Pairs of circumstances that met in the life of one order. Absent: not known. */
  readonly combinations?: CombinationReport;
  /** Ages, amounts and edges that were tried. Absent: not known. */
  readonly tried?: TriedReport;
}

/** Counts of the orders and quotes that a run created, by ages, amounts and edges that may matter to a service. */
export interface TriedReport {
  readonly orders: number;
  /** Orders created at least this long after the first. */
  readonly after_3_minutes: number;
  readonly after_1_hour: number;
  readonly after_1_day: number;
  readonly currency_pairs: number;
  readonly quotes: number;
  /** Number of distinct rates. */
  readonly rates: number;
  /** Quotes whose source amount is not a whole number of cents, by rate orientation. */
  readonly rounded_target_per_source: number;
  readonly rounded_source_per_target: number;
  /** Orders whose maximum equals the cost of a quote on them, or differs by one unit of its last place. */
  readonly maxima: {
    readonly exact: number;
    readonly one_above: number;
    readonly one_below: number;
  };
}

/** Pairs of circumstances that can come together in a run of checks. */
export interface CombinationReport {
  readonly admissible: number;
  readonly met: number;
  /** `factor=value & factor=value`, in the order of the alphabet. */
  readonly unmet: readonly string[];
}
