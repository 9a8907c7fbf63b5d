import type { FindingOutcome, RunOutcome, Verdict } from './verdicts.ts';

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
      /** Between which two the offset lies, as far as it was known when the rules judged. */
      readonly offset_range_ms?: readonly [least: number, most: number];
    };
  };
  readonly run: {
    readonly seed: string;
    readonly started_at: string;
    readonly finished_at: string;
    readonly wall_ms: number;
    readonly target_ms: number;
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
  /** What probably broke, the most telling first. Absent: nothing did. */
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
  /** What fails beside the waivers, each with why no waiver takes it. Absent: nothing does, or none were declared. */
  readonly unwaived?: readonly UnwaivedFailure[];
  /** How the run differs from an earlier one. Absent: it was compared with none. */
  readonly baseline?: BaselineReport;
}

/** What a check needs that the target does not declare, offer or allow. */
export type Lack =
  | { readonly party: string }
  | { readonly control: string }
  | { readonly signing: true }
  /** Longer than its `max_wait`, in milliseconds of target time. */
  | { readonly wait_ms: number };

/** How much of the suite a run judged. The counts of `checks` add up to `all`. */
export interface CoverageReport {
  readonly checks: {
    readonly all: number;
    /** They passed, failed or gave a warning. */
    readonly judged: number;
    /** They ran, and came to no verdict. */
    readonly undecided: number;
    /** This target's own answers to gaps leave nothing of them. */
    readonly not_applicable: number;
    /** The target lacks what they need. */
    readonly out_of_scope: number;
    /** Only a part of the suite was asked for. */
    readonly not_selected: number;
  };
  /** How that part was chosen. Absent: the whole suite was asked for. */
  readonly part?: {
    readonly profile?: string;
    readonly only?: readonly string[];
    readonly shard?: string;
  };
  /** What would bring checks into scope, the most first. */
  readonly left_out: readonly {
    /** All of it is needed, and nothing else. */
    readonly needs: readonly Lack[];
    /** Checks that this alone brings into scope. */
    readonly checks: number;
    /** How many of them each `max_wait` brings. Absent: none waits too long. */
    readonly waits?: readonly { readonly max_wait_ms: number; readonly checks: number }[];
  }[];
  /**
   * Requirements that must hold and that nothing exercised, though the whole suite was asked for and checks for them
   * ran. Absent: none.
   */
  readonly unexercised?: readonly { readonly id: string; readonly reason: string }[];
  /** Which two circumstances of an order's life came together in some order. Absent: not known. */
  readonly combinations?: CombinationReport;
}

/** Pairs of circumstances, of those that can come together in a run of checks. */
export interface CombinationReport {
  readonly admissible: number;
  readonly met: number;
  /** `factor=value & factor=value`, in the order of the alphabet. */
  readonly unmet: readonly string[];
}

/** What a play came to. `outcome` of its report is the worse of both. */
export interface PlayReport {
  /** Of the scenarios' own expectations. */
  readonly scenarios: Readonly<Record<Verdict, number>>;
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
  readonly mismatches: readonly {
    /** In the answer; empty for the whole. */
    readonly path: string;
    readonly expected: string;
    readonly actual: string;
  }[];
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
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Ids of exchanges and frames in `history.jsonl`. */
  readonly exchanges: readonly string[];
  /** What kind of departure it is, as of a cause. */
  readonly deviation?: string;
  /** Where it may lie, the most likely place first. Absent: nothing tells. */
  readonly places?: readonly Place[];
  /** Ids of the orders that its evidence is about. Absent: none, or not known. */
  readonly orders?: readonly string[];
  /** The seed of the run that it is of, in a report that runs of several seeds were merged into. */
  readonly seed?: string;
  /** The page of its requirement, below the root of the documentation's site. Absent: it has none. */
  readonly docs?: string;
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
  /** The same in every run and for every seed: made of its place and its deviation. */
  readonly id: string;
  /** One sentence that names the place. */
  readonly title: string;
  readonly outcome: 'fail' | 'warn';
  readonly place: Place;
  /** Where it shows besides. Absent: nowhere. */
  readonly also?: readonly Place[];
  /** What kind of departure it is, in a word or two: `wrong value`. */
  readonly deviation: string;
  /** The requirement that says best what is wrong: one of `requirements`. */
  readonly about?: string;
  /** In the order of the catalogue. */
  readonly requirements: readonly string[];
  /** The failures that it explains, the most telling first. */
  readonly failures: readonly {
    /** Of a check or a rule. */
    readonly source: string;
    /** Its place in the failures of the source. */
    readonly index: number;
  }[];
  /** It was expected: why. */
  readonly waived?: string;
  /** The baseline has it as well. */
  readonly known?: true;
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
  /** The first few of each requirement. */
  readonly failures: readonly Failure[];
  /** How many more there were. Absent: none. */
  readonly omitted?: number;
  /** How long it took on the target's clock, beside all others. Absent: it was not run, or is a rule. */
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
  /** How many requirements stay locked while the answer is not known. */
  readonly unlocks: number;
}

export interface WaiverReport {
  /** Of a check, a rule or a requirement; of a cause, where `kind` says so. */
  readonly id: string;
  readonly kind?: 'cause';
  readonly reason: string;
  /** What the failure must say. Of a cause: what it said. */
  readonly message: string;
  /** `untested`: nothing that it speaks of was judged. `broken`: it passed, or failed otherwise. */
  readonly status: 'met' | 'untested' | 'broken';
  readonly problem?: string;
}

/** A failure that no waiver takes. */
export interface UnwaivedFailure {
  /** Of the check or rule that found it. */
  readonly id: string;
  readonly requirement?: string;
  /** Ids of its causes. */
  readonly causes: readonly string[];
  readonly message: string;
  /** Why no waiver takes it. */
  readonly reason: string;
}

/** What changed since an earlier run. */
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
