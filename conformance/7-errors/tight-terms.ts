import type { Trial } from '../../src/conformance/check.ts';
import type { PlacedOrder, PlacedQuote } from '../../src/conformance/moves/index.ts';
import { compare, exact } from '../../src/rules/exact.ts';
import { quoteIn, quotesOf } from '../3-states/quotes-seen.ts';

const maximum = '1500.00';

/** Of the rates 2 and 0.5 one is above the maximum of such an order, whichever way a rate is meant. */
export const tightTerms = { target_amount: '1000.00', source_amount_max: maximum };

export interface Rivals {
  readonly dear: PlacedQuote;
  readonly fair: PlacedQuote;
}

export const notSimplyRefused = 'an acceptance above the maximum is not simply refused here';

/** Ends the check where it is known that a quote above the maximum does not get as far, or further. */
export function onlyWhereAcceptanceRefuses(trial: Trial): void {
  const known = trial.target.answers.get('quote.above_max');
  if (known === 'refuse-submit' || known === 'fail-order') trial.outOfScope(notSimplyRefused);
}

/** Which of two quotes costs more than the maximum, as the order side lists them; undefined where not just one does. */
export async function rivalsOf(
  trial: Trial,
  order: PlacedOrder,
  quotes: readonly [PlacedQuote, PlacedQuote],
): Promise<Rivals | undefined> {
  const { items } = await quotesOf(trial, order);
  const most = exact(maximum);
  const isDear = (one: PlacedQuote): boolean | undefined => {
    const cost = exact(quoteIn(items, one)?.['source_amount']);
    return cost && most ? compare(cost, most) > 0 : undefined;
  };
  const [a, b] = quotes;
  const [first, second] = [isDear(a), isDear(b)];
  if (first === undefined || second === undefined || first === second) return undefined;
  return first ? { dear: a, fair: b } : { dear: b, fair: a };
}
