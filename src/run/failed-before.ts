import type { History } from '../history/records.ts';
import { driverOf } from '../reproduce/driver.ts';
import type { RunReport } from '../report/index.ts';

/** A check, or a scenario, that may be run again. */
export interface Rerunnable {
  readonly id: string;
  /** Requirements that it is meant to exercise. */
  readonly requirements: readonly string[];
}

const isBad = ({ verdict }: { readonly verdict: string }): boolean =>
  verdict === 'fail' || verdict === 'error';

/**
 * Checks or scenarios that can show the failures of an earlier run again: those with verdict fail or error, and for
 * each failure of a rule the one that drove it. If the history does not show the driver: all that ran and list its
 * requirement.
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
