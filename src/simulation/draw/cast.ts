import type { Random } from '../../random/random.ts';
import { type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import { cast, castNames } from '../../spec/requirements/requirement.ts';
import { type Role, roles } from '../../spec/vocabulary.ts';
import type { AnswerChanges, PlannedParty } from '../plan.ts';

const standardNames = (role: Role): readonly string[] =>
  castNames.filter((name) => cast[name] === role);

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Standard names first, so that a small world can be written as a scenario; then more names of the same kind. */
function nameOf(role: Role, index: number): string {
  const known = standardNames(role)[index];
  if (known !== undefined) return known;
  if (role === 'market-maker') return `maker_${letters.charAt(index)}`;
  return `${role === 'institution' ? 'sender' : 'custodian'}_${index + 1}`;
}

const sizes: readonly (readonly [institutions: number, custodians: number, makers: number])[] = [
  [1, 1, 1],
  [1, 2, 2],
  [2, 2, 1],
  [2, 3, 3],
  [2, 3, 3],
  [2, 3, 4],
  [4, 4, 3],
  [6, 6, 8],
];

const skewsMs = [0, 0, 0, 0, -250, 40, 900, -2_000] as const;

/**
 * Parties of the drawn cast that the target has. If the target has none of them for a role, its first party of that
 * role.
 */
export function castAmong(
  drawn: readonly PlannedParty[],
  declared: readonly PlannedParty[],
): readonly PlannedParty[] {
  const known = drawn.filter(({ name }) => declared.some((one) => one.name === name));
  const missing = roles.flatMap((role) =>
    known.some((one) => one.role === role)
      ? []
      : declared.filter((one) => one.role === role).slice(0, 1),
  );
  return [...known, ...missing];
}

/** At least one institution with a custodian, and one maker. */
export function drawCast(random: Random): readonly PlannedParty[] {
  const [institutions, custodians, makers] = random.pick(sizes);
  const members = (role: Role, count: number): PlannedParty[] =>
    Array.from({ length: count }, (_, index) => ({
      name: nameOf(role, index),
      role,
      skewMs: random.pick(skewsMs),
    }));
  return [
    ...members('institution', institutions),
    ...members('custodian', custodians),
    ...members('market-maker', makers),
  ];
}

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
