import type { Flags } from '../flags.ts';
import type { CampaignSummary } from '../../simulation/outcome.ts';
import { exitCodeOfCampaign } from '../../simulation/campaign/exit-code.ts';
import { rangeFold } from '../../simulation/campaign/fold.ts';
import { mergeSummaries, rangeOf } from '../../simulation/campaign/merge.ts';
import { showSuite } from '../../simulation/campaign/options.ts';
import { missingIn, showRange } from '../../simulation/campaign/seed-range.ts';
import { grouped, toCampaignJson, toCampaignText } from '../../simulation/campaign/text.ts';
import { createSignal } from '../../timeline/signal.ts';
import { formatDuration } from '../../yaml/index.ts';
import { type CommandInput, usageFailure } from '../command.ts';
import { within, writeAll } from '../files.ts';
import { progressLine } from '../progress-line.ts';
import { forPeople, type ExitCode, type Terminal } from '../terminal.ts';
import {
  type Campaign,
  type CampaignProgress,
  findCampaign,
  listCampaigns,
  progressOf,
  resultsOf,
} from './campaigns.ts';
import { connect, type Connection } from './connect.ts';
import type { Database } from './database.ts';
import { listUnreached } from './unreached.ts';

/** `assay campaign`: shows one campaign, or lists all. */
export async function campaign({ terminal, words, flags }: CommandInput): Promise<ExitCode> {
  const [id] = words;
  const { queue } = flags;
  if (queue === undefined) throw usageFailure('no database to ask', 'add --queue postgres://...');
  const connection = await connect(queue, 2, terminal.err);
  const { database, patiently } = connection;
  try {
    if (id === undefined) return await list(connection, terminal, flags);
    const found = await patiently(() => findCampaign(database, id));
    if (found) return await showCampaign(connection, found, flags, terminal);
    const next = 'assay campaign --queue URL lists those there are';
    throw usageFailure(`there is no campaign ${JSON.stringify(id)}`, next);
  } finally {
    await database.close();
  }
}

async function list(
  { database, patiently }: Connection,
  { out }: Terminal,
  { json }: Flags,
): Promise<ExitCode> {
  const all = await patiently(() => listCampaigns(database));
  if (json) {
    const shown = all.map(({ id, suite, range, played }) => {
      return { id, suite: showSuite(suite), worlds: range.count, played };
    });
    out(JSON.stringify(shown, undefined, 2));
    return 0;
  }
  if (all.length === 0) out('no campaign was submitted to this database');
  for (const { id, suite, range, played } of all) {
    out(`${id}  ${grouped(played)} of ${grouped(range.count)} worlds, suite ${showSuite(suite)}`);
  }
  return 0;
}

/** Waits if asked to, and shows the summary: on the terminal, and as simulation.json in a folder. */
export async function showCampaign(
  connection: Connection,
  shown: Campaign,
  { wait, out, json }: Pick<Flags, 'wait' | 'out' | 'json'>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { database, patiently } = connection;
  const { open } = wait
    ? await untilDone(connection, shown, terminal)
    : await patiently(() => progressOf(database, shown));
  const summary = await patiently(() => merged(database, shown));
  const say = forPeople(terminal, json).out;
  terminal.out((json ? toCampaignJson(summary) : toCampaignText(summary, listUnreached)).trimEnd());
  const missing = missingIn(shown.range, summary.seeds.map(rangeOf));
  if (missing.length > 0) {
    const left = shown.range.count - summary.worlds;
    const why =
      open > 0
        ? 'workers have yet to play them'
        : 'each was taken again and again by workers that ended or broke; play them by assay simulate';
    say(`\n${grouped(left)} of ${grouped(shown.range.count)} worlds are missing: ${why}`);
    for (const range of missing.slice(0, 5)) say(`  ${showRange(range)}`);
    if (missing.length > 5) say(`  and ${grouped(missing.length - 5)} more ranges`);
  }
  if (out !== undefined) {
    writeAll(terminal.secrets, within(terminal.cwd, out), [
      ['simulation.json', toCampaignJson(summary)],
    ]);
    say(`${out}: simulation.json`);
  }
  return exitCodeOfCampaign(summary, missing.length === 0 ? 'none missing' : 'seeds missing');
}

async function merged(
  database: Database,
  { id, suite, options }: Campaign,
): Promise<CampaignSummary> {
  let summary = rangeFold(suite, options, 0n).summary();
  for await (const some of resultsOf(database, id)) {
    const result = mergeSummaries([
      { name: 'what was read', summary },
      ...some.map((one) => ({ name: `range ${one.seeds[0]?.first ?? ''}`, summary: one })),
    ]);
    if (!result.ok)
      throw new Error(`campaign ${id} holds what does not go together: ${result.problem}`);
    summary = result.summary;
  }
  return summary;
}

const pollMs = 1_000;

/** Waits until no range is left to play, or the person stops waiting. */
async function untilDone(
  { database, patiently, timeline }: Connection,
  shown: Campaign,
  terminal: Terminal,
): Promise<CampaignProgress> {
  const line = progressLine(terminal);
  const enough = createSignal();
  let isStopped = false;
  const forget = terminal.onStop(() => {
    isStopped = true;
    enough.ring();
  });
  const began = terminal.wallMs();
  let playedBefore: number | undefined;
  try {
    for (;;) {
      const progress = await patiently(() => progressOf(database, shown));
      playedBefore ??= progress.played;
      const spentMs = terminal.wallMs() - began;
      const rate = (progress.played - playedBefore) / spentMs;
      line.show(() => wordsOf(progress, shown, rate));
      if (progress.open === 0 || isStopped) return progress;
      await timeline.wait(enough, timeline.now() + pollMs);
    }
  } finally {
    forget();
    line.end();
  }
}

function wordsOf(
  { played, findings, inHand }: CampaignProgress,
  { range }: Campaign,
  rate: number,
): string {
  const found = findings === 0 ? 'nothing found' : `something found in ${grouped(findings)} ranges`;
  const leftMs = (range.count - played) / rate;
  const left = Number.isFinite(leftMs)
    ? ` · about ${formatDuration(Math.ceil(leftMs / 1_000) * 1_000)} left`
    : '';
  return `${grouped(played)} of ${grouped(range.count)} worlds · ${found} · ${grouped(inHand)} ranges in hand${left}`;
}
