import { type Attempt, firstThatShows, shrinkSteps } from '../../shrink/shrink-steps.ts';
import { cast, castNames } from '../../spec/requirements/requirement.ts';
import { referenceStartMs } from '../../target/embedded/create-reference.ts';
import type { Plan, PlannedParty } from '../plan.ts';
import { plainerSteps, plainerTogether, withoutSteps } from './smaller-steps.ts';

export interface ShrinkBounds {
  readonly mostRuns: number;
  readonly isSpent?: () => boolean;
}

export interface ShrunkPlan {
  readonly plan: Plan;
  readonly runs: number;
  /** True if nothing more could be left out; false if a bound ended the search. */
  readonly isLeast: boolean;
}

/** True if a step is taken by a party of this name, or names it. */
const isNamedIn = ({ steps }: Plan, { name }: PlannedParty): boolean => {
  const quoted = JSON.stringify(name);
  return steps.some((step) => JSON.stringify(step).includes(quoted));
};

/**
 * Removes the parties that no step names. One party of each role stays, because the reference serves no world without
 * it. With fewer parties, another party may come first in a moment; then one step waits for the next.
 */
function withFewerParties(plan: Plan): Plan[] {
  const present = plan.parties.filter((party) => isNamedIn(plan, party));
  const left = plan.parties.filter((party) => {
    const alike = (one: PlannedParty): boolean => one.role === party.role;
    return present.includes(party) || (!present.some(alike) && plan.parties.find(alike) === party);
  });
  if (left.length === plan.parties.length) return [];
  const steps = plan.steps.map((step) =>
    'afterMs' in step.at && step.at.afterMs === 0 ? { ...step, at: { afterMs: 1 } } : step,
  );
  return [
    { ...plan, parties: left },
    { ...plan, parties: left, steps },
  ];
}

/** A copy of a JSON value that names another party in place of one. */
const renamed = <T>(value: T, from: string, to: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(from), JSON.stringify(to))) as T;

/** Renames a party to an unused name of the standard cast, in the whole plan: a scenario knows only that cast. */
function withUsualNames(plan: Plan): Plan[] {
  const taken = new Set(plan.parties.map(({ name }) => name));
  return plan.parties.flatMap((party): Plan[] => {
    if (castNames.some((known) => known === party.name)) return [];
    const free = castNames.find((name) => cast[name] === party.role && !taken.has(name));
    return free === undefined ? [] : [renamed(plan, party.name, free)];
  });
}

/** Replaces a party without a name in the standard cast by another one of its role. */
function withOneForTwo({ parties, ...plan }: Plan): Plan[] {
  const unknown = parties.filter(({ name }) => !castNames.some((known) => known === name));
  return unknown.flatMap((gone) =>
    parties.flatMap((other): Plan[] => {
      if (other === gone || other.role !== gone.role) return [];
      const steps = renamed(plan.steps, gone.name, other.name);
      return [{ ...plan, parties: parties.filter((one) => one !== gone), steps }];
    }),
  );
}

/** Simplifies all steps of one kind at once: one by one could take more plays than are allowed. */
const allPlainer = (plan: Plan): Plan[] =>
  plainerTogether(plan.steps).map((steps) => ({ ...plan, steps }));

/** All one-step simplifications of the plan's settings (everything except its steps), simplest first. */
function plainerSettings(plan: Plan): Plan[] {
  const answers = Object.entries(plan.assignment);
  const fewer =
    answers.length > 1 ? answers.map((left) => answers.filter((one) => one !== left)) : [];
  return [
    ...(answers.length > 0 ? [{ ...plan, assignment: {} }] : []),
    ...withFewerParties(plan),
    ...withUsualNames(plan),
    ...(plan.startMs === referenceStartMs ? [] : [{ ...plan, startMs: referenceStartMs }]),
    ...(plan.parties.some(({ skewMs }) => skewMs !== 0)
      ? [{ ...plan, parties: plan.parties.map((party) => ({ ...party, skewMs: 0 })) }]
      : []),
    ...withOneForTwo(plan),
    ...fewer.map((some) => ({ ...plan, assignment: Object.fromEntries(some) })),
  ];
}

/**
 * The smallest plan found that still shows what the given plan shows: nothing of it can be left out or simplified. The
 * same plan and the same bound on plays give the same result.
 */
export async function shrinkPlan(
  plan: Plan,
  shows: (candidate: Plan) => Promise<boolean>,
  { mostRuns, isSpent = () => false }: ShrinkBounds,
): Promise<ShrunkPlan> {
  let runs = 0;
  let isLeast = true;
  const attempt: Attempt<Plan> = async (candidate) => {
    if (runs >= mostRuns || isSpent()) {
      isLeast = false;
      return 'spent';
    }
    runs += 1;
    return (await shows(candidate)) ? 'shows' : 'shows not';
  };
  let best = await settle(plan, attempt, (one) => [...plainerSettings(one), ...allPlainer(one)]);
  for (;;) {
    const before = best;
    const steps = await shrinkSteps(
      best.steps,
      { smaller: plainerSteps, without: withoutSteps },
      (some) => attempt({ ...before, steps: some }),
    );
    best = await settle({ ...best, steps }, attempt, plainerSettings);
    if (best === before || (best.steps === before.steps && isSameSettings(best, before))) break;
    if (!isLeast) break;
  }
  return { plan: best, runs, isLeast };
}

const isSameSettings = (one: Plan, other: Plan): boolean =>
  one.assignment === other.assignment &&
  one.parties === other.parties &&
  one.startMs === other.startMs;

async function settle(
  plan: Plan,
  attempt: Attempt<Plan>,
  plainerOnes: (plan: Plan) => readonly Plan[],
): Promise<Plan> {
  let best = plan;
  for (;;) {
    const plainer = await firstThatShows(plainerOnes(best), attempt);
    if (!plainer || plainer === 'spent') return best;
    best = plainer;
  }
}
