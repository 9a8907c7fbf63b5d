import { exitCodeOfReport } from '../report/index.ts';
import { failedBefore, type Rerunnable } from '../run/failed-before.ts';
import { historyBeside, reportFrom } from './read-report.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** The selection of `--only-failed`, in the order of the suite. */
interface Failed {
  readonly ids: readonly string[];
  /** Exit code of the earlier run; also of this one if nothing failed in it. */
  readonly exitCode: ExitCode;
}

export function failedIn(name: string, all: readonly Rerunnable[], terminal: Terminal): Failed {
  const report = reportFrom(name, terminal, `--only-failed ${name}`);
  const failed = failedBefore(report, historyBeside(name, terminal), all);
  return { ids: failed.map(({ id }) => id), exitCode: exitCodeOfReport(report) };
}
