import type { HistoryView } from '../../oracle/trace/history-view.ts';
import {
  type InvariantMoment,
  type InsideViolation,
  insideViolations,
} from '../../reference/core/invariants.ts';
import type { WorldFinding } from '../outcome.ts';
import type { Inside } from '../run-plan.ts';

/** Checks the inside of a target at each quiescent moment. */
export interface InvariantWatch {
  /** Pass this as `PlayOptions.observe`. */
  readonly observe: (inside: Inside) => void;
  /** Violations so far, one finding for each cause. */
  findings(view: HistoryView): readonly WorldFinding[];
}

/** Cause name of a violation: the same in every world for the same defect. */
export const causeInside = ({ invariant, way }: InsideViolation): string =>
  `inside.${invariant}${way === undefined ? '' : ` · ${way}`}`;

const momentOf = ({ world, now, isLate }: Inside): InvariantMoment => ({
  state: world.state(),
  // While the host is paused, nothing can be called overdue.
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

/** Id of the exchange that created the order, for readers of the finding; empty if unknown. */
function creationsOf(view: HistoryView, intentId: string | undefined): readonly string[] {
  const creation = intentId === undefined ? undefined : orderNamed(view, intentId)?.creation;
  return creation ? [creation.exchange.id] : [];
}

const orderNamed = (view: HistoryView, intentId: string) =>
  view.orders.get(intentId) ?? view.orders.get(intentId.toLowerCase());
