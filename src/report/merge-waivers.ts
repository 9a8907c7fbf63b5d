import type { RunReport, WaiverReport } from '../results/run-report.ts';
import type { Verdict } from '../results/verdicts.ts';

/** What failed is waived where all reports in which it failed say so. */
export function mergeWaived(
  some: readonly { readonly verdict: Verdict; readonly waived?: string }[],
): {
  readonly waived?: string;
} {
  const failing = some.filter((each) => each.verdict === 'fail');
  const reasons = failing.flatMap(({ waived }) => waived ?? []);
  const isWaived = failing.length > 0 && reasons.length === failing.length;
  return isWaived ? { waived: [...new Set(reasons)].join('; ') } : {};
}

const waiverStatuses = ['untested', 'broken', 'met'] as const;

/** Each waiver once. What one shard found is more than that another did not come to it. */
export function mergeWaivers(reports: readonly RunReport[]): WaiverReport[] {
  const found = new Map<string, WaiverReport>();
  const rank = ({ status }: WaiverReport): number => waiverStatuses.indexOf(status);
  for (const waiver of reports.flatMap(({ waivers = [] }) => waivers)) {
    const key = JSON.stringify([waiver.kind, waiver.id, waiver.kind ?? waiver.message]);
    const other = found.get(key);
    if (!other || rank(waiver) > rank(other)) found.set(key, waiver);
  }
  return [...found.values()];
}
