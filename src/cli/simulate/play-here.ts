import { availableParallelism } from 'node:os';
import { formatSeed } from '../../random/seed.ts';
import { printable } from '../../report/formats/escape.ts';
import { exitCodeOfCampaign } from '../../simulation/campaign/exit-code.ts';
import { rangeFold } from '../../simulation/campaign/fold.ts';
import { mergeSummaries } from '../../simulation/campaign/merge.ts';
import { piecesOf, showRange } from '../../simulation/campaign/seed-range.ts';
import { grouped, toCampaignJson, toCampaignText } from '../../simulation/campaign/text.ts';
import { unreachedIn } from '../../simulation/catalogue.ts';
import { drawPlan } from '../../simulation/draw/draw-plan.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { formatDuration } from '../../yaml/index.ts';
import { createRangePlayer, type RangePlayer, simulationSuite } from '../campaign/range-player.ts';
import { listUnreached } from '../campaign/unreached.ts';
import { CommandFailure, stoppableRun } from '../command.ts';
import { within, writeAll } from '../files.ts';
import { progressLine } from '../progress-line.ts';
import { type ExitCode, forPeople, type Terminal } from '../terminal.ts';
import { seedsOf, type SimulateFlags } from './options.ts';
import type { ShrunkCause } from './scenarios.ts';

/**
 * Number of worlds that a thread takes at a time. They are lost if it is stopped, and played to their end if time is
 * up. A few worlds keep all threads busy.
 */
const pieceSize = 2;

/** Number of worlds from which on every situation must have come about. Fewer worlds may miss rare ones. */
const nightlySeeds = 2_000;

/** Plays worlds on threads until all are played, time is up, or a person stops it. Keeps summaries, but no histories. */
export async function campaignHere(
  flags: SimulateFlags,
  options: SimulationOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { until: untilMs, workers = availableParallelism(), json, out } = flags;
  const range = seedsOf(flags);
  const isTimed = flags.seeds === undefined && untilMs !== undefined;
  const say = forPeople(terminal, json).out;
  const suite = simulationSuite();
  const started = terminal.wallMs();
  let summary = rangeFold(suite, options, range.first).summary();
  let isStopped = false;
  let problem: string | undefined;
  const pieces = piecesOf(range, pieceSize);
  const count = Math.min(workers, Math.ceil(range.count / pieceSize));
  let isTimeUp = false;
  const players = Array.from({ length: count }, createRangePlayer);
  const stop = (): void => {
    isStopped = true;
    for (const player of players) void player.end();
  };
  const clock = systemClock();
  const forgetTimer =
    untilMs === undefined
      ? () => {}
      : clock.at(clock.now() + untilMs, () => void (isTimeUp = true));
  const runEnd = stoppableRun(terminal);
  runEnd.onEnd(stop);
  say(isTimed ? `seeds from ${formatSeed(range.first)} on` : showRange(range));
  const progress = progressLine(terminal);
  const seeds = isTimed ? undefined : range.count;
  progress.show(() => progressWords(summary, terminal.wallMs() - started, seeds, untilMs));

  async function playPieces(player: RangePlayer): Promise<void> {
    for (const piece of pieces) {
      const played = await player.play({ suite, options, range: piece }, () => {});
      if (isStopped) return;
      if (!played.ok) {
        problem ??= played.problem;
        stop();
        return;
      }
      summary = merged(summary, played.summary);
      if (isTimeUp) return;
    }
  }

  try {
    await Promise.all(players.map(playPieces));
  } finally {
    forgetTimer();
    runEnd.forget();
    progress.end();
    await Promise.all(players.map((player) => player.end()));
  }
  if (problem !== undefined)
    throw new CommandFailure(`assay: a world broke, which is a fault of assay: ${problem}`, 3);
  const ended_early = runEnd.ended();
  const found = ended_early ? { ...summary, ended_early } : summary;
  const unreached = options.depth === 'process' ? listUnreached : undefined;
  terminal.out((json ? toCampaignJson(found) : toCampaignText(found, unreached)).trimEnd());
  const shrunk = flags.shrink === false || ended_early ? [] : await shrinkAll(found, terminal);
  const folder = out ?? 'reports';
  if (shrunk.length > 0) say(`\n${shrunkText(shrunk, folder, options.mutation)}\n`);
  if (out !== undefined || shrunk.length > 0 || ended_early) {
    writeAll(terminal.secrets, within(terminal.cwd, folder), filesOf(found, shrunk));
    say(`written: ${folder}/simulation.json`);
  }
  // If only time bounds the run, any number of worlds is whole.
  const isWhole = isTimed || found.worlds === range.count;
  const code = exitCodeOfCampaign(found, isWhole ? 'none missing' : 'seeds missing');
  return code === 0 && missesSome(found, flags) ? 3 : code;
}

function merged(one: CampaignSummary, other: CampaignSummary): CampaignSummary {
  if (one.worlds === 0) return other;
  const both = mergeSummaries([
    { name: 'so far', summary: one },
    { name: 'the next piece', summary: other },
  ]);
  if (!both.ok) throw new Error(both.problem);
  return both.summary;
}

/** @param seeds number of worlds to play. Absent: only time bounds the run, and no share of it is done. */
function progressWords(
  { worlds, target_ms, causes, reached, options }: CampaignSummary,
  wallMs: number,
  seeds: number | undefined,
  untilMs = Number.POSITIVE_INFINITY,
): string {
  const rate = worlds / (wallMs / 1_000);
  const bySeeds = seeds === undefined || rate === 0 ? untilMs : ((seeds - worlds) / rate) * 1_000;
  const leftMs = Math.max(0, Math.min(untilMs - wallMs, bySeeds));
  const { missing, of } = unreachedIn(reached, options);
  return [
    `${grouped(worlds)}${seeds === undefined ? '' : ` of ${grouped(seeds)}`} worlds`,
    `${rate.toFixed(1)} a second`,
    `${(target_ms / 3_600_000).toFixed(1)} h of their time`,
    `${of - missing.length} of ${of} situations`,
    `${causes.length} causes`,
    ...(worlds > 0 && Number.isFinite(leftMs)
      ? [`${formatDuration(Math.round(leftMs / 1_000) * 1_000)} left`]
      : []),
  ].join(' · ');
}

/** A large campaign that never brought something about says nothing of it, and looks as if it did. */
function missesSome({ worlds, reached, options }: CampaignSummary, flags: SimulateFlags): boolean {
  const isNightly = flags.nightly === true || worlds >= nightlySeeds;
  // Worlds of a size of their own, or with a defect, may have no way to some situations.
  const isFree =
    options.steps === undefined && options.mutation === undefined && options.depth === 'process';
  return isNightly && isFree && unreachedIn(reached, options).missing.length > 0;
}

async function shrinkAll(
  summary: CampaignSummary,
  terminal: Terminal,
): Promise<readonly ShrunkCause[]> {
  if (summary.causes.length === 0) return [];
  const { shrinkCauses } = await import('./scenarios.ts');
  const line = progressLine(terminal);
  const onCause = (done: number, of: number): void =>
    line.stage(`shrinking cause ${done + 1} of ${of}`);
  return shrinkCauses(summary, terminal, onCause).finally(line.end);
}

/** Each cause as text for the terminal, with the command that reproduces it. */
function shrunkText(
  shrunk: readonly ShrunkCause[],
  folder: string,
  mutation: string | undefined,
): string {
  const broken = mutation === undefined ? '' : ` --mutation ${mutation}`;
  const texts = shrunk.map(({ cause, plan, scenario, steps: [before, after], reasons }) => [
    cause,
    `  ${before} steps made ${after}: ${folder}/${plan[0]}`,
    ...(scenario
      ? [`  again: assay play ${folder}/${scenario[0]}${broken}`]
      : [
          `  no scenario: ${reasons.join('; ')}`,
          `  again: assay simulate --plan ${folder}/${plan[0]}${broken}`,
        ]),
  ]);
  return texts.map((lines) => lines.map(printable).join('\n')).join('\n\n');
}

/** The summary, and for each cause the least plan and its scenario, or the whole plan of the first world that shows it. */
function filesOf(
  summary: CampaignSummary,
  shrunk: readonly ShrunkCause[],
): (readonly [string, string])[] {
  const rest = summary.causes.filter(({ cause }) => !shrunk.some((one) => one.cause === cause));
  return [
    ['simulation.json', toCampaignJson(summary)],
    ...shrunk.flatMap(({ plan, scenario }) => (scenario ? [plan, scenario] : [plan])),
    ...[...new Set(rest.map(({ first_seed }) => first_seed))].map((seed) => {
      const plan = drawPlan(seed, summary.options);
      return [`plan-${seed}.json`, `${JSON.stringify(plan, null, 2)}\n`] as const;
    }),
  ];
}
