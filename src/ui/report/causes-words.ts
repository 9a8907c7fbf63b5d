import { count } from '../../report/labels.ts';
import type { CauseReport } from '../../results/run-report.ts';

/** "1 probable cause explains 7 requirements that do not hold". */
export function causesWords(causes: readonly CauseReport[]): string {
  const broken = new Set(causes.flatMap(({ requirements }) => requirements));
  const verb = causes.length === 1 ? 'explains' : 'explain';
  return `${count(causes.length, 'probable cause')} ${verb} ${count(broken.size, 'requirement that does not hold', 'requirements that do not hold')}.`;
}
