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
