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
}

/** Pairs of circumstances, of those that can come together in a run of checks. */
export interface CombinationReport {
  readonly admissible: number;
  readonly met: number;
  /** `factor=value & factor=value`, in the order of the alphabet. */
  readonly unmet: readonly string[];
}
