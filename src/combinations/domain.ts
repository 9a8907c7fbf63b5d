/** Factor values of one life: one value for each factor that is known. */
export type Values = Readonly<Record<string, string | undefined>>;

/** Rules out combinations of values: a predicate over the factors that it names. */
export interface Constraint {
  readonly of: readonly string[];
  /** Called only if each factor of `of` has a value. False if the values cannot come together. */
  readonly holds: (values: Values) => boolean;
}

/** Factors with their values, and the combinations that are ruled out. */
export interface Domain {
  readonly factors: Readonly<Record<string, readonly string[]>>;
  readonly constraints: readonly Constraint[];
}

/** For each factor, the index of its value. `open`: no value is chosen yet. */
export type Row = number[];
export const open = -1;

/** A domain with indices in place of names, so that sets of combinations are cheap. */
export interface Space {
  readonly names: readonly string[];
  readonly values: readonly (readonly string[])[];
  /** Index of each factor's first value, in one numbering of the values of all factors. */
  readonly offsets: readonly number[];
  readonly size: number;
  /** True if some complete life has these values. An open factor may take any value. */
  readonly admits: (row: Row) => boolean;
  readonly rowOf: (values: Values) => Row;
  readonly valuesOf: (row: Row) => Readonly<Record<string, string>>;
}

export function spaceOf({ factors, constraints }: Domain): Space {
  const names = Object.keys(factors);
  const values = names.map((name) => factors[name] ?? []);
  const offsets: number[] = [];
  let size = 0;
  for (const some of values) {
    offsets.push(size);
    size += some.length;
  }
  const placeOf = new Map(names.map((name, place) => [name, place]));
  const rules = constraints.flatMap((constraint) => {
    const places = constraint.of.flatMap((name) => placeOf.get(name) ?? []);
    // A constraint does not apply if the domain lacks one of its factors.
    return places.length === constraint.of.length ? [tableOf(constraint, places, values)] : [];
  });
  const isBroken = (row: Row): boolean => rules.some((rule) => rule(row));
  const constrained = names.flatMap((name, place) =>
    constraints.some(({ of }) => of.includes(name)) ? [place] : [],
  );

  function valuesOf(row: Row): Record<string, string> {
    return Object.fromEntries(
      names.flatMap((name, place) => {
        const value = values[place]?.[row[place] ?? open];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** Searches for a complete life. Only factors that a constraint names need to be tried. */
  function admits(row: Row): boolean {
    if (isBroken(row)) return false;
    const next = constrained.find((place) => row[place] === open);
    if (next === undefined) return true;
    return (values[next] ?? []).some((_, value) => admits(row.with(next, value)));
  }

  return {
    names,
    values,
    offsets,
    size,
    admits,
    valuesOf,
    rowOf: (given) =>
      names.map((name, place) => {
        const value = given[name];
        return value === undefined ? open : (values[place]?.indexOf(value) ?? open);
      }),
  };
}

/** A constraint as a table over all values of its factors, because it is called many thousand times. */
function tableOf(
  { of, holds }: Constraint,
  places: readonly number[],
  values: readonly (readonly string[])[],
): (row: Row) => boolean {
  const counts = places.map((place) => values[place]?.length ?? 0);
  const forbidden: boolean[] = [];
  const size = counts.reduce((product, count) => product * count, 1);
  for (let index = 0; index < size; index += 1) {
    let left = index;
    const given = counts.map((count) => {
      const value = left % count;
      left = Math.floor(left / count);
      return value;
    });
    const named = of.map((name, at) => [name, values[places[at] ?? 0]?.[given[at] ?? 0]]);
    forbidden.push(!holds(Object.fromEntries(named)));
  }
  return (row) => {
    let index = 0;
    let weight = 1;
    for (let at = 0; at < places.length; at += 1) {
      const value = row[places[at] ?? 0] ?? open;
      if (value === open) return false;
      index += value * weight;
      weight *= counts[at] ?? 0;
    }
    return forbidden[index] === true;
  };
}

/** Number of factors that are looked at together. */
export type Strength = 2 | 3;

/** Every choice of `strength` places out of `of`, each in ascending order. */
export function choices(of: number, strength: Strength): readonly (readonly number[])[] {
  const found: number[][] = [];
  for (let a = 0; a < of; a += 1) {
    for (let b = a + 1; b < of; b += 1) {
      if (strength === 2) found.push([a, b]);
      else for (let c = b + 1; c < of; c += 1) found.push([a, b, c]);
    }
  }
  return found;
}

/** One number for the values of a row at some places; undefined if one of them is open. */
export function keyAt(space: Space, row: Row, places: readonly number[]): number | undefined {
  let key = 0;
  for (const place of places) {
    const value = row[place] ?? open;
    if (value === open) return undefined;
    key = key * (space.size + 1) + (space.offsets[place] ?? 0) + value + 1;
  }
  return key;
}

/** The row that has the values of one combination, and is open otherwise. */
export function rowOfKey(space: Space, key: number): Row {
  const row: Row = space.names.map(() => open);
  const base = space.size + 1;
  for (let left = key; left > 0; left = Math.floor(left / base)) {
    const value = (left % base) - 1;
    const place = space.offsets.findLastIndex((offset) => offset <= value);
    row[place] = value - (space.offsets[place] ?? 0);
  }
  return row;
}

/** Keys of every combination of `strength` values of different factors that some complete life has. */
export function admissible(space: Space, strength: Strength): ReadonlySet<number> {
  const keys = new Set<number>();
  const row: Row = space.names.map(() => open);
  for (const places of choices(space.names.length, strength)) {
    const choose = (depth: number): void => {
      const place = places[depth];
      if (place === undefined) {
        const key = keyAt(space, row, places);
        if (key !== undefined && space.admits(row)) keys.add(key);
        return;
      }
      for (let value = 0; value < (space.values[place]?.length ?? 0); value += 1) {
        row[place] = value;
        choose(depth + 1);
      }
      row[place] = open;
    };
    choose(0);
  }
  return keys;
}

/** A combination as text: `factor=value` joined by ` & `, in alphabetical order. */
export const nameOf = (space: Space, key: number): string =>
  Object.entries(space.valuesOf(rowOfKey(space, key)))
    .map(([factor, value]) => `${factor}=${value}`)
    .toSorted()
    .join(' & ');
