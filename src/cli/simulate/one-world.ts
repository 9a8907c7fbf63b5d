import { historyBytes } from '../../history/jsonl.ts';
import { formatSeed, parseSeed } from '../../random/seed.ts';
import { exitCodeOfCampaign } from '../../simulation/campaign/exit-code.ts';
import { rangeFold } from '../../simulation/campaign/fold.ts';
import { optionWords } from '../../simulation/campaign/options.ts';
import { describeMoment, describeStep } from '../../simulation/describe-step.ts';
import type { SimulationOptions, WorldOutcome } from '../../simulation/outcome.ts';
import type { WorldRun } from '../../simulation/run-plan.ts';
import { readPlan } from '../../simulation/read-plan.ts';
import { playAndJudge, type PlayedWorld, playSeed } from '../../simulation/run-world.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { printable } from '../../report/formats/escape.ts';
import { simulationSuite } from '../campaign/suite.ts';
import { worldTools } from '../campaign/world-tools.ts';
import { stoppableRun, unlessEnded, usageFailure } from '../command.ts';
import { textOf, within, writeAll } from '../files.ts';
import { forPeople, type ExitCode, type Terminal } from '../terminal.ts';
import type { SimulateFlags } from './options.ts';

/** `assay simulate --seed S`: one world as a story, and its history as a file. */
export async function tellOne(
  seed: bigint,
  options: SimulationOptions,
  flags: SimulateFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const name = formatSeed(seed);
  const playing = playSeed(name, options, await worldTools(options));
  const played = await unlessStopped(playing, terminal);
  return tell(played, `--seed ${name}`, options, flags, terminal);
}

/** `assay simulate --plan FILE`: plays the world of a plan file and shows it step by step. */
export async function tellPlan(
  file: string,
  options: SimulationOptions,
  flags: SimulateFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const how = {
    option: '--plan',
    next: 'assay simulate writes plans',
    limit: 'record.bytes',
  } as const;
  const read = readPlan(textOf(file, terminal.cwd, how));
  if (!read.ok)
    throw usageFailure(`--plan ${file}: ${read.problem}`, 'give a plan of assay simulate');
  const playing = playAndJudge(read.plan, options, await worldTools(options));
  const played = await unlessStopped(playing, terminal);
  return tell(played, `--plan ${file}`, options, flags, terminal);
}

/** A world is judged whole or not at all. Nothing is lost if it is stopped, since its seed fixes its course. */
async function unlessStopped<T>(playing: Promise<T>, terminal: Terminal): Promise<T> {
  const runEnd = stoppableRun(terminal);
  return unlessEnded(runEnd, playing).finally(runEnd.forget);
}

/** @param again options that play this world again */
function tell(
  { run, outcome }: PlayedWorld,
  again: string,
  options: SimulationOptions,
  flags: SimulateFlags,
  terminal: Terminal,
): ExitCode {
  const { seed: name } = run.plan;
  terminal.out(flags.json ? JSON.stringify(outcome, null, 2) : storyOf(run, outcome).join('\n'));
  const fold = rangeFold(simulationSuite(), options, parseSeed(name) ?? 0n);
  fold.add(outcome);
  // A folder of its own: a person may be reading the report of a check beside its history.
  const directory = flags.out ?? 'reports/world';
  writeAll(terminal.secrets, within(terminal.cwd, directory), [
    ['history.jsonl', historyBytes(run.history.records, run.secrets)],
    [`plan-${name}.json`, `${JSON.stringify(run.plan, null, 2)}\n`],
  ]);
  const say = forPeople(terminal, flags.json).out;
  const words = optionWords(options);
  say(`written: ${directory}/history.jsonl, ${directory}/plan-${name}.json`);
  say(`again: assay simulate ${again}${words === '' ? '' : ` ${words}`}`);
  return exitCodeOfCampaign(fold.summary(), 'none missing');
}

function storyOf(run: WorldRun, outcome: WorldOutcome): string[] {
  const { plan, effects } = run;
  const answers = Object.entries(plan.assignment).map(([gap, answer]) => `${gap}=${answer}`);
  return [
    `seed ${plan.seed}, from ${formatTimestamp(plan.startMs)}`,
    `parties: ${plan.parties.map(({ name, skewMs }) => (skewMs === 0 ? name : `${name} (clock ${skewMs > 0 ? '+' : ''}${skewMs} ms)`)).join(', ')}`,
    ...(answers.length > 0 ? [`answers: ${answers.join(' ')}`] : []),
    '',
    ...plan.steps.map((step, index) => {
      const effect = effects[index];
      const why = effect && !effect.took ? `  → ${effect.why}` : '';
      return printable(
        `${String(index).padStart(3)}  ${describeMoment(step.at)}: ${describeStep(step)}${why}`,
      );
    }),
    '',
    `${outcome.effective} of ${outcome.steps} steps took effect; ${outcome.exchanges} exchanges, ${outcome.frames} events; hash ${outcome.hash.slice(0, 16)}`,
    ...(outcome.findings.length === 0 ? ['nothing found'] : []),
    ...outcome.findings.flatMap(({ cause, message, exchanges, blame }) =>
      [
        '',
        `${blame === 'harness' ? "a fault of Assay's own: " : ''}${cause}`,
        `  ${message}`,
        `  shown by ${exchanges.slice(0, 6).join(', ')}`,
      ].map(printable),
    ),
  ];
}
