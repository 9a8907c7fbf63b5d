import type { Step, Template } from './model.ts';

type Templates = ReadonlyMap<string, Template>;

/**
 * How many steps are taken in all: those of templates as often as they are used, those of repetitions as often as they
 * are repeated. Each template is counted once, however many use it.
 */
export function stepCounter(templates: Templates): (steps: readonly Step[]) => number {
  const known = new Map<string, number>();
  const ofTemplate = (name: string): number => {
    const count = known.get(name);
    if (count !== undefined) return count;
    known.set(name, 0);
    const counted = countAll(templates.get(name)?.steps ?? []);
    known.set(name, counted);
    return counted;
  };
  const countOf = (step: Step): number => {
    if (step.kind === 'together')
      return 1 + step.branches.reduce((sum, branch) => sum + countAll(branch), 0);
    if (step.kind === 'repeat') {
      // How long a list is shows when it is there: the budget of the run counts its rounds.
      const rounds = typeof step.times === 'number' ? step.times : 1;
      return 1 + rounds * countAll(step.steps);
    }
    if (step.kind === 'as_each') return 1 + step.parties.length * countAll(step.steps);
    return step.kind === 'use' ? 1 + ofTemplate(step.template.value) : 1;
  };
  const countAll = (steps: readonly Step[]): number =>
    steps.reduce((sum, step) => sum + countOf(step), 0);
  return countAll;
}
