import type { History } from '../history/records.ts';

/** A history, indexed for the rules. */
export interface HistoryView {
  readonly history: History;
}
