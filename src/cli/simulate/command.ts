import { availableParallelism } from 'node:os';
import { exitCodeOfCampaign } from '../../simulation/campaign/exit-code.ts';
import { showRange } from '../../simulation/campaign/seed-range.ts';
import { toCampaignJson, toCampaignText } from '../../simulation/campaign/text.ts';
import { unreachedIn } from '../../simulation/catalogue.ts';
import { formatSeed } from '../../random/seed.ts';
import { drawPlan } from '../../simulation/draw/draw-plan.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import { listUnreached } from '../campaign/unreached.ts';
import { type CommandInput, usageFailure } from '../command.ts';
import { tryDirectory, within, writeAll } from '../files.ts';
import { rulesWith } from '../own-rules.ts';
import { forPeople, type ExitCode, type Terminal } from '../terminal.ts';
import { progressLine } from '../progress-line.ts';
import type { ShrunkCause } from './scenarios.ts';
import { refuseIgnored, seedsOf, type SimulateFlags, worldOptions } from './options.ts';
import { playHere } from './play-here.ts';
import { printable } from '../../report/formats/escape.ts';

/** Each cause as text for the terminal, with the command that reproduces it. */
const shrunkText = (
  shrunk: readonly ShrunkCause[],
  folder: string,
  mutation: string | undefined,
): string =>
  shrunk
    .map(({ cause, plan, scenario, steps: [before, after], reasons }) => {
      const broken = mutation === undefined ? '' : ` --mutation ${mutation}`;
      return [
        cause,
        `  ${before} steps made ${after}: ${folder}/${plan[0]}`,
        ...(scenario
          ? [`  again: assay play ${folder}/${scenario[0]}${broken}`]
          : [
              `  no scenario: ${reasons.join('; ')}`,
              `  again: assay simulate --plan ${folder}/${plan[0]}${broken}`,
            ]),
      ]
        .map(printable)
        .join('\n');
    })
    .join('\n\n');

/** Number of worlds from which on every situation must have come about. Fewer worlds may miss rare ones. */
export const nightlySeeds = 2_000;

/** `assay simulate`: plays many worlds on this machine, or one, shown step by step. */
export async function simulate({ terminal, flags: given }: CommandInput): Promise<ExitCode> {
  const flags = given as unknown as SimulateFlags;
  const made = worldOptions(flags, terminal.cwd);
  const rules = await rulesWith(flags.checks, terminal.cwd);
  if (flags.runId !== undefined && flags.target === undefined)
    throw usageFailure('--run-id is for runs against a backend', 'add --target, or leave it out');
  // A scenario of each finding is written there, without `--out` too.
  if (flags.queue === undefined) tryDirectory(terminal.cwd, flags.out ?? 'reports');
  if (made.mutation !== undefined) (await import('../find-mutation.ts')).findTamper(made.mutation);
  refuseIgnored(flags);
  if (flags.plan !== undefined) {
    return (await import('./one-world.ts')).tellPlan(flags.plan, made, flags, terminal);
  }
  if (flags.queue !== undefined) {
    return (await import('../campaign/submit.ts')).submit(flags.queue, flags, made, terminal);
  }
  if (flags.target !== undefined) {
    const { simulateTarget } = await import('./on-target.ts');
    return simulateTarget(flags.target, flags, made, rules, terminal);
  }
  // Only a world in process can be shown step by step: the core has no exchanges, and those over a network differ each
  // time.
  if (flags.seed !== undefined && made.depth !== 'process')
    return campaignHere({ ...flags, from: flags.seed, seeds: 1 }, made, terminal);
  if (flags.seed !== undefined) {
    return (await import('./one-world.ts')).tellOne(flags.seed, made, flags, terminal);
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
  const say = forPeople(terminal, flags.json).out;
  const { summary, isWhole } = await playHere({
    terminal,
    options,
    range,
    workers: flags.workers ?? availableParallelism(),
    untilMs: flags.until,
    isTimed,
    onReady: () => say(isTimed ? `seeds from ${formatSeed(range.first)} on` : showRange(range)),
  });
  terminal.out(
    flags.json
      ? toCampaignJson(summary).trimEnd()
      : toCampaignText(summary, options.depth === 'process' ? listUnreached : undefined).trimEnd(),
  );
  const isCut = summary.ended_early !== undefined;
  const shrunk = flags.shrink === false || isCut ? [] : await shrinkWithProgress(summary, terminal);
  const folder = flags.out ?? 'reports';
  if (shrunk.length > 0) say(`\n${shrunkText(shrunk, folder, options.mutation)}\n`);
  if (flags.out !== undefined || shrunk.length > 0 || isCut) {
    writeAll(terminal.secrets, within(terminal.cwd, folder), filesOf(summary, shrunk));
    say(`written: ${folder}/simulation.json`);
  }
  const code = exitCodeOfCampaign(summary, isWhole ? 'none missing' : 'seeds missing');
  return code === 0 && missesSome(summary, flags) ? 3 : code;
}

/** A large campaign that never brought something about says nothing of it, and looks as if it did. */
function missesSome({ worlds, reached, options }: CampaignSummary, flags: SimulateFlags): boolean {
  const isNightly = flags.nightly === true || worlds >= nightlySeeds;
  // Worlds of a size of their own, or with a defect, may have no way to some situations.
  const isFree =
    options.steps === undefined && options.mutation === undefined && options.depth === 'process';
  return isNightly && isFree && unreachedIn(reached, options).missing.length > 0;
}

async function shrinkWithProgress(
  summary: CampaignSummary,
  terminal: Terminal,
): Promise<readonly ShrunkCause[]> {
  if (summary.causes.length === 0) return [];
  const { shrinkCauses } = await import('./scenarios.ts');
  const line = progressLine(terminal);
  const onCause = (done: number, of: number): void =>
    line.stage(`shrinking cause ${done + 1} of ${of}`);
  try {
    return await shrinkCauses(summary, terminal, onCause);
  } finally {
    line.end();
  }
}

/** The summary, and for each cause the least plan and its scenario, or the whole plan of the first world that shows it. */
const filesOf = (
  summary: CampaignSummary,
  shrunk: readonly ShrunkCause[],
): (readonly [string, string])[] => {
  const rest = summary.causes.filter(({ cause }) => !shrunk.some((one) => one.cause === cause));
  return [
    ['simulation.json', toCampaignJson(summary)],
    ...shrunk.flatMap(({ plan, scenario }) => (scenario ? [plan, scenario] : [plan])),
    ...[...new Set(rest.map(({ first_seed }) => first_seed))].map((seed) => {
      const plan = drawPlan(seed, summary.options);
      return [`plan-${seed}.json`, `${JSON.stringify(plan, null, 2)}\n`] as const;
    }),
  ];
};
