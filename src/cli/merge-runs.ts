import type { HistoryRecord } from '../history/records.ts';
import { inWorld } from '../history/worlds.ts';
import type { MaskedHistory } from '../history/secrets/secrets.ts';
import { mergeReports, type RunReport, withEvidenceIds } from '../report/index.ts';

/** A report and its history, which may be missing. */
export interface LoadedRun {
  readonly report: RunReport;
  readonly history: MaskedHistory | undefined;
}

type MergedRun =
  | { readonly ok: true; readonly run: LoadedRun }
  | { readonly ok: false; readonly problem: string };

const idOf = (record: HistoryRecord): string => (record.kind === 'end' ? record.stream : record.id);

/**
 * Merges several runs into one. Records that belong to no check have the same ids in every run. From the second run on,
 * an id that is taken gets the number of its run, in the history and in all findings that name it.
 */
export function mergeRuns(runs: readonly LoadedRun[]): MergedRun {
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
