import { isJudged } from '../results/coverage.ts';
import { runOutcomeOf } from '../results/run-outcome.ts';
import { type Verdict, verdicts } from '../results/verdicts.ts';
import type {
  BaselineCause,
  BaselineReport,
  CauseReport,
  RunReport,
} from '../results/run-report.ts';
import { failingCauses } from './causes.ts';
import { changedGaps } from './changes.ts';
import { knownCause, type KnownFailure, markKnown } from './known.ts';

/** A report with the name of its file. */
export interface NamedReport {
  readonly file: string;
  readonly report: RunReport;
}

const verdictsOf = ({ requirements }: RunReport): ReadonlyMap<string, Verdict> =>
  new Map(requirements.map(({ id, verdict }) => [id, verdict]));

const isSameSuite = (one: RunReport, other: RunReport): boolean =>
  one.suite.digest === other.suite.digest && one.suite.version === other.suite.version;

/**
 * True if the baseline has the cause as well. Another version of the suite may give the same cause another id: then a
 * cause is also known if all of its requirements failed before.
 */
function isKnownBy(base: RunReport, report: RunReport): (cause: CauseReport) => boolean {
  const ids = new Set(failingCauses(base).map(({ id }) => id));
  const before = verdictsOf(base);
  const mayDiffer = !isSameSuite(base, report);
  return ({ id, requirements }) =>
    ids.has(id) ||
    (mayDiffer &&
      requirements.length > 0 &&
      requirements.every((one) => before.get(one) === 'fail'));
}

function notesOn(base: RunReport, report: RunReport): string[] {
  const suite =
    'it was made by another version of the suite: verdicts may differ for that alone, and a cause of another name is ' +
    'known where all its requirements failed';
  const target = `it is of another target: ${base.target.name}`;
  return [
    ...(isSameSuite(base, report) ? [] : [suite]),
    ...(base.target.name === report.target.name ? [] : [target]),
  ];
}

const named = ({ id, title, requirements }: CauseReport): BaselineCause => ({
  id,
  title,
  requirements,
});

/** Requirements that held before and have a worse verdict now. */
function regressions(base: RunReport, report: RunReport): BaselineReport['regressed'] {
  const before = verdictsOf(base);
  return report.requirements.flatMap(({ id, verdict: after }) => {
    const was = before.get(id);
    if (was === undefined || !isJudged(was) || !isJudged(after) || was === 'fail') return [];
    return verdicts.indexOf(after) > verdicts.indexOf(was) ? [{ id, before: was, after }] : [];
  });
}

/** Compares a run with an earlier one: causes by their ids, requirements by their verdicts. */
export function compareWithBaseline(
  report: RunReport,
  { file, report: base }: NamedReport,
): BaselineReport {
  const isKnown = isKnownBy(base, report);
  const now = failingCauses(report);
  const [before, after] = [verdictsOf(base), verdictsOf(report)];
  const isJudgedNow = (id: string): boolean => isJudged(after.get(id) ?? 'not_exercised');
  const gone = failingCauses(base).filter(({ id }) => !now.some((cause) => cause.id === id));
  const regressed = regressions(base, report);
  const broken = new Set(regressed.flatMap(({ id, after: is }) => (is === 'fail' ? [id] : [])));
  const isWider = ({ requirements }: CauseReport) => requirements.some((id) => broken.has(id));
  const both = now.filter(isKnown);
  const isOpen = ({ waived }: CauseReport): boolean => waived === undefined;
  const notes = notesOn(base, report);
  return {
    file,
    target: base.target.name,
    seed: base.run.seed,
    finished_at: base.run.finished_at,
    ...(notes.length > 0 && { notes }),
    new: now.filter((cause) => isOpen(cause) && !isKnown(cause)).map(named),
    wider: both.filter((cause) => isOpen(cause) && isWider(cause)).map(named),
    fixed: gone.filter(({ requirements }) => requirements.some((id) => isJudgedNow(id))).map(named),
    known: both.filter((cause) => !isWider(cause)).map(named),
    regressed,
    unjudged: [...before].flatMap(([id, was]) => (isJudged(was) && !isJudgedNow(id) ? [id] : [])),
    gaps: changedGaps(base.gaps, report.gaps),
  };
}

/** Failures that a baseline has as well, as entries of the list of known failures. */
function knownSince(report: RunReport, { report: base }: NamedReport, { known }: BaselineReport) {
  const before = verdictsOf(base);
  const failing = report.requirements.filter(
    ({ id, verdict }) => verdict === 'fail' && before.get(id) === 'fail',
  );
  return [
    ...known.map(({ id }) => knownCause(id)),
    // A failure without a cause is compared by its requirement.
    ...failing.map(
      ({ id }): KnownFailure => ({
        takes: ({ causes, failure }) => causes.length === 0 && failure.requirement === id,
      }),
    ),
  ];
}

/**
 * Marks failures that the baseline has as well, and computes the outcome without them: only new failures count. The
 * outcome of the report itself stays: known failures are still wrong.
 */
export function applyBaseline(report: RunReport, baseline: NamedReport): RunReport {
  const compared = compareWithBaseline(report, baseline);
  const marked = markKnown(report, knownSince(report, baseline, compared));
  const requirements = marked.requirements.map((each) =>
    each.known ? { ...each, waived: 'known' } : each,
  );
  const outcome = runOutcomeOf({ ...marked, requirements });
  return { ...marked, baseline: { ...compared, outcome } };
}
