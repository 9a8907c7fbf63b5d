import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { PlacedOrder, PlacedQuote } from '../../src/suite/actions/index.ts';
import { compare, parseDecimal } from '../../src/protocol/decimal.ts';
import { findQuote, quotesOf } from '../shared/listed-quotes.ts';

const maximum = '1500.00';

/** Terms of an order for which one of the rates 2 and 0.5 is above the maximum, in either rate orientation. */
export const lowMaximumTerms = { target_amount: '1000.00', source_amount_max: maximum };

export interface DearAndCheap {
  readonly dear: PlacedQuote;
  readonly fair: PlacedQuote;
}

export const acceptanceNotRefused =
  'this backend does not refuse the acceptance of a quote above source_amount_max';

/**
 * Ends the check if a quote above the maximum is known to be refused at its submission, or its acceptance to fail the
 * order.
 */
export function requireRefusedAcceptance(t: CheckContext): void {
  const known = t.target.answers.get('quote.above_max');
  if (known === 'refuse-submit' || known === 'fail-order') t.outOfScope(acceptanceNotRefused);
}

/**
 * Finds the one of two quotes that costs more than the maximum, as the order side lists them; undefined if not exactly
 * one does.
 */
export async function dearAndCheapOf(
  t: CheckContext,
  order: PlacedOrder,
  quotes: readonly [PlacedQuote, PlacedQuote],
): Promise<DearAndCheap | undefined> {
  const { items } = await quotesOf(t, order);
  const most = parseDecimal(maximum);
  const isDear = (one: PlacedQuote): boolean | undefined => {
    const cost = parseDecimal(findQuote(items, one)?.['source_amount']);
    return cost && most ? compare(cost, most) > 0 : undefined;
  };
  const [a, b] = quotes;
  const [first, second] = [isDear(a), isDear(b)];
  if (first === undefined || second === undefined || first === second) return undefined;
  return first ? { dear: a, fair: b } : { dear: b, fair: a };
}
