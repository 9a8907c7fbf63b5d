import type { Random } from '../random/random.ts';
import {
  type Domain,
  open,
  type Row,
  type Space,
  spaceOf,
  admissible,
  choices,
  keyAt,
  rowOfKey,
  type Strength,
} from './domain.ts';

export interface ArrayOptions {
  readonly strength: Strength;
  readonly random: Random;
  /** Rows drawn for each row that is kept. More candidates give fewer rows. */
  readonly candidates?: number;
}

const usualCandidates = 60;

/**
 * Lives that contain every admissible combination of `strength` values, in as few rows as a greedy search finds:
 * each row begins with a combination that no row has yet. Each further factor takes the value that covers most.
 * Deterministic for a seed.
 */
export function coveringArray(
  domain: Domain,
  { strength, random, candidates = usualCandidates }: ArrayOptions,
): readonly Readonly<Record<string, string>>[] {
  const space = spaceOf(domain);
  const left = new Set(admissible(space, strength));
  const places = choices(space.names.length, strength);
  const around = space.names.map((_, place) => places.filter((some) => some.includes(place)));
  const rows: Row[] = [];
  while (left.size > 0) {
    let best: readonly [row: Row, covers: readonly number[]] | undefined;
    for (let drawn = 0; drawn < candidates; drawn += 1) {
      const row = drawRow(space, around, left, random);
      const covers = places.flatMap((some) => {
        const key = keyAt(space, row, some);
        return key !== undefined && left.has(key) ? [key] : [];
      });
      if (covers.length > (best?.[1].length ?? 0)) best = [row, covers];
    }
    if (!best) throw new Error('a covering array has a combination that no row can take');
    rows.push(best[0]);
    for (const key of best[1]) left.delete(key);
  }
  return rows.map((row) => space.valuesOf(row));
}

/** By place, the choices of places that contain it. */
type Around = readonly (readonly (readonly number[])[])[];

function drawRow(space: Space, around: Around, left: ReadonlySet<number>, random: Random): Row {
  const row = rowOfKey(space, random.pick([...left]));
  const waiting = random.shuffle(space.names.map((_, place) => place));
  for (const place of waiting) {
    if (row[place] !== open) continue;
    row[place] = bestValue(space, around, left, row, place, random);
  }
  return row;
}

/** The value of one factor that covers most, together with the row's values so far. A random one if several do. */
function bestValue(
  space: Space,
  around: Around,
  left: ReadonlySet<number>,
  row: Row,
  place: number,
  random: Random,
): number {
  const tried = [...row];
  let most = -1;
  let best: number[] = [];
  for (let value = 0; value < (space.values[place]?.length ?? 0); value += 1) {
    tried[place] = value;
    let covers = 0;
    for (const some of around[place] ?? []) {
      const key = keyAt(space, tried, some);
      if (key !== undefined && left.has(key)) covers += 1;
    }
    // The more expensive test comes last.
    if (covers < most || !space.admits(tried)) continue;
    if (covers > most) best = [];
    most = covers;
    best.push(value);
  }
  return random.pick(best);
}
