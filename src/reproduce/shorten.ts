import { isNamed, type Reproduction, type ReproStep, stepsOfClaim } from './steps.ts';

/** Maximum number of plays for shortening a flow. */
const mostPlays = 120;

/**
 * Leaves out all steps without which the rest still shows the failure. Tries many steps at once first, then one by one;
 * the last steps first, since they depend on the earlier ones.
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

/** Leaves out the answers to gaps that do not matter. Tries to leave out all of them first. */
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
