import type { HistoryView } from '../../oracle/trace/history-view.ts';
import {
  type InvariantMoment,
  type InsideViolation,
  insideViolations,
} from '../../reference/core/invariants.ts';
import { defect, type WorldFinding } from '../outcome.ts';
import type { Inside } from '../run-plan.ts';

/** Checks the inside of a target at each quiescent moment. */
export function watchInvariants() {
  const found = new Map<string, InsideViolation>();
  let before: InvariantMoment | undefined;
  return {
    /** Pass this as `PlayOptions.observe`. */
    observe: ({ world, now, isLate }: Pick<Inside, 'world' | 'now' | 'isLate'>): void => {
      // While the host is paused, nothing can be called overdue.
      const moment = { state: world.state(), now: isLate ? Number.NEGATIVE_INFINITY : now };
      for (const violation of insideViolations(before ?? moment, moment)) {
        const { invariant, way } = violation;
        const cause = `inside.${invariant}${way === undefined ? '' : ` · ${way}`}`;
        if (!found.has(cause)) found.set(cause, violation);
      }
      before = moment;
    },
    /** Violations so far, one finding for each cause. The same defect has the same cause in every world. */
    findings: (view?: HistoryView): readonly WorldFinding[] =>
      [...found].map(([cause, { invariant, message, intentId = '' }]) =>
        defect(cause, `inside.${invariant}`, message, { exchanges: creationOf(view, intentId) }),
      ),
  };
}

/** Id of the exchange that created the order, for readers of the finding; empty if unknown. */
function creationOf(view: HistoryView | undefined, intentId: string): readonly string[] {
  const order = view?.orders.get(intentId) ?? view?.orders.get(intentId.toLowerCase());
  return order?.creation ? [order.creation.exchange.id] : [];
}
