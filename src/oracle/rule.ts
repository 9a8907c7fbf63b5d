import type { ExerciseListener, Finding } from '../results/findings.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { HistoryView } from './trace/history-view.ts';

/** A named predicate over a history: pure, and the same for every driver of the target. */
export interface Rule {
  readonly id: string;
  /** In our words, what must hold. */
  readonly title: string;
  readonly requirements: readonly RequirementId[];
  /** @param exercised hears of each exercise besides; findings count equal ones together */
  judge(view: HistoryView, exercised?: ExerciseListener): Iterable<Finding>;
}
