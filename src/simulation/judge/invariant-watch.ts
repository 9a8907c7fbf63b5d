import type { HistoryView } from '../../oracle/trace/history-view.ts';
import {
  type InvariantMoment,
  type InsideViolation,
  insideViolations,
} from '../../reference/core/invariants.ts';
import type { WorldFinding } from '../outcome.ts';
import type { Inside } from '../run-plan.ts';

/** Looks at the inside of a target from one quiescent moment to the next. */
export interface InvariantWatch {
  /** What `PlayOptions.observe` calls. */
  readonly observe: (inside: Inside) => void;
  /** What was violated so far, one finding for each cause. */
  findings(view: HistoryView): readonly WorldFinding[];
}

/** One name for the same defect in every world. */
export const causeInside = ({ invariant, way }: InsideViolation): string =>
  `inside.${invariant}${way === undefined ? '' : ` · ${way}`}`;

const momentOf = ({ world, now, isLate }: Inside): InvariantMoment => ({
  state: world.state(),
  // Where the host stood still, nothing can be said to be overdue.
  now: isLate ? Number.NEGATIVE_INFINITY : now,
});

export function watchInvariants(): InvariantWatch {
  const found = new Map<string, InsideViolation>();
  let before: InvariantMoment | undefined;
  return {
    observe(inside) {
      const moment = momentOf(inside);
      for (const violation of insideViolations(before ?? moment, moment)) {
        const cause = causeInside(violation);
        if (!found.has(cause)) found.set(cause, violation);
      }
      before = moment;
    },
    findings: (view) =>
      [...found].map(([cause, { invariant, message, intentId }]) => ({
        cause,
        rule: `inside.${invariant}`,
        requirements: [],
        message,
        exchanges: creationsOf(view, intentId),
        blame: 'defect',
      })),
  };
}

/** The exchange that an order came from, for whoever looks into what became of it. */
function creationsOf(view: HistoryView, intentId: string | undefined): readonly string[] {
  const creation = intentId === undefined ? undefined : orderNamed(view, intentId)?.creation;
  return creation ? [creation.exchange.id] : [];
}

const orderNamed = (view: HistoryView, intentId: string) =>
  view.orders.get(intentId) ?? view.orders.get(intentId.toLowerCase());
