import type { SeededFlags } from './flags.ts';
import { checks } from '../../conformance/index.ts';
import { policyOf } from '../reference/core/index.ts';
import {
  compareTargets,
  comparisonMarkdown,
  comparisonText,
  type ComparedTarget,
} from '../report/compare/compare.ts';
import { endedSentence } from '../report/index.ts';
import { profiles } from '../run/profiles.ts';
import { runTarget } from '../run/run-target.ts';
import { reasonOf } from '../run/read-text.ts';
import { gapIds, gaps, referenceAnswers, type GapId } from '../spec/gaps/index.ts';
import { unlocks } from '../spec/unlocks.ts';
import { targetFrom, type TargetFromFile, withTarget } from './choose-target.ts';
import {
  CommandFailure,
  readAll,
  stoppableRun,
  type CommandInput,
  usageFailure,
} from './command.ts';
import { within, writeWhole } from './files.ts';
import { progressLine } from './progress-line.ts';
import { reportFrom } from './read-report.ts';
import { colourOf, type ExitCode, type Terminal } from './terminal.ts';

/** Word of the command line that names the reference in place of a target file. */
const referenceName = 'reference';

/** An answer in the words in which it would be observed: of settlement one sees its end. */
const asSeen = (id: GapId): string =>
  id === 'settlement.steps'
    ? `settled after ${policyOf(referenceAnswers).settlement.durationMs / 1_000}s`
    : referenceAnswers[id];

/** Known without asking: our reference answers as the register says, and breaks nothing. */
const reference: ComparedTarget = {
  name: 'the embedded reference',
  requirements: [],
  gaps: gapIds.map((id) => ({
    id,
    part: gaps[id].part,
    question: gaps[id].question,
    observed: asSeen(id),
    consistent: true,
    unlocks: unlocks[id]?.length ?? 0,
  })),
};

type Side = () => Promise<ComparedTarget>;

/** Holds two targets against each other. Differences are no failure: it ends with 0. */
export async function compare({ terminal, words, flags: given }: CommandInput): Promise<ExitCode> {
  const flags = given as SeededFlags;
  const [first, second, ...more] = words;
  if (first === undefined || second === undefined || more.length > 0) {
    throw usageFailure(
      `compare takes two targets, and ${words.length} ${words.length === 1 ? 'is' : 'are'} named`,
      `as in: assay compare acme.yaml ${referenceName}`,
    );
  }
  const [sideA, sideB] = readAll(
    () => sideOf(first, flags, terminal),
    () => sideOf(second, flags, terminal),
  );
  const [a, b] = [await sideA(), await sideB()];
  const found = compareTargets(a, b);
  terminal.out(
    flags.json
      ? JSON.stringify(found, undefined, 2)
      : comparisonText(found, { colour: colourOf(terminal) }),
  );
  if (flags.markdown !== undefined) {
    try {
      writeWhole(terminal.secrets, within(terminal.cwd, flags.markdown), comparisonMarkdown(found));
    } catch (error) {
      throw usageFailure(
        `--markdown ${flags.markdown}: ${reasonOf(error)}`,
        'name a file that can be written',
      );
    }
  }
  return 0;
}

/** One side of a comparison: a report.json, `reference`, or a target file, whose target is probed. */
function sideOf(name: string, flags: SeededFlags, terminal: Terminal): Side {
  if (name === referenceName) return () => Promise.resolve(reference);
  if (name.endsWith('.json')) {
    const report = reportFrom(name, terminal);
    return () => Promise.resolve({ ...report, name: `${report.target.name} (${name})` });
  }
  const chosen = targetFrom(name, terminal);
  return () => ask(name, chosen, flags, terminal);
}

async function ask(
  name: string,
  chosen: TargetFromFile,
  { profile = 'smoke', seed }: SeededFlags,
  terminal: Terminal,
): Promise<ComparedTarget> {
  const { only, maxWaitMs } = profiles[profile];
  const runEnd = stoppableRun(terminal);
  const line = progressLine(terminal);
  line.stage(`reaching every party of ${name}`);
  const { date, wallMs } = terminal;
  const asked = withTarget(
    chosen,
    seed,
    { secrets: terminal.secrets, runEnd, ...(maxWaitMs !== undefined && { maxWaitMs }) },
    (target) =>
      runTarget(target, {
        checks,
        seed,
        ...(only && { only }),
        onStage: line.stage,
        onProgress: line.update,
        runEnd,
        date,
        wallMs,
      }),
  );
  const report = await asked.finally(line.end).finally(runEnd.forget);
  const { ended_early } = report.run;
  if (ended_early) {
    throw new CommandFailure(`assay: ${name}: ${endedSentence(ended_early)}: nothing compared`, 3);
  }
  return { ...report, name: report.target.name };
}
