import type { Random } from '../../random/random.ts';
import { cast, castNames } from '../../spec/requirements/requirement.ts';
import { type Role, roles } from '../../spec/vocabulary.ts';
import type { PlannedParty } from '../plan.ts';

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
