import { type Random, random } from '../random/random.ts';
import { scenarioText } from '../reproduce/scenario.ts';
import type { Reproduction } from '../reproduce/steps.ts';
import { type Assignment, type GapId, gapIds, gaps } from '../spec/gaps/index.ts';
import { assign } from '../target/embedded/assignment.ts';
import { tryOnSound } from './try-reproduction.ts';

/**
 * With the answers to gaps without which a sound backend fails: the flow says nothing of a backend that answers otherwise.
 * Each other answer is tried alone, and then several together.
 * @param answers those of the target, where they stand in the flow no more than it needs them
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

/** So many times several answers are changed together. */
const together = 30;

/** Answers that another sound backend gives in place of these. */
function otherAnswers(usual: Assignment, draws: Random): readonly Changes[] {
  const others = gapIds.flatMap((gap) =>
    gaps[gap].values.filter((one) => one !== usual[gap]).map((one): Changes => ({ [gap]: one })),
  );
  const drawn = Array.from({ length: together }, (_, index): Changes => {
    const draw = draws.fork(String(index));
    return Object.assign({}, ...others.filter(() => draw.chance((index % 3) / 4 + 0.1)));
  });
  return [...others, ...drawn];
}

/** One of several answers that fail together, without which they do not. */
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
