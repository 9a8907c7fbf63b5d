import type { History } from '../history/records.ts';
import { driverOf } from '../reproduce/driver.ts';
import type { RunReport } from '../report/index.ts';

/** A check, or a scenario, that may be run again. */
export interface Rerunnable {
  readonly id: string;
  /** What it sets out to exercise. */
  readonly requirements: readonly string[];
}

const isBad = ({ verdict }: { readonly verdict: string }): boolean =>
  verdict === 'fail' || verdict === 'error';

/**
 * Those that show again what failed in an earlier run: the ones that failed or broke, and for what a rule found, those
 * who brought it about; if the history does not tell, all that set out for its requirement and came to a verdict.
 * @param history of that run, if it is known
 */
export function failedBefore<T extends Rerunnable>(
  report: Pick<RunReport, 'checks' | 'rules'>,
  history: History | undefined,
  all: readonly T[],
): readonly T[] {
  const known = new Set(all.map(({ id }) => id));
  const ran = new Set(
    report.checks.flatMap(({ id, verdict }) =>
      verdict === 'out_of_scope' || verdict === 'not_exercised' ? [] : [id],
    ),
  );
  const wanted = new Set(report.checks.filter(isBad).map(({ id }) => id));
  for (const { failures } of report.rules.filter(isBad)) {
    for (const { outcome, requirement, exchanges } of failures) {
      if (outcome !== 'fail') continue;
      const driver = history && driverOf(history.records, exchanges);
      const drivers =
        driver !== undefined && known.has(driver)
          ? [driver]
          : all
              .filter(({ id, requirements }) =>
                requirements.some((one) => one === requirement && ran.has(id)),
              )
              .map(({ id }) => id);
      for (const id of drivers) wanted.add(id);
    }
  }
  return all.filter(({ id }) => wanted.has(id));
}
