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
    /** Which of so many equal parts, counted from 1, in ascending order. */
    readonly shard?: { readonly of: number; readonly parts: readonly number[] };
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
  /** Ages, amounts and edges that were tried. Absent: not known. */
  readonly tried?: TriedReport;
}

/** How often a run tried what may matter to a service. Counts of orders and quotes that it created. */
export interface TriedReport {
  readonly orders: number;
  /** Of the orders, those created so long after the first. */
  readonly after_3_minutes: number;
  readonly after_1_hour: number;
  readonly after_1_day: number;
  readonly currency_pairs: number;
  readonly quotes: number;
  /** Distinct ones. */
  readonly rates: number;
  /** Quotes whose source amount does not come out in cents, by what a rate means. */
  readonly rounded_target_per_source: number;
  readonly rounded_source_per_target: number;
  /** Orders whose maximum is what a quote on them costs, or one unit of its last place from it. */
  readonly maxima: {
    readonly exact: number;
    readonly one_above: number;
    readonly one_below: number;
  };
}

/** Pairs of circumstances, of those that can come together in a run of checks. */
export interface CombinationReport {
  readonly admissible: number;
  readonly met: number;
  /** `factor=value & factor=value`, in the order of the alphabet. */
  readonly unmet: readonly string[];
}
