import { historyBytes } from '../../history/jsonl.ts';
import { formatSeed, parseSeed } from '../../random/seed.ts';
import { exitCodeOfCampaign } from '../../simulation/campaign/exit-code.ts';
import { rangeFold } from '../../simulation/campaign/fold.ts';
import { optionWords } from '../../simulation/campaign/options.ts';
import { drawPlan } from '../../simulation/draw/draw-plan.ts';
import { describeMoment, describeStep } from '../../simulation/describe-step.ts';
import type { SimulationOptions, WorldOutcome } from '../../simulation/outcome.ts';
import type { WorldRun } from '../../simulation/run-plan.ts';
import { type Plan, readPlan } from '../../simulation/plan.ts';
import { playAndJudge } from '../../simulation/run-world.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { printable } from '../../report/formats/escape.ts';
import { simulationSuite } from '../campaign/range-player.ts';
import { worldTools } from '../own-rules.ts';
import { stoppableRun, unlessEnded, usageFailure } from '../command.ts';
import { textOf, within, writeAll } from '../files.ts';
import { forPeople, type ExitCode, type Terminal } from '../terminal.ts';
import type { SimulateFlags } from './options.ts';

/** `assay simulate --seed S` or `--plan FILE`: one world as a story, and its history as a file. */
export async function tellWorld(
  flags: SimulateFlags,
  options: SimulationOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { plan: file, seed = 0n, json } = flags;
  const { faults, steps } = options;
  const planned =
    file === undefined ? drawPlan(formatSeed(seed), { faults, steps }) : planFrom(file, terminal);
  const playing = playAndJudge(planned, options, await worldTools(options));
  // A world is judged whole or not at all. Nothing is lost if it is stopped, since its seed fixes its course.
  const runEnd = stoppableRun(terminal);
  const { run, outcome } = await unlessEnded(runEnd, playing).finally(runEnd.forget);
  const { seed: name } = run.plan;
  terminal.out(json ? JSON.stringify(outcome, null, 2) : storyOf(run, outcome).join('\n'));
  const fold = rangeFold(simulationSuite(), options, parseSeed(name) ?? 0n);
  fold.add(outcome);
  // A folder of its own: a person may be reading the report of a check beside its history.
  const directory = flags.out ?? 'reports/world';
  writeAll(terminal.secrets, within(terminal.cwd, directory), [
    ['history.jsonl', historyBytes(run.history.records, run.secrets)],
    [`plan-${name}.json`, `${JSON.stringify(run.plan, null, 2)}\n`],
  ]);
  const say = forPeople(terminal, json).out;
  const words = optionWords(options);
  const again = file === undefined ? `--seed ${name}` : `--plan ${file}`;
  say(`written: ${directory}/history.jsonl, ${directory}/plan-${name}.json`);
  say(`again: assay simulate ${again}${words === '' ? '' : ` ${words}`}`);
  return exitCodeOfCampaign(fold.summary(), 'none missing');
}

function planFrom(file: string, { cwd }: Terminal): Plan {
  const next = 'assay simulate writes plans';
  const read = readPlan(textOf(file, cwd, { option: '--plan', next, limit: 'record.bytes' }));
  if (read.ok) return read.value;
  throw usageFailure(`--plan ${file}: ${read.problem}`, 'give a plan of assay simulate');
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
