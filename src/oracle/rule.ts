import type { RequirementId } from '../spec/requirements/index.ts';
import type { HistoryView } from './trace/history-view.ts';

/** One exercise of a requirement, seen in a history. */
export interface Finding {
  readonly requirement: RequirementId;
  readonly outcome: 'pass' | 'fail' | 'warn' | 'inconclusive';
  /** How many like it this one stands for, itself included; one where absent. */
  readonly times?: number;
  /** For all but a pass: what was wrong, as a sentence in the past tense. */
  readonly message?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  /** Ids of exchanges and frames that show it. */
  readonly evidence: readonly string[];
}

/** A named predicate over a history: pure, and the same whatever drove the target. */
export interface Rule {
  readonly id: string;
  /** In our words, what must hold. */
  readonly title: string;
  readonly requirements: readonly RequirementId[];
  judge(view: HistoryView): Iterable<Finding>;
}
