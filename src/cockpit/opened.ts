import type { HistoryRecord } from '../history/records.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import { random } from '../random/random.ts';
import { formatSeed, parseSeed } from '../random/seed.ts';
import { readRecordings } from '../recording/index.ts';
import type { Tamper } from '../reference/http/index.ts';
import { judgeHistory } from '../run/judge-history.ts';
import { applyAllRules } from '../run/play-run.ts';
import { readScenarios } from '../run/scenario-sources.ts';
import type { Scenario } from '../scenario/language/load.ts';
import { play, type Played } from '../scenario/run/play.ts';
import { describeStep } from '../simulation/describe-step.ts';
import type { WorldOutcome } from '../simulation/outcome.ts';
import type { WorldRun } from '../simulation/run-plan.ts';
import { playSeed } from '../simulation/run-world.ts';
import { requirements } from '../spec/requirements/index.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import type { LineEntry } from './line-entry.ts';
import { openEmbeddedStage } from './embedded-stage.ts';
import { verdictOf } from './judge.ts';
import { rowOf } from './row-of.ts';
import type {
  FindingShown,
  Openable,
  OpenedShown,
  OpenedStep,
  VerdictShown,
} from './view/messages.ts';
import type { Row } from './view/row.ts';

/** A complete run or recording, to walk through. */
export interface Opened {
  readonly shown: OpenedShown;
  readonly records: readonly HistoryRecord[];
  readonly rows: readonly Row[];
  readonly verdict: VerdictShown;
  /** Actions, if one can go on from any moment of it. */
  readonly story?: {
    readonly entries: readonly LineEntry[];
    readonly answers: Readonly<Record<string, string>>;
  };
}

/** Sources for opening, and the code that plays them. */
export interface Openers {
  /** Folder of scenarios that can be opened by name. */
  readonly library: { readonly folder: string; readonly names: readonly string[] };
  /** Folder to which the imports of any other scenario are relative. */
  readonly cwd: string;
  readonly tamperOf: (mutation: string) => Tamper;
  readonly readLibrary: (name: string) => string | undefined;
}

/** Returns a text with the reason if it cannot be opened. */
export async function open(
  what: Openable,
  openers: Openers,
  seed: bigint,
): Promise<Opened | string> {
  switch (what.kind) {
    case 'world':
      return openWorld(what, openers);
    case 'library': {
      const { folder, names } = openers.library;
      const text = names.includes(what.name) ? openers.readLibrary(what.name) : undefined;
      return text === undefined
        ? `there is no scenario ${JSON.stringify(what.name)}`
        : openScenario({ file: what.name, text }, folder, seed);
    }
    case 'text':
      return /\.ya?ml$/.test(what.name)
        ? openScenario({ file: what.name, text: what.text }, openers.cwd, seed)
        : openRecording(what.name, what.text);
  }
}

const rowsOf = (records: readonly HistoryRecord[]): readonly Row[] => records.map(rowOf);

/** Place of the last row at or before a moment. */
const lastBy = (rows: readonly Row[], instant: number): number =>
  rows.findLastIndex(({ at }) => at <= instant);

async function openScenario(
  source: { readonly file: string; readonly text: string },
  folder: string,
  seed: bigint,
): Promise<Opened | string> {
  const { scenarios, problems } = readScenarios([source], folder);
  const [scenario] = scenarios;
  if (problems.length > 0 || !scenario) return problems.join('\n') || 'it holds no scenario';
  const answers = Object.fromEntries(
    scenario.draft.gaps.map(({ key, value }) => [key, value.value]),
  );
  const entries: LineEntry[] = [];
  const stage = await openEmbeddedStage({
    seed,
    answers,
    onOutside: (entry) => entries.push({ ...entry, driver: 'opened' }),
  });
  try {
    const { target } = stage;
    const startedAt = target.timeline.now();
    const reference = target.hooks;
    const played = await play(scenario, { target, random: random(seed), reference });
    const records = [...target.history.records];
    const rows = rowsOf(records);
    const rules = applyAllRules(target, records, played.disturbed);
    return {
      shown: {
        title: scenario.title,
        outcome: played.reason ? `${played.verdict}: ${played.reason}` : played.verdict,
        text: source.text,
        steps: stepsOf(played, rows, startedAt, scenario),
        canFork: true,
      },
      records,
      rows,
      verdict: verdictOf(rules, records.length),
      story: { entries, answers },
    };
  } finally {
    await stage.close();
  }
}

function stepsOf(
  { log, failures }: Played,
  rows: readonly Row[],
  startedAt: number,
  scenario: Scenario,
): readonly OpenedStep[] {
  const places = new Map(rows.map(({ id, place }) => [id, place]));
  const first = rows.findIndex(({ driver }) => driver !== 'itself');
  let place = Math.max(first - 1, 0);
  let at = 0;
  const steps = log.map(({ atMs, exchange, party, says, outcome, line }): OpenedStep => {
    const shown = exchange === undefined ? undefined : places.get(exchange);
    if (shown !== undefined) place = Math.max(place, shown);
    else if (atMs > at) place = Math.max(place, lastBy(rows, startedAt + atMs));
    at = atMs;
    return {
      place,
      says,
      ...(party !== undefined && { party }),
      ...(outcome !== undefined && { outcome }),
      ...(line !== undefined && { line }),
    };
  });
  const own = scenario.draft.file;
  const failed = failures.map(({ at: where, message, before }): OpenedStep => {
    const after = steps[before.length - 1]?.place ?? place;
    const line = where.file === own ? { line: where.line } : {};
    return { place: after, says: message, outcome: 'failed', ...line };
  });
  return [...steps, ...failed];
}

async function openWorld(
  { seed: text, mutation }: Extract<Openable, { readonly kind: 'world' }>,
  { tamperOf }: Openers,
): Promise<Opened | string> {
  const seed = parseSeed(text.trim());
  if (seed === undefined) return `${JSON.stringify(text)} is no seed: give a number`;
  const options = { depth: 'process', ...(mutation !== undefined && { mutation }) } as const;
  if (mutation !== undefined) tamperOf(mutation);
  const { run, outcome } = await playSeed(formatSeed(seed), options, { tamperOf });
  const rows = rowsOf(run.history.records);
  return {
    shown: {
      title: `the world of seed ${formatSeed(seed)}${mutation === undefined ? '' : `, with ${mutation}`}`,
      outcome: outcome.findings.length === 0 ? 'nothing found' : `${outcome.findings.length} found`,
      steps: stepsOfWorld(run, rows),
      canFork: false,
    },
    records: run.history.records,
    rows,
    verdict: verdictOfWorld(run, outcome),
  };
}

function stepsOfWorld({ plan, effects, stepOf }: WorldRun, rows: readonly Row[]): OpenedStep[] {
  const last = new Map<number, number>();
  for (const { id, place, kind } of rows) {
    // Frames are skipped: a stream goes on long after the step that opened it.
    const step = kind === 'exchange' ? stepOf(id) : undefined;
    if (step !== undefined) last.set(step, place);
  }
  let place = 0;
  return plan.steps.map((step, index) => {
    place = Math.max(place, last.get(index) ?? 0);
    const effect = effects[index];
    const outcome = effect && !effect.took ? { outcome: effect.why } : {};
    return { place, says: describeStep(step), ...outcome };
  });
}

/** Findings of the rules, and those that only the inside of the world shows. */
function verdictOfWorld({ history, context }: WorldRun, { findings }: WorldOutcome): VerdictShown {
  const rules = applyRules(allRules, () => viewOf(history, context), requirements);
  const verdict = verdictOf(rules, history.records.length);
  const told = new Set(verdict.findings.map(({ message }) => message));
  const inside = findings
    .filter(({ message }) => !told.has(message))
    .map(
      ({ requirements: ids, message, exchanges }): FindingShown => ({
        outcome: 'fail',
        requirement: ids[0] ?? '',
        part: '',
        message,
        evidence: exchanges,
      }),
    );
  return { ...verdict, findings: [...inside, ...verdict.findings] };
}

function openRecording(name: string, text: string): Opened | string {
  const read = readRecordings([{ name, text }], []);
  if (!read.ok) return read.problems.join('\n');
  const records = read.recordings.flatMap((one) => one.records);
  const [first] = read.recordings;
  if (!first || records.length === 0) return `${name}: no exchange is recorded there`;
  return {
    shown: { title: name, outcome: first.limits.join('; '), steps: [], canFork: false },
    records,
    rows: rowsOf(records),
    verdict: verdictOf(
      judgeHistory({ records }, allRules, first.recorded ? { recorded: first.recorded } : {}).rules,
      records.length,
    ),
  };
}
