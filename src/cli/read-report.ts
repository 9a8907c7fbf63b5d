import { dirname, join } from 'node:path';
import { readHistory } from '../history/jsonl.ts';
import type { HistoryRecord } from '../history/records.ts';
import type { MaskedHistory } from '../history/secrets/secrets.ts';
import { inWorld } from '../history/worlds.ts';
import {
  applyBaseline,
  applyWaivers,
  type NamedReport,
  exitCodeOfReport,
  mergeReports,
  readReport,
  type RunReport,
  type Waiver,
  type WaiverScope,
  withEvidenceIds,
} from '../report/index.ts';
import { failedBefore, type Rerunnable } from '../run/failed-before.ts';
import { readText } from '../run/read-text.ts';
import { usageFailure } from './command.ts';
import { textOf, within } from './files.ts';
import type { ExitCode, Terminal } from './terminal.ts';

type Place = Pick<Terminal, 'cwd' | 'secrets'>;

/** Reads the report.json that a command line names, alone or as the value of an option. */
export function reportFrom(name: string, { cwd, secrets }: Place, option?: string): RunReport {
  const next = 'assay check writes reports/report.json';
  const text = textOf(name, cwd, { option, next, limit: 'record.bytes' });
  const result = readReport(secrets.maskText(text));
  if (result.ok) return result.value;
  const given = option === undefined ? name : `${option} ${name}`;
  throw usageFailure(`${given}: ${result.problem}`, 'give a report.json of assay check');
}

/** Reads the history.jsonl beside a report.json. Without it a report shows no exchanges. */
function historyBeside(name: string, { cwd, secrets }: Place): MaskedHistory | undefined {
  const beside = readText(join(dirname(within(cwd, name)), 'history.jsonl'), 'record.bytes');
  const history = beside.ok ? readHistory(beside.text) : undefined;
  return history?.ok ? secrets.maskHistory(history) : undefined;
}

/** A report and its history, which may be missing. */
export interface LoadedRun {
  readonly report: RunReport;
  readonly history: MaskedHistory | undefined;
}

export const runFrom = (name: string, place: Place, option?: string): LoadedRun => ({
  report: reportFrom(name, place, option),
  history: historyBeside(name, place),
});

export const baselineFrom = (name: string | undefined, place: Place): NamedReport | undefined =>
  name === undefined ? undefined : { file: name, report: reportFrom(name, place, '--baseline') };

export function withKnown(
  report: RunReport,
  waivers: readonly Waiver[],
  baseline?: NamedReport,
  scope?: WaiverScope,
): RunReport {
  const waived = waivers.length > 0 ? applyWaivers(report, waivers, scope) : report;
  return baseline ? applyBaseline(waived, baseline) : waived;
}

/**
 * The selection of `--only-failed`, in the order of the suite, and the exit code of the earlier run; also of this one if
 * nothing failed in it.
 */
export function failedIn(
  name: string,
  all: readonly Rerunnable[],
  terminal: Terminal,
): { readonly ids: readonly string[]; readonly exitCode: ExitCode } {
  const { report, history } = runFrom(name, terminal, '--only-failed');
  const ids = failedBefore(report, history, all).map(({ id }) => id);
  return { ids, exitCode: exitCodeOfReport(report) };
}

const idOf = (record: HistoryRecord): string => (record.kind === 'end' ? record.stream : record.id);

/**
 * Merges several runs into one. Records that belong to no check have the same ids in every run. From the second run on,
 * an id that is taken gets the number of its run, in the history and in all findings that name it.
 */
export function mergeRuns(
  runs: readonly LoadedRun[],
):
  | { readonly ok: true; readonly run: LoadedRun }
  | { readonly ok: false; readonly problem: string } {
  const taken = new Set<string>();
  const apart = runs.map((run, place) => {
    const ids = new Set((run.history?.records ?? []).map(idOf));
    const clashing = new Set([...ids].filter((id) => taken.has(id)));
    for (const id of ids) taken.add(id);
    if (place === 0) return run;
    const name = `run ${place + 1}`;
    const nameOf = (id: string): string => (clashing.has(id) ? `${name} ${id}` : id);
    const records = run.history?.records.map((one) => inWorld(one, name, nameOf));
    return {
      report: withEvidenceIds(run.report, nameOf),
      history: records && ({ masked: true, records } as const),
    };
  });
  const merged = mergeReports(apart.map(({ report }) => report));
  if (!merged.ok) return merged;
  const histories = apart.flatMap(({ history }) => history ?? []);
  const records = histories.flatMap((history) => history.records);
  const history = histories.length > 0 ? ({ masked: true, records } as const) : undefined;
  return { ok: true, run: { report: merged.report, history } };
}
