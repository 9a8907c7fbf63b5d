import { type CastName, castNames } from '../../spec/requirements/index.ts';
import { textOf } from '../../protocol/answers.ts';
import type { ActionContext } from './action-context.ts';

/** The declared party with this identifier; undefined if the target file declares none. */
export const declaredParty = (
  t: Pick<ActionContext, 'target' | 'party'>,
  partyId: unknown,
): CastName | undefined =>
  castNames.find((name) => t.target.parties[name] && t.party(name).partyId === partyId);

/**
 * True if a quote, or an event about one, is by a maker that the target file does not declare. A backend may serve
 * other clients beside the suite, and their makers may quote any open order at any time.
 */
export function isByUndeclaredMaker(t: ActionContext, shown: unknown): boolean {
  const maker = textOf(shown, 'market_maker_party_id');
  return maker !== undefined && declaredParty(t, maker) === undefined;
}
