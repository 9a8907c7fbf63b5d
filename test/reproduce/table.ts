import { assign } from '../../src/target/embedded/assignment.ts';
import { parseArgs } from 'node:util';
import { mutations } from '../../mutants/index.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import {
  drawn,
  reproduced,
  type Row,
  scriptOf,
  soundAnswers,
  trialsOf,
  underAnswers,
} from './drawn.ts';
import { runOnReference } from '../../src/cli/replay/run-script.ts';

/**
 * Draws mutations and tries the exports of each: `npm run reproduce -- --draw 1 --count 20`. Prints
 * a line for each with the results of the scenario and the script on the mutated and the sound
 * reference. `--only` names mutations; `--show` prints the exports.
 */
const { values } = parseArgs({
  options: {
    draw: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    only: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const chosen = values.only?.split(',');
const list = chosen
  ? mutations.filter(({ id }) => chosen.includes(id))
  : drawn(BigInt(values.draw), Number(values.count));

interface Line {
  readonly scenario: 'shows it' | 'by rules' | 'no';
  readonly script: 'shows it' | 'no';
  readonly note: string;
  /** Sound references with other answers to gaps that the scenario fails on. */
  readonly accused?: readonly string[];
  readonly judged?: number;
  /** The answers to gaps that it is written for. */
  readonly answers?: string;
}

async function lineOf({ mutation, check, search }: Row): Promise<Line> {
  if (!search?.ok) {
    const why = search ? search.reasons.join('; ') : 'the suite finds no failure';
    return { scenario: 'no', script: 'no', note: check ? `${check}: ${why}` : why };
  }
  const { reproduction, proof } = search.found;
  const { broken, sound } = await trialsOf(reproduction, mutation);
  const shows = broken.failed !== 'no' && sound.failed === 'no' && !sound.isUndecided;
  const scenario = !shows ? 'no' : broken.failed === 'steps' ? 'shows it' : 'by rules';
  const { answers = {} } = reproduction;
  const written = Object.entries(answers).map(([gap, answer]) => `${gap} = ${answer}`);
  const under = { ...(await underAnswers(reproduction)), answers: written.join(', ') };
  const note = `${check}: ${reproduction.shown.requirement}, ${reproduction.steps.length} steps`;
  if (values.show) say(scenarioText(reproduction));
  const script = scriptOf(reproduction);
  if (script === undefined) return { scenario, script: 'no', note: `${note}, ${proof}`, ...under };
  if (values.show) say(script.slice(script.indexOf('# ---- the flow')));
  const runs = [{ tamper: mutation.tamper() }, { assignment: assign(answers) }];
  const codes = [];
  for (const one of runs) codes.push(await runOnReference(script, process.env, 240_000, one));
  const [onBroken, onSound] = codes.map(({ code }) => code);
  const isShown = onBroken === 1 && onSound === 0;
  if (values.show && !isShown) say(codes.map(({ said }) => said).join('\n---\n'));
  return {
    scenario,
    script: isShown ? 'shows it' : 'no',
    note: isShown ? note : `${note}, the script ended with ${onBroken} and ${onSound}`,
    ...under,
  };
}

const lines: Line[] = [];
for (const mutation of list) {
  const line = await reproduced(mutation)
    .then(lineOf)
    .catch((error: unknown): Line => ({ scenario: 'no', script: 'no', note: String(error) }));
  lines.push(line);
  const { accused = [], judged = 0 } = line;
  for (const why of accused) say(`  fails on a sound reference: ${why}`);
  say(
    `${String(judged).padStart(2)} ${line.scenario.padEnd(9)} ${line.script.padEnd(9)} ${mutation.id}  (${line.note})`,
  );
}
const scenarios = lines.filter(({ scenario }) => scenario !== 'no').length;
const scripts = lines.filter(({ script }) => script !== 'no').length;
const failing = lines.filter(({ accused = [] }) => accused.length > 0).length;
const judged = lines.reduce((sum, line) => sum + (line.judged ?? 0), 0);
say(`\nof ${lines.length}: scenarios ${scenarios}, scripts ${scripts}`);
say(
  `${failing} fail on a sound reference under ${soundAnswers.length} drawn answers to gaps; ${judged} plays in scope`,
);
