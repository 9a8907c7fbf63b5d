import { type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import type { RunReport } from '../../results/run-report.ts';
import { type Verdict, verdicts } from '../../results/verdicts.ts';
import { countsByPart } from '../summary.ts';
import { brief } from '../labels.ts';

export interface NamedRun {
  readonly file: string;
  readonly report: RunReport;
}

/** One value per target, in the order of the targets. `null`: not known. */
type Row<T> = readonly (T | null)[];

export const matrixFormat = 'assay.matrix/1';

/** Several targets side by side. Every row has a value for each of `targets`. */
export interface Matrix {
  readonly format: typeof matrixFormat;
  readonly targets: readonly {
    readonly name: string;
    readonly file: string;
    readonly outcome: RunReport['outcome'];
    /** Identifies the suite: verdicts of different suites may differ for that reason alone. */
    readonly suite: string;
  }[];
  readonly parts: readonly {
    readonly part: string;
    readonly counts: Row<Readonly<Record<Verdict, number>>>;
  }[];
  /** Requirements with different verdicts among the targets. */
  readonly requirements: readonly {
    readonly id: string;
    readonly part: string;
    readonly summary: string;
    readonly verdicts: Row<Verdict>;
  }[];
  /** Gaps with a known answer of at least one target. */
  readonly gaps: readonly {
    readonly id: GapId;
    readonly part: string;
    readonly question: string;
    readonly answers: Row<string>;
    /** True if two targets have different answers. */
    readonly differs: boolean;
  }[];
}

const noCounts = Object.fromEntries(verdicts.map((one) => [one, 0])) as Record<Verdict, number>;

/** Names of the targets. Equal names get the name of the file added. */
function namesOf(runs: readonly NamedRun[]): readonly string[] {
  const names = runs.map(({ report }) => report.target.name);
  return runs.map(({ file }, at) => {
    const name = names[at] ?? file;
    return names.filter((one) => one === name).length > 1 ? `${name} (${file})` : name;
  });
}

export function matrixOf(runs: readonly NamedRun[]): Matrix {
  const names = namesOf(runs);
  const reports = runs.map(({ report }) => report);
  const byPart = reports.map(
    (report) => new Map(countsByPart(report).map(({ part, counts }) => [part, counts])),
  );
  const byId = reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one])));
  const answers = reports.map(
    (report) =>
      new Map(report.gaps.map(({ id, observed, declared }) => [id, observed ?? declared])),
  );
  const parts = [...new Set(byPart.flatMap((counts) => [...counts.keys()]))];
  const known = new Map(
    reports.flatMap(({ requirements }) => requirements.map((one) => [one.id, one])),
  );
  return {
    format: matrixFormat,
    targets: runs.map(({ file, report }, at) => ({
      name: names[at] ?? file,
      file,
      outcome: report.outcome,
      suite: report.suite.digest,
    })),
    parts: parts.map((part) => ({ part, counts: byPart.map((one) => one.get(part) ?? noCounts) })),
    requirements: [...known.values()].flatMap(({ id, part, summary }) => {
      const row = byId.map((one) => one.get(id)?.verdict ?? null);
      return new Set(row).size > 1 ? [{ id, part, summary, verdicts: row }] : [];
    }),
    gaps: gapIds.flatMap((id) => {
      const row = answers.map((one) => {
        const answer = one.get(id);
        return answer === undefined ? null : brief(answer, 200);
      });
      const given = new Set(row.filter((answer) => answer !== null));
      if (given.size === 0) return [];
      const { part, question } = gaps[id];
      return [{ id, part, question, answers: row, differs: given.size > 1 }];
    }),
  };
}
