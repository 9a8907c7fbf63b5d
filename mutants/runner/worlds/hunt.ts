import { formatSeed } from '../../../src/random/seed.ts';
import { isPartOf, type WorldFinding } from '../../../src/simulation/outcome.ts';
import { worldScenario } from '../../../src/run/world-scenario.ts';
import { drawPlan } from '../../../src/simulation/draw/draw-plan.ts';
import type { Plan } from '../../../src/simulation/plan.ts';
import { playAndJudge, playSeed } from '../../../src/simulation/run-world.ts';
import { shrinkPlan } from '../../../src/simulation/shrink/shrink-plan.ts';
import { canaryNamed } from '../../canaries/index.ts';
import { mutationNamed } from '../../index.ts';
import type { Written } from '../../mutation.ts';

/** One defect that worlds should find, and the number of worlds that may try. */
export interface Hunt {
  readonly id: string;
  /** Seeds 1, 2, 3 ... up to this one. */
  readonly seeds: number;
  /** Shrinks the first world that shows the defect, and makes a scenario of it. */
  readonly shrinks?: true;
}

/** Result of a hunt, small enough to be sent from one thread to another. */
export interface HuntResult {
  readonly id: string;
  /** Number of worlds up to the first that showed the defect, including it; undefined if none did. */
  readonly foundAfter?: number;
  /** Finding that showed the defect. */
  readonly finding?: Pick<WorldFinding, 'cause' | 'rule' | 'message'>;
  readonly shrunk?: Shrunk;
  /** Error of Assay itself, if there was one. */
  readonly broke?: string;
  readonly wallMs: number;
}

/** The smallest world that shows the defect, and its scenario, or the reason why there is none. */
export interface Shrunk {
  /** Number of steps of the plan. */
  readonly planned: number;
  /**
   * Number of steps of the scenario. It fails for the same reason on the reference with the defect, and not on the
   * sound one.
   */
  readonly steps?: number;
  /** `claims`: a step of the scenario fails. `rule`: only a rule shows the failure. */
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

/** Maximum number of plays to shrink one world. */
const mostRuns = 400;

async function shrunk(seed: string, first: WorldFinding, planted: Written): Promise<Shrunk> {
  const options = { depth: 'process', mutation: planted.id } as const;
  const findingIn = async (plan: Plan) => {
    const played = await playAndJudge(plan, options, { tamperOf: () => planted.tamper() });
    const finding = played.outcome.findings.find((one) => isPartOf(one, first));
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
        ...(shrinks && { shrunk: await shrunk(seed, finding, planted) }),
        wallMs: since(),
      };
    }
    return { id, wallMs: since() };
  } catch (error) {
    const broke = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, broke, wallMs: since() };
  }
}
