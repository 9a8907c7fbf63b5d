import type { CastName } from '../../spec/requirements/requirement.ts';
import type { AsEachStep, Step } from './model.ts';

/**
 * The steps of each round: first as written, then for each other party with its part and that of the first party
 * swapped.
 */
export function roundsOf({ parties, steps }: AsEachStep): readonly (readonly Step[])[] {
  const [first] = parties;
  return parties.map(({ value }) => (first ? exchanged(steps, [first.value, value]) : steps));
}

/** Swaps two parties in any piece of a step: as actors, as observers, and in expressions that name them. */
function exchanged<T>(piece: T, pair: readonly [CastName, CastName]): T {
  const [one, other] = pair;
  const swap = (value: unknown): unknown =>
    value === one ? other : value === other ? one : exchanged(value, pair);
  if (Array.isArray(piece)) return piece.map((item) => exchanged<unknown>(item, pair)) as T;
  if (typeof piece !== 'object' || piece === null) return piece;
  // Other objects, such as a pattern, name no party.
  if (Object.getPrototypeOf(piece) !== Object.prototype) return piece;
  const isName = 'kind' in piece && piece.kind === 'name';
  return Object.fromEntries(
    Object.entries(piece).map(([key, value]) => {
      if (key === 'or' && Array.isArray(value)) return [key, value.map(swap)];
      const isParty = key === 'party' || (isName && key === 'name');
      return [key, isParty ? swap(value) : exchanged<unknown>(value, pair)];
    }),
  ) as T;
}
