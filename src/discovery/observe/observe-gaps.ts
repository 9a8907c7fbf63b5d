import type { History } from '../../history/records.ts';
import { withCompleteAnswers } from '../../protocol/answers.ts';
import { exchangesOf, framesOf } from './exchange-index.ts';
import { observeProposal, observeOrders } from './orders.ts';
import { observeAccess } from './access.ts';
import { observeExpiry } from './expiry-reason.ts';
import { observeLag } from './lag-between-parties.ts';
import { observeLists } from './lists.ts';
import { observeQuotes } from './quotes.ts';
import { observeSelection } from './quote-selection.ts';
import { observeWire } from './http-and-events.ts';
import {
  type DeclaredAnswers,
  type GapFinding,
  gapFindingsOf,
  type GapObservation,
} from '../../target/gap-observations.ts';

/** Every answer to a gap that a history shows. It does not matter what drove the history. */
function observationsIn(history: History): readonly GapObservation[] {
  const exchanges = exchangesOf({ records: withCompleteAnswers(history.records) });
  const frames = framesOf(history);
  return [
    ...observeLists(exchanges),
    ...observeOrders(exchanges),
    ...observeProposal(exchanges),
    ...observeExpiry(exchanges),
    ...observeQuotes(exchanges),
    ...observeSelection(exchanges),
    ...observeLag(exchanges),
    ...observeAccess(exchanges, frames),
    ...observeWire(exchanges, frames),
  ];
}

/**
 * Answers to gaps that a whole run showed, compared with the declared answers. `also`: observations that a
 * history cannot hold, such as the algorithm of a masked token.
 */
export const observeGaps = (
  history: History,
  declared: DeclaredAnswers = {},
  also: readonly GapObservation[] = [],
): readonly GapFinding[] => gapFindingsOf([...also, ...observationsIn(history)], declared);
