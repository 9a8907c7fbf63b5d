import { parseArgs } from 'node:util';
import { mutations } from '../../mutants/index.ts';
import { random } from '../../src/random/random.ts';
import { formatSeed } from '../../src/random/seed.ts';
import { scenarioOnTarget, shrinkOnTarget } from '../../src/run/simulate-target.ts';
import { openWorlds } from '../../src/run/target-worlds.ts';
import { drawTargetPlan } from '../../src/simulation/draw/target-plan.ts';
import { serveReference } from './serve-reference.ts';

/**
 * How many of some mutations, drawn by seed and served over HTTP with a driven clock, worlds find, and how many of those
 * findings they make a scenario of. Not a test: it takes minutes.
 *
 * npm run simulate:remote -- --draw 1 --count 20 --cap 300
 */
const { values } = parseArgs({
  options: {
    draw: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    /** Seconds for each. */
    cap: { type: 'string', default: '300' },
    only: { type: 'string' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const capMs = Number(values.cap) * 1_000;

interface Row {
  readonly id: string;
  readonly worlds: number;
  readonly foundAfterMs?: number;
  readonly cause?: string;
  readonly isAbout?: boolean;
  readonly planSteps?: number;
  readonly scenario?: string;
  readonly totalMs: number;
}

const shrinkMs = 20_000;

async function trial(id: string): Promise<Row> {
  const mutation = mutations.find((one) => one.id === id);
  if (!mutation) throw new Error(`no mutation ${id}`);
  const began = performance.now();
  const took = (): number => performance.now() - began;
  const { chosen, server } = await serveReference(mutation.tamper());
  const options = { seed: 1n, hostMs: () => performance.now() };
  const opened = await openWorlds(chosen, options);
  if (!opened.ok) throw new Error(opened.problems.join('\n'));
  const { worlds } = opened;
  try {
    let count = 0;
    while (took() < capMs) {
      count += 1;
      const plan = drawTargetPlan(formatSeed(BigInt(count)), await worlds.known());
      const { run, outcome } = await worlds.play(plan);
      const breaks: readonly string[] = mutation.breaks;
      const isAbout = ({ requirements }: { readonly requirements: readonly string[] }): boolean =>
        requirements.some((one) => breaks.includes(one));
      // Those that can be told as a scenario first, and those of the requirement that it breaks.
      const findings = outcome.findings.toSorted((a, b) => Number(isAbout(b)) - Number(isAbout(a)));
      const [finding] = findings;
      if (!finding) continue;
      const foundAfterMs = took();
      let row: Row = {
        id,
        worlds: count,
        foundAfterMs,
        cause: finding.cause,
        isAbout: isAbout(finding),
        totalMs: 0,
      };
      for (const one of findings.slice(0, 3)) {
        const until = took() + shrinkMs;
        const isSpent = (): boolean => took() > Math.min(until, capMs);
        const shrunk = await shrinkOnTarget(
          worlds,
          { run, finding: one },
          { mostRuns: 150, isSpent },
        );
        const written = await scenarioOnTarget(worlds, { chosen, ...options }, shrunk);
        row = {
          ...row,
          planSteps: shrunk.plan.steps.length,
          scenario: written.ok
            ? `${written.steps} steps, by ${written.proof}`
            : `none: ${written.reasons[0]}`,
        };
        if (written.ok || took() > capMs) break;
      }
      return { ...row, totalMs: took() };
    }
    return { id, worlds: count, totalMs: took() };
  } finally {
    await worlds.release();
    await server.close();
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const drawn =
  values.only === undefined
    ? random(BigInt(values.draw))
        .fork('mutations')
        .shuffle(mutations.map(({ id }) => id))
        .slice(0, Number(values.count))
    : values.only.split(',');
const rows: Row[] = [];
for (const id of drawn) {
  const row = await trial(id).catch((error: unknown): Row => {
    say(String(error instanceof Error ? error.stack : error));
    return { id, worlds: 0, totalMs: 0, scenario: 'broke' };
  });
  rows.push(row);
  const found =
    row.foundAfterMs === undefined
      ? `not found in ${row.worlds} worlds`
      : `world ${row.worlds}, ${seconds(row.foundAfterMs)}${row.isAbout ? '' : ' (another requirement)'} | plan of ${row.planSteps} | ${row.scenario} | ${row.cause}`;
  say(`${id} | ${found} | ${seconds(row.totalMs)}`);
}
const found = rows.filter(({ foundAfterMs }) => foundAfterMs !== undefined);
const told = rows.filter(({ scenario }) => scenario !== undefined && / steps, by /.test(scenario));
say(
  `${found.length} of ${rows.length} found within ${values.cap} s each; ${told.length} of them as a scenario`,
);
