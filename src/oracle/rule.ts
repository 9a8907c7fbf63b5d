import type { Finding } from '../results/findings.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import type { HistoryView } from './trace/history-view.ts';

/** A named predicate over a history: pure, and the same whatever drove the target. */
export interface Rule {
  readonly id: string;
  /** In our words, what must hold. */
  readonly title: string;
  readonly requirements: readonly RequirementId[];
  judge(view: HistoryView): Iterable<Finding>;
}
