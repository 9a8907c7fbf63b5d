import { availableParallelism } from 'node:os';
import { exitCodeOfCampaign } from '../../simulation/campaign/exit-code.ts';
import { showRange } from '../../simulation/campaign/seed-range.ts';
import { toCampaignJson, toCampaignText } from '../../simulation/campaign/text.ts';
import { unreachedIn } from '../../simulation/catalogue.ts';
import { drawPlan } from '../../simulation/draw/draw-plan.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import { listUnreached } from '../campaign/unreached.ts';
import type { CommandInput } from '../command.ts';
import { within, writeAll } from '../files.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { seedsOf, type SimulateFlags, worldOptions } from './options.ts';
import { playHere } from './play-here.ts';

/** Worlds from so many on must have brought about all that there is: fewer may miss what is rare. */
export const nightlySeeds = 2_000;

/** `assay simulate`: many worlds on this machine, or one, told step by step. */
export async function simulate({ terminal, options }: CommandInput): Promise<ExitCode> {
  const flags = options as SimulateFlags;
  const made = worldOptions(flags);
  if (made.mutation !== undefined) (await import('../find-mutation.ts')).findTamper(made.mutation);
  if (flags.target !== undefined) {
    const { simulateTarget } = await import('./on-target.ts');
    return simulateTarget(flags, made, terminal);
  }
  // Only what is played in process has a story to tell: the core has no exchanges, and a network tells none twice.
  if (flags.seed !== undefined && made.depth !== 'process')
    return campaignHere({ ...flags, from: flags.seed, seeds: 1 }, made, terminal);
  if (flags.seed !== undefined) {
    const { tellOne } = await import('./one-world.ts');
    return tellOne(flags.seed, made, flags, terminal);
  }
  return campaignHere(flags, made, terminal);
}

async function campaignHere(
  flags: SimulateFlags,
  options: SimulationOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const range = seedsOf(flags);
  const isTimed = flags.seeds === undefined && flags.until !== undefined;
  const say = flags.json ? terminal.err : terminal.out;
  say(isTimed ? `seeds from ${range.first} on` : showRange(range));
  const { summary, isWhole } = await playHere({
    terminal,
    options,
    range,
    workers: flags.workers ?? availableParallelism(),
    untilMs: flags.until,
    isTimed,
  });
  terminal.out(
    flags.json
      ? toCampaignJson(summary).trimEnd()
      : toCampaignText(summary, options.depth === 'process' ? listUnreached : undefined).trimEnd(),
  );
  if (flags.out !== undefined) {
    writeAll(within(terminal.cwd, flags.out), filesOf(summary));
    say(`written: ${flags.out}/simulation.json`);
  }
  const code = exitCodeOfCampaign(summary, isWhole ? 'none missing' : 'seeds missing');
  return code === 0 && missesSome(summary, flags) ? 1 : code;
}

/** A large campaign that never brought something about says nothing of it, and looks as if it did. */
function missesSome({ worlds, reached, options }: CampaignSummary, flags: SimulateFlags): boolean {
  const isNightly = flags.nightly === true || worlds >= nightlySeeds;
  // Worlds of a size of their own, or with a defect, may have no way to some situations.
  const isFree =
    options.steps === undefined && options.mutation === undefined && options.depth === 'process';
  return isNightly && isFree && unreachedIn(reached, options).missing.length > 0;
}

/** The summary, and for each cause the plan of the first world that shows it. */
const filesOf = (summary: CampaignSummary): (readonly [string, string])[] => [
  ['simulation.json', toCampaignJson(summary)],
  ...[...new Set(summary.causes.map(({ first_seed }) => first_seed))].map((seed) => {
    const plan = drawPlan(seed, summary.options);
    return [`plan-${seed}.json`, `${JSON.stringify(plan, null, 2)}\n`] as const;
  }),
];
