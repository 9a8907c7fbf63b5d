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
