import { formatSeed } from '../../../src/random/seed.ts';
import type { WorldFinding } from '../../../src/simulation/outcome.ts';
import { worldScenario } from '../../../src/run/world-scenario.ts';
import { drawPlan } from '../../../src/simulation/draw/draw-plan.ts';
import type { Plan } from '../../../src/simulation/plan.ts';
import { playAndJudge, playSeed } from '../../../src/simulation/run-world.ts';
import { shrinkPlan } from '../../../src/simulation/shrink/shrink-plan.ts';
import { canaryNamed } from '../../canaries/index.ts';
import { mutationNamed } from '../../index.ts';
import type { Written } from '../../mutation.ts';

/** One defect that worlds are to find, and how many of them may try. */
export interface Hunt {
  readonly id: string;
  /** Seeds 1, 2, 3 ... up to this one. */
  readonly seeds: number;
  /** Makes of the first world that shows it the least one, and a scenario of that. */
  readonly shrinks?: true;
}

/** What came of it, small enough to be sent from one thread to another. */
export interface HuntResult {
  readonly id: string;
  /** How many worlds it took, the last one included; undefined: none of them showed it. */
  readonly foundAfter?: number;
  /** What showed it. */
  readonly finding?: Pick<WorldFinding, 'cause' | 'rule' | 'message'>;
  readonly shrunk?: Shrunk;
  /** Where it broke Assay itself. */
  readonly broke?: string;
  readonly wallMs: number;
}

/** The least world that shows it, and the scenario of that, or why there is none. */
export interface Shrunk {
  /** Of the plan. */
  readonly planned: number;
  /** Of the scenario; it fails on the reference with the defect for the same reason, and on the sound one it does not. */
  readonly steps?: number;
  /** Whether a step of it fails, or a rule tells. */
  readonly proof?: 'claims' | 'rule';
  readonly why?: string;
}

const defects = (findings: readonly WorldFinding[]): readonly WorldFinding[] =>
  findings.filter(({ blame }) => blame === 'defect');

async function findingIn(seed: string, planted?: Written): Promise<WorldFinding | undefined> {
  const options = { depth: 'process', ...(planted && { mutation: planted.id }) } as const;
  const tools = planted ? { tamperOf: () => planted.tamper() } : {};
  const { outcome } = await playSeed(seed, options, tools);
  return defects(outcome.findings)[0];
}

/** Most plays of one world while it is made smaller. */
const mostRuns = 400;

async function shrunk(seed: string, cause: string, planted: Written): Promise<Shrunk> {
  const options = { depth: 'process', mutation: planted.id } as const;
  const findingIn = async (plan: Plan) => {
    const played = await playAndJudge(plan, options, { tamperOf: () => planted.tamper() });
    const finding = played.outcome.findings.find((one) => one.cause === cause);
    return finding && { run: played.run, finding };
  };
  const shows = async (plan: Plan): Promise<boolean> => (await findingIn(plan)) !== undefined;
  const { plan } = await shrinkPlan(drawPlan(seed), shows, { mostRuns });
  const planned = plan.steps.length;
  const found = await findingIn(plan);
  if (!found) return { planned, why: 'its world does not show it again' };
  const target = {
    chosen: { kind: 'embedded' },
    seed: 1n,
    tamper: () => planted.tamper(),
  } as const;
  const scenario = await worldScenario(
    found.run,
    found.finding,
    target,
    `the world of seed ${seed}`,
  );
  if (!scenario.ok) return { planned, why: scenario.reasons.join('; ') };
  return { planned, steps: scenario.steps, proof: scenario.proof };
}

/** Plays one world after another until one shows the defect, and that same world without it shows nothing. */
export async function hunt({ id, seeds, shrinks }: Hunt): Promise<HuntResult> {
  const started = performance.now();
  const since = (): number => Math.round(performance.now() - started);
  const planted = canaryNamed(id) ?? mutationNamed(id);
  if (!planted) throw new Error(`no canary and no mutation is named ${id}`);
  try {
    for (let n = 1; n <= seeds; n += 1) {
      const seed = formatSeed(BigInt(n));
      const finding = await findingIn(seed, planted);
      if (!finding) continue;
      const sound = await findingIn(seed);
      if (sound) {
        const broke = `the sound reference fails in world ${seed}: ${sound.message}`;
        return { id, broke, wallMs: since() };
      }
      const { cause, rule, message } = finding;
      return {
        id,
        foundAfter: n,
        finding: { cause, rule, message },
        ...(shrinks && { shrunk: await shrunk(seed, cause, planted) }),
        wallMs: since(),
      };
    }
    return { id, wallMs: since() };
  } catch (error) {
    const broke = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, broke, wallMs: since() };
  }
}
