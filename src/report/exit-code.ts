import { exitCodeOf } from '../results/run-outcome.ts';
import { type Requirement, requirements } from '../spec/requirements/index.ts';
import type { RunReport } from '../results/run-report.ts';

const unobservable: ReadonlySet<string> = new Set(
  Object.entries<Requirement>(requirements).flatMap(([id, requirement]) =>
    requirement.unobservable === undefined ? [] : [id],
  ),
);

/** 0 nothing violated, 1 violated, 3 could not judge. */
export const exitCodeOfReport = (
  report: RunReport,
  strictness: 'strict' | 'lenient' = 'lenient',
): 0 | 1 | 3 => exitCodeOf(report, { strictness, unobservable });
