import type { CauseReport } from './cause-report.ts';
import type { RunOutcome, Verdict } from './verdicts.ts';

/** What changed since an earlier run. */
export interface BaselineReport {
  /** As it was named. */
  readonly file: string;
  readonly target: string;
  readonly seed: string;
  readonly finished_at: string;
  /** What limits the comparison. Absent: nothing. */
  readonly notes?: readonly string[];
  /** Causes that fail now and did not then. */
  readonly new: readonly BaselineCause[];
  /** Causes that fail in both, and break requirements now that held then. */
  readonly wider: readonly BaselineCause[];
  /** Causes that failed then, do no more, and were looked at. */
  readonly fixed: readonly BaselineCause[];
  /** Causes that fail in both, and break nothing that held. */
  readonly known: readonly BaselineCause[];
  /** Requirements that held then and do not now. */
  readonly regressed: readonly {
    readonly id: string;
    readonly before: Verdict;
    readonly after: Verdict;
  }[];
  /** Requirements that were judged then and are not now. */
  readonly unjudged: readonly string[];
  /** Gap answers that are others now; absent on a side that does not know any. */
  readonly gaps: readonly {
    readonly id: string;
    readonly before?: string;
    readonly after?: string;
  }[];
  /** What the run comes to without what is known. Absent: it was only compared, and the baseline decides nothing. */
  readonly outcome?: RunOutcome;
}

/** A cause as a comparison names it. */
export type BaselineCause = Pick<CauseReport, 'id' | 'title' | 'requirements'>;
