import { castNames } from '../../spec/requirements/index.ts';
import type { CheckContext } from '../engine/check.ts';
import { textOf } from '../../protocol/answers.ts';

/**
 * Whether a quote, or what an event tells of one, is by a maker that the target file does not declare. A backend may
 * serve others beside the suite, and they may quote whatever is open, at any time.
 */
export function isByUndeclaredMaker(t: CheckContext, shown: unknown): boolean {
  const { parties } = t.target;
  const maker = textOf(shown, 'market_maker_party_id');
  if (maker === undefined) return false;
  return !castNames.some((name) => parties[name] && t.party(name).partyId === maker);
}
