import { isNamed, type Reproduction, type ReproStep, stepsOfClaim } from './steps.ts';

/** So many plays may be spent on making a flow shorter. */
const mostPlays = 120;

/**
 * Leaves out whatever can be left out while the rest shows the same: many steps at once first, then one after the other,
 * the last first, since the earlier ones are what they rest on.
 */
export async function shortened(
  reproduction: Reproduction,
  proves: (less: Reproduction) => Promise<boolean>,
): Promise<Reproduction> {
  let shortest = reproduction;
  let plays = 0;
  const claimed = new Set(
    [...reproduction.claims, ...(reproduction.inScript ?? [])].flatMap(stepsOfClaim),
  );
  const isFree = (step: ReproStep): boolean => !isNamed(step) || !claimed.has(step.name);
  for (let size = Math.floor(reproduction.steps.length / 4); ; size = Math.floor(size / 2)) {
    const atOnce = Math.max(1, size);
    const free = shortest.steps.filter(isFree).toReversed();
    for (let from = 0; from < free.length && plays < mostPlays; from += atOnce) {
      const without = new Set(free.slice(from, from + atOnce));
      const steps = shortest.steps.filter((step) => !without.has(step));
      plays += 1;
      if (await proves({ ...shortest, steps })) shortest = { ...shortest, steps };
    }
    if (atOnce === 1) return withFewerAnswers(shortest, proves);
  }
}

/** Without the answers to gaps that do not matter: all of them first. */
async function withFewerAnswers(
  reproduction: Reproduction,
  proves: (less: Reproduction) => Promise<boolean>,
): Promise<Reproduction> {
  const all = Object.entries(reproduction.answers ?? {});
  if (all.length === 0) return reproduction;
  const none = { ...reproduction, answers: {} };
  if (await proves(none)) return none;
  let left = all;
  for (const one of all.length > 1 ? all : []) {
    const fewer = left.filter((other) => other !== one);
    if (await proves({ ...reproduction, answers: Object.fromEntries(fewer) })) left = fewer;
  }
  return { ...reproduction, answers: Object.fromEntries(left) };
}
