/** What one life of something goes along with: a value of each factor, or of those that are known. */
export type Values = Readonly<Record<string, string | undefined>>;

/** What does not go together, as a predicate over the factors that it looks at. */
export interface Constraint {
  readonly of: readonly string[];
  /** Asked only where each of `of` has a value. */
  readonly holds: (values: Values) => boolean;
}

/** Factors with their values, and what cannot come together. */
export interface Domain {
  readonly factors: Readonly<Record<string, readonly string[]>>;
  readonly constraints: readonly Constraint[];
}

/** The place of a value among those of its factor; `open`: none is chosen yet. */
export type Row = number[];
export const open = -1;

/** A domain with numbers for names: factors and values by their places, so that sets of combinations are cheap. */
export interface Space {
  readonly names: readonly string[];
  readonly values: readonly (readonly string[])[];
  /** Of the first value of each factor, when the values of all factors are counted through. */
  readonly offsets: readonly number[];
  readonly size: number;
  /** Whether some whole life has these values: those that are open may become anything. */
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
    // What a part of a domain leaves out stands in nothing's way.
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

  /** Looks for a life: only the factors that some constraint speaks of need to be tried. */
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

/** A constraint as a table over all values of its factors: it is asked many thousand times. */
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
