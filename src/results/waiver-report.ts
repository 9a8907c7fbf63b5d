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
