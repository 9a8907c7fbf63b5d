import { historyBytes } from '../../history/jsonl.ts';
import type { Rule } from '../../oracle/index.ts';
import { formatSeed } from '../../random/seed.ts';
import { TargetLost } from '../../run/open.ts';
import {
  scenarioOnTarget,
  shrinkOnTarget,
  type TargetShrinkBounds,
} from '../../run/simulate-target.ts';
import { openWorlds, type TargetWorlds } from '../../run/target-worlds.ts';
import { exitCodeOfCampaign } from '../../simulation/campaign/exit-code.ts';
import { rangeFold } from '../../simulation/campaign/fold.ts';
import { toCampaignJson, toCampaignText } from '../../simulation/campaign/text.ts';
import { drawTargetPlan, possibleFaults } from '../../simulation/draw/target-plan.ts';
import type { CampaignSummary, SimulationOptions, WorldFinding } from '../../simulation/outcome.ts';
import type { WorldRun } from '../../simulation/run-plan.ts';
import { type Role, roles } from '../../spec/vocabulary.ts';
import { EndedError, LostClockError } from '../../timeline/timeline-errors.ts';
import type { OpenedTarget } from '../../target/opened-target.ts';
import { loggable, printable } from '../../report/formats/escape.ts';
import { limitsReached } from '../../report/index.ts';
import type { RunEnd } from '../../suite/engine/run-end.ts';
import { simulationSuite } from '../campaign/range-player.ts';
import { announceRun, targetFrom, type TargetFromFile, targetOfFailure } from '../choose-target.ts';
import { stoppableRun, unlessEnded, usageFailure } from '../command.ts';
import { within, writeAll } from '../files.ts';
import { keepOnDisk } from '../history-draft.ts';
import { progressLine } from '../progress-line.ts';
import { forPeople, type ExitCode, type Terminal } from '../terminal.ts';
import type { SimulateFlags } from './options.ts';

/** Default number of worlds, by kind of clock. On the system clock each world takes real time. */
const usualWorlds = { controlled: 50, virtual: 50, system: 3 } as const;
const stepsInRealTime = 15;
const mostRuns = { controlled: 200, virtual: 200, system: 3 } as const;
/** Maximum host time to shrink all findings: the worlds themselves are the main purpose. */
const shrinkMs = 100_000;
/** Maximum number of scenarios: one defect may have many causes. */
const mostScenarios = 5;

interface FirstSeen {
  readonly run: WorldRun;
  readonly finding: WorldFinding;
}

interface Work {
  readonly flags: SimulateFlags;
  readonly chosen: TargetFromFile;
  readonly seed: bigint;
  readonly options: SimulationOptions;
  readonly runEnd: RunEnd;
  readonly history: ReturnType<typeof keptHistory>;
  readonly directory: string;
  readonly terminal: Terminal;
  readonly say: (text: string) => void;
}

/**
 * `assay simulate --target FILE`: plays worlds one after another on a backend, and writes their findings as scenarios.
 */
export async function simulateTarget(
  file: string,
  flags: SimulateFlags,
  given: SimulationOptions,
  rules: readonly Rule[] | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const chosen = targetFrom(file, terminal);
  const say = forPeople(terminal, flags.json).out;
  const seed = flags.seed ?? flags.from ?? 1n;
  const runId = announceRun({ ...flags, seed }, chosen, say);
  const runEnd = stoppableRun(terminal);
  const { wallMs: hostMs, secrets } = terminal;
  const directory = flags.out ?? 'reports';
  const history = keptHistory(directory, terminal);
  const opening = { seed, rules, runId, hostMs, secrets, onOpened: history.follow };
  const options: SimulationOptions = { ...given, depth: 'http', target: file };
  const work = { flags, chosen, seed, options, runEnd, history, directory, terminal, say };
  try {
    const opened = await unlessEnded(runEnd, openWorlds(chosen, opening));
    if (opened.ok) return await playWorlds(opened.worlds, work);
    history.follow(targetOfFailure(opened, runEnd, terminal));
    return concludeUnplayed(work);
  } finally {
    runEnd.forget();
    history.drop();
  }
}

async function playWorlds(worlds: TargetWorlds, work: Work): Promise<ExitCode> {
  const { flags, seed, runEnd, terminal, say } = work;
  const endGone = (detail: string, ...more: readonly string[]): void => {
    terminal.err(`assay: ${[detail, ...more].join('\n  ')}`);
    runEnd.end({ reason: 'target_gone', at: terminal.date(), detail });
  };
  runEnd.onEnd((how) => worlds.end(how));
  try {
    const known = await worlds.known();
    const missing = missingRoles(Object.values(known.parties));
    if (missing.length > 0) {
      refuseUndeclared(missingRoles(work.chosen.file.participants));
      const why = known.notes.map((note) => loggable(printable(note)));
      endGone(`no ${missing.join(', no ')} of the target could be asked`, ...why);
      return concludeUnplayed(work);
    }
    const { kind } = known.clock;
    const count = flags.seed === undefined ? (flags.seeds ?? usualWorlds[kind]) : 1;
    say(
      `${known.name}: ${count} ${count === 1 ? 'world' : 'worlds'} from seed ${formatSeed(seed)}`,
    );
    const possible: readonly string[] = possibleFaults(known);
    const asked = work.options.faults ?? possible;
    const striking = possible.filter((fault) => asked.includes(fault));
    say(`faults that can strike there: ${striking.join(', ') || 'none'}`);
    const lacking = asked.filter((fault) => !possible.includes(fault));
    if (lacking.length > 0)
      terminal.err(`assay: this target cannot have the faults: ${lacking.join(', ')}`);
    const isSmall = kind === 'system' && work.options.steps === undefined;
    const options = { ...work.options, ...(isSmall && { steps: stepsInRealTime }) };
    const { summary: found, firsts, lost } = await playAll(worlds, count, { ...work, options });
    if (lost !== undefined)
      endGone(`the target was lost after ${found.worlds} worlds: ${loggable(printable(lost))}`);
    const { notes, unjudged } = limitsReached(work.history);
    for (const line of [...notes, ...unjudged]) say(loggable(printable(line)));
    const summary = conclude(found, work);
    if (lost !== undefined) return 3;
    const endsMs = terminal.wallMs() + shrinkMs;
    const isSpent = (): boolean => runEnd.ended() !== undefined || terminal.wallMs() > endsMs;
    const bounds = { isSpent, mostRuns: mostRuns[kind] };
    for (const one of firsts.slice(0, mostScenarios)) {
      if (isSpent()) break;
      const goneBecause = await tell(one, worlds, bounds, work).then(() => undefined, whyLost);
      if (goneBecause === undefined) continue;
      terminal.err(
        `assay: the target was lost while this was made short: ${printable(goneBecause)}`,
      );
      return 3;
    }
    const left = firsts.length - mostScenarios;
    if (left > 0)
      say(`\n${left} more causes are not shrunk: play their seeds once these are mended`);
    const isWhole = summary.worlds === count || flags.until !== undefined;
    const code = exitCodeOfCampaign(summary, isWhole ? 'none missing' : 'seeds missing');
    return code === 0 && unjudged.length > 0 ? 3 : code;
  } finally {
    await worlds.release();
  }
}

/**
 * Prints the summary. Writes it if `--out` is given, a cause was found or the run ended early; then with its history.
 */
function conclude(found: CampaignSummary, work: Work): CampaignSummary {
  const { flags, runEnd, history, directory, terminal, say } = work;
  const ended_early = runEnd.ended();
  const summary = ended_early ? { ...found, ended_early } : found;
  terminal.out((flags.json ? toCampaignJson(summary) : toCampaignText(summary)).trimEnd());
  if (flags.out === undefined && summary.causes.length === 0 && !ended_early) return summary;
  writeAll(terminal.secrets, within(terminal.cwd, directory), [
    ['simulation.json', toCampaignJson(summary)],
    ...(ended_early
      ? [['history.jsonl', historyBytes(history.records, terminal.secrets)] as const]
      : []),
  ]);
  say(`written: ${directory}/simulation.json${ended_early ? ', history.jsonl' : ''}`);
  return summary;
}

function concludeUnplayed(work: Work): 3 {
  conclude(rangeFold(simulationSuite(), work.options, work.seed).summary(), work);
  return 3;
}

/** The history of the target that was opened last, on disk while it grows. */
function keptHistory(directory: string, terminal: Terminal) {
  let target: OpenedTarget | undefined;
  let drop = (): void => {};
  return {
    follow: (opened: OpenedTarget): void => {
      drop();
      target = opened;
      drop = keepOnDisk(opened.history, directory, terminal);
    },
    get records() {
      return target?.history.records ?? [];
    },
    drop: () => drop(),
  };
}

interface PlayedAll {
  readonly summary: CampaignSummary;
  /** The first world that showed each cause. */
  readonly firsts: readonly FirstSeen[];
  /** Reason why the target could not be called any more. */
  readonly lost?: string;
}

async function playAll(
  worlds: TargetWorlds,
  count: number,
  { options, seed, flags, runEnd, terminal }: Work,
): Promise<PlayedAll> {
  const fold = rangeFold(simulationSuite(), options, seed);
  const endsMs = terminal.wallMs() + (flags.until ?? Number.POSITIVE_INFINITY);
  const firsts = new Map<string, FirstSeen>();
  const progress = progressLine(terminal);
  let played = 0;
  progress.show(() => `${played} of ${count} worlds · ${firsts.size} causes`);
  const result = () => ({ summary: fold.summary(), firsts: [...firsts.values()] });
  try {
    for (; played < count && !runEnd.ended() && terminal.wallMs() <= endsMs; played += 1) {
      const name = formatSeed(seed + BigInt(played));
      const plan = drawTargetPlan(name, await worlds.known(), options);
      const { run, outcome } = await worlds.play(plan);
      fold.add(outcome);
      for (const finding of outcome.findings)
        if (!firsts.has(finding.cause)) firsts.set(finding.cause, { run, finding });
    }
    return result();
  } catch (error) {
    // The unfinished world is not judged; the worlds before it are.
    if (error instanceof EndedError) return result();
    return { ...result(), lost: whyLost(error) };
  } finally {
    progress.end();
  }
}

/** Reason why the target was lost. Throws every other error. */
function whyLost(error: unknown): string {
  if (error instanceof LostClockError || error instanceof TargetLost) return error.message;
  throw error;
}

async function tell(
  first: FirstSeen,
  worlds: TargetWorlds,
  bounds: TargetShrinkBounds,
  { chosen, directory, seed, terminal, say }: Work,
): Promise<void> {
  const shrunk = await shrinkOnTarget(worlds, first, bounds);
  const { plan, run, finding, runs, isLeast, isFlaky } = shrunk;
  const target = { chosen, seed, isSpent: bounds.isSpent };
  const written = await scenarioOnTarget(worlds, target, shrunk);
  const name = fileNameOf(finding.cause);
  writeAll(terminal.secrets, within(terminal.cwd, directory), [
    [`${name}.plan.json`, `${JSON.stringify(plan, null, 2)}\n`],
    [`${name}.history.jsonl`, historyBytes(run.history.records, run.secrets)],
    ...(written.ok ? [[`${name}.yaml`, written.text] as const] : []),
  ]);
  const how = isFlaky ? ', not shown again' : isLeast ? '' : ', not yet the least';
  say('');
  say(printable(`${finding.cause}`));
  say(
    `  ${first.run.plan.steps.length} steps shrunk to ${plan.steps.length} in ${runs} plays${how}`,
  );
  if (written.ok) {
    const steps = `${written.steps} ${written.steps === 1 ? 'step' : 'steps'}`;
    say(`  next: assay play ${directory}/${name}.yaml --target ${chosen.file.file} (${steps})`);
  } else say(printable(`  no scenario: ${written.reasons[0] ?? 'it cannot be told as one'}`));
  say(`  written: ${directory}/${name}.plan.json, ${directory}/${name}.history.jsonl`);
}

const fileNameOf = (cause: string): string =>
  cause
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100);

const missingRoles = (parties: readonly { readonly role: Role }[]): readonly Role[] =>
  roles.filter((role) => !parties.some((one) => one.role === role));

function refuseUndeclared(missing: readonly Role[]): void {
  if (missing.length === 0) return;
  throw usageFailure(
    `a world needs a party of each role, and the target file has no ${missing.join(', no ')}`,
    'declare one under participants',
  );
}
