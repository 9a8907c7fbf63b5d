/** Tries a shorter candidate: `shows` if it still shows the failure. `spent`: no time is left to try it. */
export type Attempt<T> = (candidate: T) => Promise<'shows' | 'shows not' | 'spent'>;

/** Ways to make a list of steps shorter. */
export interface StepShrinker<Step> {
  /** All one-step simplifications of a step, the smallest first. */
  readonly smaller: (step: Step) => readonly Step[];
  /** The list without some neighbouring steps. By default the other steps, unchanged. */
  readonly without?: (steps: readonly Step[], from: number, size: number) => readonly Step[];
}

const plainCut = <Step>(steps: readonly Step[], from: number, size: number): readonly Step[] => [
  ...steps.slice(0, from),
  ...steps.slice(from + size),
];

/** The shortest list found so far. */
interface Shrinking<Step> {
  readonly steps: readonly Step[];
  /** There is no more time. */
  readonly isSpent: boolean;
}

/**
 * Tries once to leave out each chunk. After a chunk was left out, it goes on from the same position: a new start from
 * the beginning would cost as many tries for each left-out step as there are steps.
 */
async function shorter<Step>(
  steps: readonly Step[],
  without: NonNullable<StepShrinker<Step>['without']>,
  attempt: Attempt<readonly Step[]>,
): Promise<Shrinking<Step>> {
  let best = steps;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = best.length - size; from > -size; from -= size) {
      const start = Math.max(0, from);
      const left = without(best, start, from + size - start);
      const seen = await attempt(left);
      if (seen === 'spent') return { steps: best, isSpent: true };
      if (seen === 'shows') best = left;
    }
  }
  return { steps: best, isSpent: false };
}

/** The first candidate that shows the failure; undefined if none does. */
export async function firstThatShows<T>(
  candidates: readonly T[],
  attempt: Attempt<T>,
): Promise<T | 'spent' | undefined> {
  for (const candidate of candidates) {
    const seen = await attempt(candidate);
    if (seen !== 'shows not') return seen === 'spent' ? seen : candidate;
  }
  return undefined;
}

/** Makes each step as small as possible by itself. */
async function smallerEach<Step>(
  steps: readonly Step[],
  smaller: StepShrinker<Step>['smaller'],
  attempt: Attempt<readonly Step[]>,
): Promise<Shrinking<Step>> {
  let best = steps;
  for (let index = 0; index < best.length; ) {
    const from = best;
    const candidates = smaller(best[index] as Step).map((one) => from.with(index, one));
    const less = await firstThatShows(candidates, attempt);
    if (less === 'spent') return { steps: best, isSpent: true };
    if (less) best = less;
    else index += 1;
  }
  return { steps: best, isSpent: false };
}

/** The shortest list found that still shows the failure: no step can be left out or made smaller, or time is over. */
export async function shrinkSteps<Step>(
  steps: readonly Step[],
  { smaller, without = plainCut }: StepShrinker<Step>,
  attempt: Attempt<readonly Step[]>,
): Promise<readonly Step[]> {
  let best = steps;
  for (;;) {
    const less = await shorter(best, without, attempt);
    if (less.isSpent) return less.steps;
    const { steps: least, isSpent } = await smallerEach(less.steps, smaller, attempt);
    if (isSpent || least === best) return least;
    best = least;
  }
}
