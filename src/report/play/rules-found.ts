import type { CheckReport, RunReport } from '../../results/run-report.ts';

/** The rules that found the interface violated, or broke. */
export const rulesFound = ({ rules }: Pick<RunReport, 'rules'>): readonly CheckReport[] =>
  rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
