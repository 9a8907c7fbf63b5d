import { open, type Row, type Space } from './domain.ts';

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
