/** Whether something shorter still shows it; `spent`: there is no more time to find out. */
export type Attempt<T> = (candidate: T) => Promise<'shows' | 'shows not' | 'spent'>;

/** How a list of steps is made shorter. */
export interface StepShrinker<Step> {
  /** One step made smaller in each way there is, the smallest first. */
  readonly smaller: (step: Step) => readonly Step[];
  /** What is left without some neighbouring steps. By default the others, as they are. */
  readonly without?: (steps: readonly Step[], from: number, size: number) => readonly Step[];
}

const plainCut = <Step>(steps: readonly Step[], from: number, size: number): readonly Step[] => [
  ...steps.slice(0, from),
  ...steps.slice(from + size),
];

/** A list on its way to a shorter one. */
interface Shrinking<Step> {
  readonly steps: readonly Step[];
  /** There is no more time. */
  readonly isSpent: boolean;
}

/**
 * Once through all chunks. After one was left out it goes on where it stands: from the beginning again, each step that
 * is left out would cost as many tries as there are steps.
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

/** Each step as small as it can be by itself. */
async function smallerEach<Step>(
  steps: readonly Step[],
  smaller: StepShrinker<Step>['smaller'],
  attempt: Attempt<readonly Step[]>,
): Promise<Shrinking<Step>> {
  let best = steps;
  for (let index = 0; index < best.length; ) {
    const step = best[index];
    let less: readonly Step[] | undefined;
    for (const one of step === undefined ? [] : smaller(step)) {
      const simpler = best.with(index, one);
      const seen = await attempt(simpler);
      if (seen === 'spent') return { steps: best, isSpent: true };
      if (seen === 'shows') {
        less = simpler;
        break;
      }
    }
    if (less) best = less;
    else index += 1;
  }
  return { steps: best, isSpent: false };
}

/** The shortest list found that still shows it: nothing of it can be left out or made smaller, or time is over. */
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
