import {
  type Domain,
  spaceOf,
  type Values,
  admissible,
  choices,
  keyAt,
  nameOf,
  type Strength,
} from './domain.ts';

/** Number of value combinations that occurred, out of the admissible ones. */
export interface Coverage {
  readonly admissible: number;
  readonly met: number;
  /** `factor=value` joined by ` & `, in alphabetical order. */
  readonly unmet: readonly string[];
}

/**
 * Combinations that the lives showed, as `factor=value` joined by ` & `, in alphabetical order. To merge the sets of
 * several runs, take their union.
 */
export function combinationsMet(
  lives: Iterable<Values>,
  domain: Domain,
  strengths: readonly Strength[],
): readonly string[] {
  const space = spaceOf(domain);
  // An array, because it is read once per strength; an iterator can be read only once.
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
    // Skips repeated rows: most lives are alike.
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

/** Coverage of a domain: the number of combinations that the lives showed, and the names of the missing ones. */
export function coverageOf(lives: Iterable<Values>, domain: Domain, strength: Strength): Coverage {
  const space = spaceOf(domain);
  const met = keysIn(lives, domain, strength);
  return coverage(
    admissible(space, strength),
    (key) => met.has(key),
    (key) => nameOf(space, key),
  );
}

/** Coverage of a domain by the merged combination names of many runs. */
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
