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
