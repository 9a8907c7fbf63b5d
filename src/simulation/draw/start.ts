import type { Random } from '../../random/random.ts';
import { type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import type { AnswerChanges } from '../plan.ts';

const at = (text: string): number => Date.parse(text);

/** Calendar boundaries, and one usual moment. */
const turns = {
  'a usual moment': at('2030-05-14T10:00:00.000Z'),
  'a day': at('2030-05-15T00:00:00.000Z'),
  'a month': at('2030-05-01T00:00:00.000Z'),
  'a year': at('2031-01-01T00:00:00.000Z'),
  '28 February': at('2030-03-01T00:00:00.000Z'),
  '28 February of a leap year': at('2032-02-29T00:00:00.000Z'),
  '29 February': at('2032-03-01T00:00:00.000Z'),
} as const;

/** Start of a world: some time before a boundary, so that the world passes it. */
export function drawStart(random: Random): number {
  const turn = random.pick(['a usual moment', ...Object.keys(turns)] as (keyof typeof turns)[]);
  return turns[turn] - random.pick([1, 900, 4_000, 31_000, 62_000]);
}

/**
 * Answers that make a world no richer: keys that are slow to make or are not drawn from the seed; limits that only slow
 * it down; orders that live for an hour, so that heartbeats fill the history.
 */
const leftOut: readonly (readonly [GapId, string])[] = [
  ['token.algorithm', 'RS256'],
  ['token.algorithm', 'ES256'],
  ['limits.rate', '20-per-second'],
  ['order.lifetime', '3600s'],
];

/** The answers to a gap that worlds are drawn with. */
export const drawnValues = (id: GapId): readonly string[] =>
  gaps[id].values.filter((value) => !leftOut.some(([gap, left]) => gap === id && left === value));

/** Some worlds answer as usual, some differ in a few gaps, some in all. */
export function drawAssignment(random: Random): AnswerChanges {
  const share = random.pick([0, 0.1, 0.1, 0.5]);
  const changes: { [id in GapId]?: string } = {};
  for (const id of gapIds) {
    const draws = random.fork(id);
    const value = draws.pick(drawnValues(id));
    if (draws.chance(share) && value !== gaps[id].values[0]) changes[id] = value;
  }
  return changes;
}
