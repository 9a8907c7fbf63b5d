import { parseArgs } from 'node:util';
import { random } from '../../../src/random/random.ts';
import { canaries } from '../../canaries/index.ts';
import { mutations } from '../../index.ts';
import type { Written } from '../../mutation.ts';
import { runJobs } from '../worker-pool.ts';
import type { Hunt, HuntResult } from './hunt.ts';
import { canaryText, mutationShares, scenarioTable } from './text.ts';

const usage = `npm run canaries -- [options]

Plays worlds on the reference with one planted defect each, until a world shows it.

  --seeds <n>      most worlds for each defect (default: 10000; with --mutations: 300)
  --only <text>    those whose name holds the text; several names with commas between them
  --scenarios      makes a scenario of the first world that shows a canary, as short as can be; their table
  --mutations      the mutations of the judge in place of the canaries; their share by part of the document
  --sample <n>     so many of the mutations only, drawn by --draw
  --draw <seed>    default: 0x1
  --threads <n>    default: 2
  --verbose        a line for each defect as it is done
`;

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string' },
    only: { type: 'string' },
    mutations: { type: 'boolean' },
    scenarios: { type: 'boolean' },
    sample: { type: 'string' },
    draw: { type: 'string', default: '0x1' },
    threads: { type: 'string', default: '2' },
    verbose: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const out = (line: string): void => console.log(line);

/** Defects that `--only` names. */
function requested<T extends Written>(all: readonly T[]): readonly T[] {
  const names = flags.only?.split(',');
  if (!names) return all;
  return all.filter(({ id }) =>
    names.length === 1 ? id.includes(names[0] ?? '') : names.includes(id),
  );
}

/** Random sample of `--sample` defects, in their original order. */
function sampled<T>(all: readonly T[]): readonly T[] {
  if (flags.sample === undefined) return all;
  const drawn = new Set(
    random(BigInt(flags.draw)).fork('sample').shuffle(all).slice(0, Number(flags.sample)),
  );
  return all.filter((one) => drawn.has(one));
}

async function huntAll(defects: readonly Written[], seeds: number): Promise<readonly HuntResult[]> {
  const hunts = defects.map(
    ({ id }): Hunt => ({ id, seeds, ...(flags.scenarios && { shrinks: true }) }),
  );
  const script = new URL('./worker.js', import.meta.url);
  return runJobs<Hunt, HuntResult>(script, hunts, Number(flags.threads), (result, done) => {
    if (!flags.verbose) return;
    const { id, foundAfter, finding, broke, shrunk, wallMs } = result;
    const shown = shrunk ? `, ${shrunk.steps ?? 'no'} steps ${shrunk.why ?? ''}` : '';
    const came = foundAfter === undefined ? (broke ?? 'not found') : `after ${foundAfter}`;
    out(
      `${done}/${hunts.length} ${id}: ${came}, ${(wallMs / 1_000).toFixed(1)} s ${finding?.cause ?? ''}${shown}`,
    );
  });
}

async function main(): Promise<number> {
  const seeds = Number(flags.seeds ?? (flags.mutations ? 300 : 10_000));
  if (flags.mutations) {
    const some = sampled(requested(mutations));
    const results = await huntAll(some, seeds);
    for (const line of mutationShares(some, results, seeds)) out(line);
    return results.some(({ broke }) => broke !== undefined) ? 3 : 0;
  }
  const some = requested(canaries);
  const results = await huntAll(some, seeds);
  for (const line of canaryText(some, results, seeds)) out(line);
  if (flags.scenarios) for (const line of ['', ...scenarioTable(some, results)]) out(line);
  return results.every(({ foundAfter }) => foundAfter !== undefined) ? 0 : 1;
}

if (flags.help) out(usage);
else process.exitCode = await main();
