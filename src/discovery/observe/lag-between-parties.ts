import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import { fieldsOf, itemsOf, matchesQuote, succeeded, textOf } from '../../protocol/answers.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import {
  callsTo,
  follows,
  ownCallsTo,
  type Observations,
  observed,
  outcomeOf,
} from './exchange-index.ts';

/** A read that shows what another party did no later than this shows it at once. */
const atOnceMs = 100;
const mostEvidence = 3;

/** A write of one party. `isShownBy`: true if a read by another party shows it; undefined if that read cannot tell. */
interface Write {
  readonly done: Exchange;
  readonly intentId: string;
  readonly isShownBy: (read: Exchange) => boolean | undefined;
}

const orderOf = ({ params }: Exchange): string | undefined => params.intent_id;

/** An order, or the request that comes of it, is there or is refused. */
function orderCreated(done: Exchange): readonly Write[] {
  const intentId = textOf(fieldsOf(done), 'intent_id');
  if (intentId === undefined) return [];
  const isShownBy = (read: Exchange): boolean | undefined => {
    const answer = read.endpoint === 'order.quotes' ? undefined : outcomeOf(read, 'shown');
    return answer === undefined ? undefined : answer === 'shown';
  };
  return [{ done, intentId, isShownBy }];
}

function quoteSubmitted(done: Exchange): readonly Write[] {
  const quoteId = textOf(fieldsOf(done), 'quote_id');
  const intentId = orderOf(done);
  if (quoteId === undefined || intentId === undefined) return [];
  const isShownBy = (read: Exchange): boolean | undefined => {
    if (read.endpoint !== 'order.quotes' || !succeeded(read)) return undefined;
    if (itemsOf(read).some(matchesQuote({ quoteId }))) return true;
    // It may be on another page.
    return (paginationOf(read)?.total_pages ?? 1) > 1 ? undefined : false;
  };
  return [{ done, intentId, isShownBy }];
}

/** First read that shows the write. `atOnce`: false if it showed late; undefined if neither was seen. */
function seenAtOnce({ done, isShownBy }: Write, reads: readonly Exchange[]) {
  const first = reads.findIndex((read) => isShownBy(read) === true);
  const read = reads[first];
  if (!read) return undefined;
  const laterMs = read.sent - done.received;
  const wasMissing = reads.slice(0, first).some((earlier) => isShownBy(earlier) === false);
  if (wasMissing)
    return laterMs <= tolerance.replicationLagMs ? { atOnce: false, read } : undefined;
  return laterMs <= atOnceMs ? { atOnce: true, read } : undefined;
}

/**
 * Lag between a write of one party and its appearance in another party's backend (gap `views.lag`). A single write
 * that showed late is enough: an eventually consistent backend does not lag every time.
 */
export function* observeLag(exchanges: readonly Exchange[]): Observations {
  const reads = groupBy(ownCallsTo(exchanges, 'order.read', 'rfq.read', 'order.quotes'), orderOf);
  // An order that waits for the acceptance of its proposal (gap `proposal.effect`) does not lag.
  const opened = new Set(callsTo(exchanges, 'proposal.accept').filter(succeeded).map(orderOf));
  const writes = [
    ...ownCallsTo(exchanges, 'order.create').flatMap(orderCreated),
    ...ownCallsTo(exchanges, 'quote.submit').flatMap(quoteSubmitted),
  ].filter(({ intentId }) => !opened.has(intentId));
  const found = writes.flatMap((write) => {
    const byOthers = (reads.get(write.intentId) ?? []).filter(
      (read) => read.party !== write.done.party && follows(read, write.done),
    );
    return [...groupBy(byOthers, ({ party }) => party).values()].flatMap(
      (ofParty) => seenAtOnce(write, ofParty) ?? [],
    );
  });
  if (found.length === 0) return;
  const late = found.filter(({ atOnce }) => !atOnce);
  const answer = late.length === 0 ? 'at-once' : 'one a little after the other';
  const shown = (late.length === 0 ? found : late).slice(0, mostEvidence);
  yield observed(
    'views.lag',
    answer,
    shown.map(({ read }) => read),
  );
}
