import { castNames } from '../../spec/requirements/index.ts';
import type { Trial } from '../check.ts';
import { textOf } from './answers.ts';

/**
 * Whether a quote, or what an event tells of one, is by a maker that the target file does not declare. A backend may
 * serve others beside the suite, and they may quote whatever is open, at any time.
 */
export function isOfStranger(trial: Trial, shown: unknown): boolean {
  const { parties } = trial.target;
  const maker = textOf(shown, 'market_maker_party_id');
  if (maker === undefined) return false;
  return !castNames.some((name) => parties[name] && trial.party(name).partyId === maker);
}
