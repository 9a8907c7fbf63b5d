import {
  allOf,
  count,
  duration,
  listOf,
  type MadeBy,
  membersOf,
  oneOf,
  optional,
  type Shape,
  shape,
  text,
  texts,
} from '../history/shape.ts';

/** Need of a check that the target does not declare, offer or allow. */
export type Lack =
  | { readonly party: string }
  | { readonly control: string }
  | { readonly signing: true }
  /** Wait longer than the target's `max_wait`, in milliseconds of target time. */
  | { readonly wait_ms: number };

export const lack = membersOf({
  party: optional(text),
  control: optional(text),
  signing: optional(oneOf(true)),
  wait_ms: optional(duration),
}) as Shape<Lack>;

/** Counts of the orders and quotes that a run created, by ages, amounts and edges that may matter to a service. */
const tried = membersOf({
  orders: count,
  /** Orders created at least this long after the first. */
  after_3_minutes: count,
  after_1_hour: count,
  after_1_day: count,
  currency_pairs: count,
  quotes: count,
  /** Number of distinct rates. */
  rates: count,
  /** Quotes whose source amount is not a whole number of cents, by rate orientation. */
  rounded_target_per_source: count,
  rounded_source_per_target: count,
  /** Orders whose maximum equals the cost of a quote on them, or differs by one unit of its last place. */
  maxima: allOf(count, 'exact', 'one_above', 'one_below'),
});
export type TriedReport = MadeBy<typeof tried>;

/** Pairs of circumstances that can come together in a run of checks. */
const combinations = membersOf({
  admissible: count,
  met: count,
  /** `factor=value & factor=value`, in the order of the alphabet. */
  unmet: texts,
});
export type CombinationReport = MadeBy<typeof combinations>;

/** `parts`: the shards that ran, counted from 1, ascending. `of`: number of equal shards. */
const shard = shape<{ readonly of: number; readonly parts: readonly number[] }>(
  'parts, as in { "of": 2, "parts": [1] }',
  (value) => {
    const { of, parts } = Object(value) as { readonly of?: unknown; readonly parts?: unknown };
    const isPart = (one: unknown): boolean =>
      Number.isInteger(one) && Number(one) >= 1 && Number(one) <= Number(of);
    return (
      Number.isSafeInteger(of) && Array.isArray(parts) && parts.length > 0 && parts.every(isPart)
    );
  },
);

/** Share of the suite that a run judged. The counts of `checks` add up to `all`. */
export const coverage = membersOf({
  checks: membersOf({
    all: count,
    /** Checks that passed, failed or gave a warning. */
    judged: count,
    /** Checks that ran without a verdict. */
    undecided: count,
    /** Checks that the target's answers to gaps rule out. */
    not_applicable: count,
    /** Checks that need something that the target lacks. */
    out_of_scope: count,
    /** Checks outside the selected part of the suite. */
    not_selected: count,
  }),
  /** Selection of that part. Absent: the whole suite was selected. */
  part: optional(
    membersOf({ profile: optional(text), only: optional(texts), shard: optional(shard) }),
  ),
  /** Needs that would bring checks into scope, those with the most checks first. */
  left_out: listOf(
    membersOf({
      /** All of these are needed, and nothing else. */
      needs: listOf(lack),
      /** Checks that these needs alone bring into scope. */
      checks: count,
      /** Number of these checks that each `max_wait` brings. Absent: none waits too long. */
      waits: optional(listOf(membersOf({ max_wait_ms: duration, checks: count }))),
    }),
  ),
  /**
   * Requirements that must hold and that nothing exercised, though the whole suite was selected and checks for them
   * ran. Absent: none.
   */
  unexercised: optional(listOf(allOf(text, 'id', 'reason'))),
  /** Pairs of circumstances that met in the life of one order. Absent: not known. */
  combinations: optional(combinations),
  /** Ages, amounts and edges that were tried. Absent: not known. */
  tried: optional(tried),
});
export type CoverageReport = MadeBy<typeof coverage>;
