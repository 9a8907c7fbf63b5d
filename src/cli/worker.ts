import { availableParallelism, hostname } from 'node:os';
import { showSuite, type Suite } from '../simulation/campaign/options.ts';
import { showRange } from '../simulation/campaign/seed-range.ts';
import { grouped } from '../simulation/campaign/text.ts';
import { createSignal } from '../timeline/signal.ts';
import { connect, databaseFailure, shownUrl } from './campaign/connect.ts';
import { createRangePlayer, type RangePlayer, simulationSuite } from './campaign/range-player.ts';
import { openRanges, type TakenRange } from './campaign/take-ranges.ts';
import { type CommandInput, usageFailure } from './command.ts';
import { progressLine } from './progress-line.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** Polling interval of an idle worker. */
const idleMs = 1_000;
/** Interval at which it looks for campaigns of other suites, which it must not take. */
const othersMs = 10_000;
/** Number of renewals within one lease. */
const renewals = 4;
const leastRenewMs = 500;

/** Takes ranges of seeds from a queue and plays them, until it is stopped or there are none. */
export async function worker({ terminal, flags }: CommandInput): Promise<ExitCode> {
  const { queue, workers = availableParallelism(), until, drain } = flags;
  if (queue === undefined) throw usageFailure('no queue to work for', 'add --queue postgres://...');
  const suite = simulationSuite();
  const stop = stopping(terminal);
  const { database, patiently, timeline } = await connect(
    queue,
    workers + 2,
    terminal.err,
    () => stop.how() === 'at once',
  );
  const name = `${hostname()}/${process.pid}`;
  const ranges = await patiently(() => openRanges(database, suite, name));
  const endsAt = until === undefined ? Number.POSITIVE_INFINITY : timeline.now() + until;
  const inHand = new Set<TakenRange>();
  const tally = { worlds: 0, ranges: 0, broken: 0, found: 0 };
  const refused = new Set<string>();
  let isDone = false;
  let looksAgainAt = 0;
  const goesOn = (): boolean => !isDone && stop.how() === 'not' && timeline.now() < endsAt;

  const line = progressLine(terminal);
  terminal.out(`suite ${showSuite(suite)}, ${workers} at a time, from ${shownUrl(queue)}`);
  line.show(() => wordsOf(tally, inHand));

  /** Plays a range after another. If one slot fails, all would: the others finish the ranges in hand and stop. */
  async function slot(player: RangePlayer): Promise<void> {
    try {
      while (goesOn()) {
        const taken = await patiently(ranges.take);
        if (taken) {
          inHand.add(taken);
          await playOne(player, taken);
          inHand.delete(taken);
        } else await whenIdle();
      }
    } catch (error) {
      isDone = true;
      throw error;
    }
  }

  async function playOne(player: RangePlayer, taken: TakenRange): Promise<void> {
    const { range, options: how } = taken;
    const played = await player.play({ suite, options: how, range }, (causes) => {
      tally.worlds += 1;
      if (causes > 0) tally.found += 1;
    });
    if (played.ok) {
      await patiently(() => ranges.finish(taken, played.summary));
      tally.ranges += 1;
      return;
    }
    terminal.err(`assay worker: ${showRange(range)} handed back: ${played.problem}`);
    if (stop.how() !== 'at once') tally.broken += 1;
    await patiently(() => ranges.handBack(taken, played.problem));
  }

  async function whenIdle(): Promise<void> {
    // An idle worker takes back the ranges of workers that gave no sign for too long.
    await patiently(ranges.reclaim);
    if (timeline.now() >= looksAgainAt) await refuseOthers();
    if (drain && inHand.size === 0 && (await patiently(ranges.areAllDone))) isDone = true;
    else await timeline.wait(stop.signal, Math.min(timeline.now() + idleMs, endsAt));
  }

  async function refuseOthers(): Promise<void> {
    looksAgainAt = timeline.now() + othersMs;
    for (const { id, suite: other } of await patiently(ranges.ofOtherSuites)) {
      if (refused.has(id)) continue;
      refused.add(id);
      terminal.err(refusal(id, other, suite));
    }
  }

  /** Rings when all slots have ended. Leases are renewed until then, since a range may take longer than its lease. */
  const finished = createSignal();
  let isFinished = false;
  async function renew(): Promise<void> {
    while (!isFinished) {
      const leases = [...inHand].map(({ leaseMs }) => leaseMs);
      const nextMs = Math.max(leastRenewMs, Math.min(idleMs, ...leases.map((ms) => ms / renewals)));
      await timeline.wait(finished, timeline.now() + nextMs);
      // If this fails for good, so does the next query of a slot, which reports the reason.
      if (inHand.size > 0) await patiently(() => ranges.renew([...inHand])).catch(() => {});
    }
  }

  const players = Array.from({ length: workers }, createRangePlayer);
  stop.onAtOnce(() => {
    for (const player of players) void player.end();
  });
  try {
    const renewing = renew();
    try {
      await timeline.together(players.map((player, n) => [`worker ${n}`, () => slot(player)]));
    } finally {
      isFinished = true;
      finished.ring();
    }
    await renewing;
  } catch (error) {
    throw databaseFailure(error, shownUrl(queue));
  } finally {
    line.end();
    stop.forget();
    await Promise.all(players.map((player) => player.end()));
    await database.close();
  }
  terminal.out(
    `played ${grouped(tally.worlds)} worlds and wrote ${grouped(tally.ranges)} ranges; something was found in ${grouped(tally.found)} worlds`,
  );
  if (tally.broken > 0) return 3;
  return tally.ranges === 0 && refused.size > 0 ? 2 : 0;
}

const wordsOf = (
  { worlds, found }: { readonly worlds: number; readonly found: number },
  inHand: ReadonlySet<TakenRange>,
): string =>
  `${grouped(worlds)} worlds · ${found === 0 ? 'nothing found' : `something found in ${grouped(found)}`} · ${inHand.size === 0 ? 'waits for ranges' : `${inHand.size} ranges in hand`}`;

const refusal = (id: string, wanted: Suite, own: Suite): string =>
  `assay worker: campaign ${id} is for suite ${showSuite(wanted)}, and this is ${showSuite(own)}: not taken\n  next: start a worker of that version, or submit the campaign with this one`;

/** The first Ctrl-C finishes the ranges in hand, the second hands them back. */
function stopping(terminal: Terminal) {
  const signal = createSignal();
  let how: 'not' | 'once played' | 'at once' = 'not';
  let atOnce = (): void => {};
  let forget = terminal.onStop(() => {
    how = 'once played';
    terminal.err('assay worker: finishes the ranges in hand; again: hands them back');
    signal.ring();
    forget();
    forget = terminal.onStop(() => {
      how = 'at once';
      signal.ring();
      atOnce();
    });
  });
  return {
    signal,
    how: () => how,
    onAtOnce(act: () => void) {
      atOnce = act;
    },
    forget: () => forget(),
  };
}
