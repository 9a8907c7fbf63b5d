import { type Domain, spaceOf, type Values } from './domain.ts';
import { admissible, choices, keyAt, nameOf, type Strength } from './tuples.ts';

/** How many combinations of so many values came about, of those that can. */
export interface Coverage {
  readonly admissible: number;
  readonly met: number;
  /** `factor=value` joined by ` & `, all in the order of the alphabet. */
  readonly unmet: readonly string[];
}

/**
 * What some lives showed, as `factor=value` joined by ` & `, in the order of the alphabet. Such sets of several runs
 * merge by putting them together.
 */
export function combinationsMet(
  lives: Iterable<Values>,
  domain: Domain,
  strengths: readonly Strength[],
): readonly string[] {
  const space = spaceOf(domain);
  // Gone through once for each strength, which an iterator cannot be.
  const all = [...lives];
  return strengths
    .flatMap((strength) => [...keysIn(all, domain, strength)])
    .map((key) => nameOf(space, key))
    .toSorted();
}

function keysIn(lives: Iterable<Values>, domain: Domain, strength: Strength): ReadonlySet<number> {
  const space = spaceOf(domain);
  const places = choices(space.names.length, strength);
  const met = new Set<number>();
  const known = new Set<string>();
  for (const life of lives) {
    const row = space.rowOf(life);
    // Of many lives most are alike.
    const name = row.join();
    if (known.has(name)) continue;
    known.add(name);
    for (const some of places) {
      const key = keyAt(space, row, some);
      if (key !== undefined) met.add(key);
    }
  }
  return met;
}

/** How many of the combinations of a domain some lives showed, and which they did not. */
export function coverageOf(lives: Iterable<Values>, domain: Domain, strength: Strength): Coverage {
  const space = spaceOf(domain);
  const met = keysIn(lives, domain, strength);
  return coverage(
    admissible(space, strength),
    (key) => met.has(key),
    (key) => nameOf(space, key),
  );
}

/** The same of what many runs met together. */
export function coverageOfMet(
  met: ReadonlySet<string>,
  domain: Domain,
  strength: Strength,
): Coverage {
  const space = spaceOf(domain);
  const names = [...admissible(space, strength)].map((key) => nameOf(space, key));
  return coverage(
    new Set(names),
    (name) => met.has(name),
    (name) => name,
  );
}

function coverage<T>(
  all: ReadonlySet<T>,
  isMet: (one: T) => boolean,
  nameOfOne: (one: T) => string,
): Coverage {
  const unmet = [...all].filter((one) => !isMet(one));
  return {
    admissible: all.size,
    met: all.size - unmet.length,
    unmet: unmet.map(nameOfOne).toSorted(),
  };
}
