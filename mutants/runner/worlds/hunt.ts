import { formatSeed } from '../../../src/random/seed.ts';
import type { WorldFinding } from '../../../src/simulation/outcome.ts';
import { playSeed } from '../../../src/simulation/run-world.ts';
import { canaryNamed } from '../../canaries/index.ts';
import { mutationNamed } from '../../index.ts';
import type { Written } from '../../mutation.ts';

/** One defect that worlds are to find, and how many of them may try. */
export interface Hunt {
  readonly id: string;
  /** Seeds 1, 2, 3 ... up to this one. */
  readonly seeds: number;
}

/** What came of it, small enough to be sent from one thread to another. */
export interface HuntResult {
  readonly id: string;
  /** How many worlds it took, the last one included; undefined: none of them showed it. */
  readonly foundAfter?: number;
  /** What showed it. */
  readonly finding?: Pick<WorldFinding, 'cause' | 'rule' | 'message'>;
  /** Where it broke Assay itself. */
  readonly broke?: string;
  readonly wallMs: number;
}

const defects = (findings: readonly WorldFinding[]): readonly WorldFinding[] =>
  findings.filter(({ blame }) => blame === 'defect');

async function findingIn(seed: string, planted?: Written): Promise<WorldFinding | undefined> {
  const options = { depth: 'process', ...(planted && { mutation: planted.id }) } as const;
  const tools = planted ? { tamperOf: () => planted.tamper() } : {};
  const { outcome } = await playSeed(seed, options, tools);
  return defects(outcome.findings)[0];
}

/** Plays one world after another until one shows the defect, and that same world without it shows nothing. */
export async function hunt({ id, seeds }: Hunt): Promise<HuntResult> {
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
      return { id, foundAfter: n, finding: { cause, rule, message }, wallMs: since() };
    }
    return { id, wallMs: since() };
  } catch (error) {
    const broke = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, broke, wallMs: since() };
  }
}
