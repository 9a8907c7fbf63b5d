import { type Random, random } from '../random/random.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import type { Reproduction } from '../reproduce/steps.ts';
import { type Assignment, type GapId, gapIds, gaps } from '../spec/gaps/index.ts';
import { assign } from '../target/embedded/assignment.ts';
import { tryOnSound } from './try-reproduction.ts';

/**
 * Adds the answers to gaps that the flow depends on: with another answer a sound backend would fail it. The flow says
 * nothing of backends with other answers. Tries each other answer alone, and then several together.
 * @param answers answers of the target; only those that the flow needs are added to it
 */
export async function withNeededAnswers(
  found: Reproduction,
  seed: bigint,
  answers: Assignment | undefined,
): Promise<Reproduction> {
  let kept = found.answers ?? {};
  const usual = answers ?? assign(kept);
  const fails = async (changes: Changes): Promise<boolean> => {
    const text = scenarioText({ ...found, answers: kept });
    return (await tryOnSound(text, seed, assign({ ...usual, ...changes }))).failed !== 'no';
  };
  for (const changes of otherAnswers(usual, random(seed).fork('other answers'))) {
    const open = (): Changes =>
      Object.fromEntries(Object.entries(changes).filter(([gap]) => !(gap in kept)));
    while (Object.keys(open()).length > 0 && (await fails(open()))) {
      const gap = await whichMatters(open(), fails);
      kept = { ...kept, [gap]: usual[gap] };
    }
  }
  return { ...found, answers: kept };
}

type Changes = { readonly [gap in GapId]?: string };

/** Number of trials that change several answers together. */
const together = 100;

/** Changes to answers, as other sound backends may have them. */
function otherAnswers(usual: Assignment, draws: Random): readonly Changes[] {
  const others = gapIds.flatMap((gap) =>
    gaps[gap].values.filter((one) => one !== usual[gap]).map((one): Changes => ({ [gap]: one })),
  );
  const drawn = Array.from({ length: together }, (_, index): Changes => {
    const draw = draws.fork(String(index));
    return Object.assign({}, ...others.filter(() => draw.chance((index % 4) / 4 + 0.1)));
  });
  return [...others, ...drawn];
}

/** Finds one of several changed answers without which the flow does not fail. */
async function whichMatters(
  changes: Changes,
  fails: (changes: Changes) => Promise<boolean>,
): Promise<GapId> {
  let left = changes;
  const all = gapIds.filter((gap) => gap in changes);
  for (const gap of all) {
    const { [gap]: _, ...less } = left;
    if (Object.keys(less).length === 0 || !(await fails(less))) return gap;
    left = less;
  }
  throw new Error('nothing is left that could fail');
}
