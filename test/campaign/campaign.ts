/**
 * A whole campaign over several worker processes, with kills and restarts of the database, and its figures:
 * `node --import tsx test/campaign/campaign.ts --seeds 2000 --workers 4 --kills 10 --restart-database 1`. Plays the
 * worlds of fake-world.ts; with `--real` those of the built command.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCampaign } from '../../src/simulation/campaign/read.ts';
import { root } from '../architecture/source.ts';
import { buildFake } from './build-fake.ts';
import { startServer } from './database.ts';
import { ordeal } from './drive.ts';
import { start } from './processes.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    chunk: { type: 'string', default: '20' },
    steps: { type: 'string' },
    workers: { type: 'string', default: '4' },
    kills: { type: 'string', default: '10' },
    'restart-database': { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    real: { type: 'boolean', default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const began = performance.now();
const fake = values.real ? undefined : await buildFake();
const command = fake?.command ?? join(root, 'bin/assay.js');
const cwd = mkdtempSync(join(tmpdir(), 'assay-campaign-'));
const server = await startServer();
try {
  const database = await server.create();
  const result = await ordeal({
    server,
    database,
    command,
    cwd,
    seeds: Number(values.seeds),
    chunk: Number(values.chunk),
    steps: values.steps === undefined ? undefined : Number(values.steps),
    workers: Number(values.workers),
    kills: Number(values.kills),
    restarts: Number(values['restart-database']),
    seed: BigInt(values.seed),
    say,
  });
  const args = ['campaign', result.campaign, '--queue', database.url, '--out', 'out'];
  const shown = await start(command, args, cwd).ended;
  say(shown.out);
  const read = readCampaign(readFileSync(join(cwd, 'out/simulation.json'), 'utf8'));
  if (!read.ok) throw new Error(read.problem);
  const { seeds, worlds } = read.value;
  const [counted] = await database.query<{ readonly rows: string; readonly worlds: string }>(
    'SELECT count(*) AS rows, sum(worlds) AS worlds FROM assay.range_result',
  );
  say(`worlds: ${values.real ? 'real' : 'fake'}`);
  say(`seeds submitted: ${values.seeds}`);
  say(`seeds counted: ${worlds}, in ${seeds.length} range without a hole`);
  say(`results written: ${counted?.rows} ranges of ${counted?.worlds} worlds`);
  say(`kills -9: ${result.kills}; restarts of the database: ${result.restarts}`);
  say(`ranges taken again: ${result.takenAgain}; worker processes: ${result.workersStarted}`);
  say(`workers that ended by themselves: ${result.ended.map(({ code }) => code).join(', ')}`);
  say(`seconds: ${((performance.now() - began) / 1_000).toFixed(1)}`);
  const isExact = seeds.length === 1 && worlds === Number(values.seeds);
  say(isExact ? 'each seed counted once' : 'SEEDS LOST OR COUNTED TWICE');
  process.exitCode = isExact && result.ended.every(({ code }) => code === 0) ? 0 : 1;
} finally {
  await server.remove();
  fake?.remove();
  rmSync(cwd, { recursive: true, force: true });
}
