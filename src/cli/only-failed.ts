import { currentCheckId } from '../../conformance/renamed-checks.ts';
import { exitCodeOfReport } from '../report/index.ts';
import { failedBefore, type Rerunnable } from '../run/failed-before.ts';
import { historyBeside, reportFrom } from './read-report.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** What `--only-failed` selects, in the order of the suite. */
interface Failed {
  readonly ids: readonly string[];
  /** What the earlier run came to: where nothing failed in it, this one comes to the same. */
  readonly exitCode: ExitCode;
}

export function failedIn(name: string, all: readonly Rerunnable[], terminal: Terminal): Failed {
  const report = reportFrom(name, terminal, `--only-failed ${name}`);
  const checks = report.checks.map((one) => ({ ...one, id: currentCheckId(one.id) }));
  const failed = failedBefore({ ...report, checks }, historyBeside(name, terminal), all);
  return { ids: failed.map(({ id }) => id), exitCode: exitCodeOfReport(report) };
}
