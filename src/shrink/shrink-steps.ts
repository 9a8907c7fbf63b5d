/** Whether something shorter still shows it; `spent`: there is no more time to find out. */
export type Attempt<T> = (candidate: T) => Promise<'shows' | 'shows not' | 'spent'>;

/** How a list of steps is made shorter. */
export interface StepShrinker<Step> {
  /** One step made smaller in each way there is, the smallest first. */
  readonly smaller: (step: Step) => readonly Step[];
  /** What is left without some neighbouring steps. By default the others, as they are. */
  readonly without?: (steps: readonly Step[], from: number, size: number) => readonly Step[];
}

/** Chunks of steps to leave out: halves first, then ever smaller ones, down to each by itself. */
function* cuts(length: number): Generator<readonly [from: number, size: number]> {
  for (let size = Math.ceil(length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = length - size; from >= 0; from -= size) yield [from, size];
  }
}

const plainCut = <Step>(steps: readonly Step[], from: number, size: number): readonly Step[] => [
  ...steps.slice(0, from),
  ...steps.slice(from + size),
];

/** One list that is shorter or smaller and still shows it; undefined where there is none, or no more time. */
async function next<Step>(
  steps: readonly Step[],
  { smaller, without = plainCut }: StepShrinker<Step>,
  attempt: Attempt<readonly Step[]>,
): Promise<readonly Step[] | undefined> {
  for (const [from, size] of cuts(steps.length)) {
    const left = without(steps, from, size);
    const seen = await attempt(left);
    if (seen === 'spent') return undefined;
    if (seen === 'shows') return left;
  }
  for (const [index, step] of steps.entries()) {
    for (const less of smaller(step)) {
      const simpler = steps.with(index, less);
      const seen = await attempt(simpler);
      if (seen === 'spent') return undefined;
      if (seen === 'shows') return simpler;
    }
  }
  return undefined;
}

/** The shortest list found that still shows it: nothing of it can be left out or made smaller, or time is over. */
export async function shrinkSteps<Step>(
  steps: readonly Step[],
  shrinker: StepShrinker<Step>,
  attempt: Attempt<readonly Step[]>,
): Promise<readonly Step[]> {
  let best = steps;
  for (;;) {
    const shorter = await next(best, shrinker, attempt);
    if (!shorter) return best;
    best = shorter;
  }
}
