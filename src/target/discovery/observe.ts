import type { History } from '../../history/records.ts';
import { exchangesOf, framesOf } from './look.ts';
import { observeAccess } from './observe-access.ts';
import { observeExpiry } from './observe-expiry.ts';
import { observeLag } from './observe-lag.ts';
import { observeLists } from './observe-lists.ts';
import { observeOrders } from './observe-orders.ts';
import { observeQuotes } from './observe-quotes.ts';
import { observeSelection } from './observe-selection.ts';
import { observeWire } from './observe-wire.ts';
import { type Declared, type Finding, findingsOf, type Sight } from './sights.ts';

/** Every answer to a gap that a history shows, whatever drove it. */
export function sightsIn(history: History): readonly Sight[] {
  const exchanges = exchangesOf(history);
  const frames = framesOf(history);
  return [
    ...observeLists(exchanges),
    ...observeOrders(exchanges),
    ...observeExpiry(exchanges),
    ...observeQuotes(exchanges),
    ...observeSelection(exchanges),
    ...observeLag(exchanges),
    ...observeAccess(exchanges, frames),
    ...observeWire(exchanges, frames),
  ];
}

/**
 * What a whole run showed of a target's answers to gaps, held against what was declared. `also`: sights that a
 * history cannot hold, such as the algorithm of a masked token.
 */
export const observeGaps = (
  history: History,
  declared: Declared = {},
  also: readonly Sight[] = [],
): readonly Finding[] => findingsOf([...also, ...sightsIn(history)], declared);
