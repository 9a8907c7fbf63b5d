import { rangeFold } from '../../simulation/campaign/fold.ts';
import { mergeSummaries } from '../../simulation/campaign/merge.ts';
import { piecesOf, type SeedRange } from '../../simulation/campaign/seed-range.ts';
import { grouped } from '../../simulation/campaign/text.ts';
import { unreachedIn } from '../../simulation/catalogue.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { formatDuration } from '../../yaml/index.ts';
import { createRangePlayer } from '../campaign/range-player.ts';
import { simulationSuite } from '../campaign/suite.ts';
import { CommandFailure, stoppableRun } from '../command.ts';
import { progressLine } from '../progress-line.ts';
import type { Terminal } from '../terminal.ts';

export interface PlayHere {
  readonly terminal: Terminal;
  readonly options: SimulationOptions;
  readonly range: SeedRange;
  readonly workers: number;
  /** Host time after which no more worlds are begun. */
  readonly untilMs: number | undefined;
  /** Only the time bounds it: it has no share that is done. */
  readonly isTimed: boolean;
  /** Called once the run can be stopped properly. */
  readonly onReady: () => void;
}

export interface PlayedHere {
  readonly summary: CampaignSummary;
  /** True if all requested worlds were played. If only time bounds the run, any number is whole. */
  readonly isWhole: boolean;
}

/** Number of worlds that a thread takes at a time. They are lost if it is stopped. */
const pieceSize = 10;
/** Piece size if time bounds the run: worlds that were begun are played to their end. */
const timedPieceSize = 2;

/**
 * Plays worlds on threads until all are played, time is up, or a person stops it. Keeps summaries, but no histories.
 */
export async function playHere(work: PlayHere): Promise<PlayedHere> {
  const { terminal, options, range, workers, untilMs } = work;
  const suite = simulationSuite();
  const started = terminal.wallMs();
  let summary = rangeFold(suite, options, range.first).summary();
  let isStopped = false;
  let problem: string | undefined;
  const size = untilMs === undefined ? pieceSize : timedPieceSize;
  const pieces = piecesOf(range, size);
  const count = Math.min(workers, Math.ceil(range.count / size));
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
  work.onReady();
  const progress = progressLine(terminal);
  progress.show(() => progressWords(work, summary, terminal.wallMs() - started));

  async function playPieces(player: (typeof players)[number]): Promise<void> {
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
  return {
    summary: ended_early ? { ...summary, ended_early } : summary,
    isWhole: work.isTimed || summary.worlds === range.count,
  };
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

function progressWords(
  { range, isTimed, untilMs, options }: PlayHere,
  { worlds, target_ms, causes, reached }: CampaignSummary,
  wallMs: number,
): string {
  const rate = worlds / (wallMs / 1_000);
  const byTime = untilMs === undefined ? Number.POSITIVE_INFINITY : untilMs - wallMs;
  const bySeeds = isTimed || rate === 0 ? byTime : ((range.count - worlds) / rate) * 1_000;
  const leftMs = Math.max(0, Math.min(byTime, bySeeds));
  const { missing, of } = unreachedIn(reached, options);
  return [
    `${grouped(worlds)}${isTimed ? '' : ` of ${grouped(range.count)}`} worlds`,
    `${rate.toFixed(1)} a second`,
    `${(target_ms / 3_600_000).toFixed(1)} h of their time`,
    `${of - missing.length} of ${of} situations`,
    `${causes.length} causes`,
    ...(worlds > 0 && Number.isFinite(leftMs)
      ? [`${formatDuration(Math.round(leftMs / 1_000) * 1_000)} left`]
      : []),
  ].join(' · ');
}
