import { type CastName, castNames } from '../../spec/requirements/index.ts';
import { textOf } from '../../protocol/answers.ts';
import type { ActionContext } from './action-context.ts';

/** The party of this target that an identifier names; undefined for one that its file does not declare. */
export const declaredParty = (
  t: Pick<ActionContext, 'target' | 'party'>,
  partyId: unknown,
): CastName | undefined =>
  castNames.find((name) => t.target.parties[name] && t.party(name).partyId === partyId);

/**
 * Whether a quote, or an event about one, is by a maker that the target file does not declare. A backend may serve
 * others beside the suite, and they may quote whatever is open, at any time.
 */
export function isByUndeclaredMaker(t: ActionContext, shown: unknown): boolean {
  const maker = textOf(shown, 'market_maker_party_id');
  return maker !== undefined && declaredParty(t, maker) === undefined;
}
