import { worldScenario } from '../../run/world-scenario.ts';
import { type CampaignSummary, type CauseSummary, isPartOf } from '../../simulation/outcome.ts';
import { drawPlan } from '../../simulation/draw/draw-plan.ts';
import type { Plan } from '../../simulation/plan.ts';
import { playAndJudge } from '../../simulation/run-world.ts';
import { shrinkPlan } from '../../simulation/shrink/shrink-plan.ts';
import { worldTools } from '../own-rules.ts';
import type { Terminal } from '../terminal.ts';

/** Result for one cause: its smallest plan, and a scenario that fails for it, or the reasons why there is none. */
export interface ShrunkCause {
  readonly cause: string;
  /** Names of files, without their folder. */
  readonly plan: readonly [name: string, text: string];
  readonly scenario?: readonly [name: string, text: string];
  /** Number of plan steps before and after shrinking. */
  readonly steps: readonly [before: number, after: number];
  readonly reasons: readonly string[];
}

/** Maximum number of causes, and host time for all of them together: the summary waits for them. */
const mostCauses = 20;
const mostMs = 120_000;
const mostRuns = 400;

/** Shrinks the first world of each cause until no step can be left out. The result is equal for equal worlds. */
export async function shrinkCauses(
  { causes, options }: CampaignSummary,
  { wallMs }: Pick<Terminal, 'wallMs'>,
  onCause: (done: number, of: number) => void,
): Promise<readonly ShrunkCause[]> {
  const tools = await worldTools(options);
  const endsMs = wallMs() + mostMs;
  const isSpent = (): boolean => wallMs() > endsMs;
  const defects = causes.filter(({ blame }) => blame === 'defect').slice(0, mostCauses);
  const taken = new Map<string, number>();
  const shrunk: ShrunkCause[] = [];
  for (const [index, cause] of defects.entries()) {
    // One violation may have several causes, by where else it showed: its scenario is the same.
    if (defects.slice(0, index).some((earlier) => isPartOf(cause, earlier))) continue;
    onCause(index, defects.length);
    if (isSpent()) break;
    shrunk.push(await shrinkOne(cause));
  }
  return shrunk;

  async function shrinkOne(cause: CauseSummary): Promise<ShrunkCause> {
    const whole = drawPlan(cause.first_seed, { faults: options.faults, steps: options.steps });
    const findingIn = async (plan: Plan) => {
      const played = await playAndJudge(plan, options, tools);
      const finding = played.outcome.findings.find((one) => isPartOf(one, cause));
      return finding && { run: played.run, finding };
    };
    const shows = async (plan: Plan): Promise<boolean> => (await findingIn(plan)) !== undefined;
    const { plan } = await shrinkPlan(whole, shows, { mostRuns, isSpent });
    const found = await findingIn(plan);
    const name = nameOf(found?.finding ?? cause);
    const common = {
      cause: cause.cause,
      plan: [`${name}.plan.json`, `${JSON.stringify(plan, null, 2)}\n`] as const,
      steps: [whole.steps.length, plan.steps.length] as const,
    };
    if (!found) return { ...common, reasons: ['its world does not show it again'] };
    const { mutation } = options;
    const target = {
      chosen: { kind: 'embedded' },
      seed: 1n,
      ...(mutation !== undefined && { tamper: () => tamperOf(mutation) }),
    } as const;
    const origin = `the world of seed ${cause.first_seed}`;
    const scenario = await worldScenario(found.run, found.finding, target, origin);
    return scenario.ok
      ? { ...common, scenario: [`${name}.yaml`, scenario.text], reasons: [] }
      : { ...common, reasons: scenario.reasons };
  }

  function tamperOf(mutation: string) {
    const tamper = tools.tamperOf?.(mutation);
    if (!tamper) throw new Error('a world with a defect was made without it');
    return tamper;
  }

  /** File name after the broken requirement or rule. Several files for one requirement are numbered. */
  function nameOf({ requirements, rule }: Pick<CauseSummary, 'requirements' | 'rule'>): string {
    const words = (requirements[0] ?? rule).replaceAll(/[^\w.-]+/g, '-');
    const count = (taken.get(words) ?? 0) + 1;
    taken.set(words, count);
    return count === 1 ? words : `${words}.${count}`;
  }
}
