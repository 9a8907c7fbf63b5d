import { parseArgs } from 'node:util';
import { mutations } from '../../mutants/index.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { drawn, reproduced, type Row, scriptOf, trialsOf } from './drawn.ts';
import { runScript } from './run-script.ts';

/**
 * Draws mutations and tries what is exported of each: `npm run reproduce -- --draw 1 --count 20`. A line for each: how a
 * scenario and a script do on the mutated reference and on the sound one. `--only` names mutations; `--show` prints.
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
  const note = `${check}: ${reproduction.shown.requirement}, ${reproduction.steps.length} steps`;
  if (values.show) say(scenarioText(reproduction));
  const script = scriptOf(reproduction);
  if (script === undefined) return { scenario, script: 'no', note: `${note}, ${proof}` };
  if (values.show) say(script.slice(script.indexOf('# ---- the flow')));
  const codes = [await runScript(script, mutation.tamper()), await runScript(script)];
  const [onBroken, onSound] = codes.map(({ code }) => code);
  const isShown = onBroken === 1 && onSound === 0;
  if (values.show && !isShown) say(codes.map(({ said }) => said).join('\n---\n'));
  return {
    scenario,
    script: isShown ? 'shows it' : 'no',
    note: isShown ? note : `${note}, the script ended with ${onBroken} and ${onSound}`,
  };
}

const lines: Line[] = [];
for (const mutation of list) {
  const line = await reproduced(mutation)
    .then(lineOf)
    .catch((error: unknown): Line => ({ scenario: 'no', script: 'no', note: String(error) }));
  lines.push(line);
  say(`${line.scenario.padEnd(9)} ${line.script.padEnd(9)} ${mutation.id}  (${line.note})`);
}
const scenarios = lines.filter(({ scenario }) => scenario !== 'no').length;
const scripts = lines.filter(({ script }) => script !== 'no').length;
say(`\nof ${lines.length}: scenarios ${scenarios}, scripts ${scripts}`);
