import { count, type MadeBy, membersOf, optional, text, valuesOf } from '../history/shape.ts';

/** Number of failed exercises, and of all exercises. */
const failedOf = membersOf({ failed: count, of: count });
export type FailedOf = MadeBy<typeof failedOf>;

/** Difference between the failed and the passed exercises of a requirement. */
export const contrast = membersOf({
  /** Circumstances that failures share and passes do not, by name: `{ "state": "SETTLED" }`. Absent: none stand out. */
  in: optional(valuesOf(text)),
  /** Counts in those circumstances. */
  there: optional(failedOf),
  /** Counts in all other circumstances. */
  elsewhere: optional(failedOf),
  /** Id of an exchange or frame that passed and is most like one that failed. */
  passed: optional(text),
});
export type Contrast = MadeBy<typeof contrast>;
