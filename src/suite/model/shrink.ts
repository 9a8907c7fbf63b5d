import { type Attempt, shrinkSteps } from '../../shrink/shrink-steps.ts';
import type { Sequence, Step } from './steps.ts';

/** One step made smaller, the smallest first. */
function smaller(step: Step): Step[] {
  if (step.do === 'at once') {
    const { commands } = step;
    const without = commands.map((_, left) => ({
      ...step,
      commands: commands.filter((__, index) => index !== left),
    }));
    return [...commands, ...(commands.length > 2 ? without : [])];
  }
  if (step.do === 'quote') {
    return [
      ...(step.validity === 'usual' ? [] : [{ ...step, validity: 'usual' as const }]),
      ...(step.rate === '1' ? [] : [{ ...step, rate: '1' }]),
    ];
  }
  return step.do === 'create' && step.maximum === 'tight' ? [{ ...step, maximum: 'ample' }] : [];
}

/**
 * The shortest sequence found that still shows it: leaves steps out and makes them smaller, for as long as that helps
 * and there is time.
 * @param guess a shorter sequence that may show it already
 */
export async function shrink(
  sequence: Sequence,
  guess: Sequence,
  attempt: Attempt<Sequence>,
): Promise<Sequence> {
  const isShorter = guess.length < sequence.length && (await attempt(guess)) === 'shows';
  return shrinkSteps(isShorter ? guess : sequence, { smaller }, attempt);
}
