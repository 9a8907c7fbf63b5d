import type { Sequence, Step } from './steps.ts';

/** Whether a shorter sequence still shows what is to be shown; `spent`: there is no more time to find out. */
export type Attempt = (sequence: Sequence) => Promise<'shows' | 'shows not' | 'spent'>;

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

/** Chunks of steps to leave out: halves first, then ever smaller ones, down to each by itself. */
function* cuts(length: number): Generator<readonly [from: number, size: number]> {
  for (let size = Math.ceil(length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = length - size; from >= 0; from -= size) yield [from, size];
  }
}

async function shorter(sequence: Sequence, attempt: Attempt): Promise<Sequence | undefined> {
  for (const [from, size] of cuts(sequence.length)) {
    const left = [...sequence.slice(0, from), ...sequence.slice(from + size)];
    const seen = await attempt(left);
    if (seen === 'spent') return undefined;
    if (seen === 'shows') return left;
  }
  for (const [index, step] of sequence.entries()) {
    for (const less of smaller(step)) {
      const simpler = sequence.with(index, less);
      const seen = await attempt(simpler);
      if (seen === 'spent') return undefined;
      if (seen === 'shows') return simpler;
    }
  }
  return undefined;
}

/**
 * The shortest sequence found that still shows it: leaves steps out and makes them smaller, for as long as that helps
 * and there is time.
 * @param guess a shorter sequence that may show it already
 */
export async function shrink(
  sequence: Sequence,
  guess: Sequence,
  attempt: Attempt,
): Promise<Sequence> {
  let best = sequence;
  if (guess.length < sequence.length && (await attempt(guess)) === 'shows') best = guess;
  for (;;) {
    const next = await shorter(best, attempt);
    if (!next) return best;
    best = next;
  }
}
