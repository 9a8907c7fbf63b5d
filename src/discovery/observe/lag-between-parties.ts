import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import {
  dataOf,
  follows,
  isObject,
  itemsOf,
  lagMs,
  pagingOf,
  refused,
  succeeded,
  text,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

/** A look that shows what another party did no later than this shows it at once. */
const atOnceMs = 100;
const mostEvidence = 3;

/** What one party did, and whether a look of another's shows it; undefined for a look that cannot tell. */
interface Operation {
  readonly done: Exchange;
  readonly intentId: string;
  readonly shows: (look: Exchange) => boolean | undefined;
}

const own = ({ auth }: Exchange): boolean => auth === 'own';

const orderOf = (exchange: Exchange): string | undefined => exchange.params.intent_id;

/** An order, or the request that comes of it, is there or is refused. */
function orderOperation(done: Exchange): readonly Operation[] {
  const data = dataOf(done);
  const intentId = isObject(data) ? text(data['intent_id']) : undefined;
  if (intentId === undefined) return [];
  const shows = (look: Exchange): boolean | undefined => {
    if (look.endpoint === 'order.quotes') return undefined;
    return succeeded(look) ? true : refused(look) ? false : undefined;
  };
  return [{ done, intentId, shows }];
}

/** Undefined where it may be on another page. */
function isListed(look: Exchange, quoteId: string): boolean | undefined {
  const id = quoteId.toLowerCase();
  if (itemsOf(look).some((item) => text(item['quote_id'])?.toLowerCase() === id)) return true;
  return (pagingOf(look)?.total_pages ?? 1) > 1 ? undefined : false;
}

function quoteOperation(done: Exchange): readonly Operation[] {
  const data = dataOf(done);
  const quoteId = isObject(data) ? text(data['quote_id']) : undefined;
  const intentId = orderOf(done);
  if (quoteId === undefined || intentId === undefined) return [];
  const shows = (look: Exchange): boolean | undefined =>
    look.endpoint === 'order.quotes' && succeeded(look) ? isListed(look, quoteId) : undefined;
  return [{ done, intentId, shows }];
}

/** Whether a backend showed what was done in another, at once or a little later; undefined where neither was seen. */
function seenAtOnce(
  { done, shows }: Operation,
  looks: readonly Exchange[],
): { readonly atOnce: boolean; readonly look: Exchange } | undefined {
  const known = looks.findIndex((look) => shows(look) === true);
  const look = looks[known];
  if (!look) return undefined;
  const laterMs = look.sent - done.received;
  const was = looks.slice(0, known).some((earlier) => shows(earlier) === false);
  if (was) return laterMs <= lagMs ? { atOnce: false, look } : undefined;
  return laterMs <= atOnceMs ? { atOnce: true, look } : undefined;
}

/**
 * Whether what one party does shows in another's backend at once (gap `views.lag`). A single deed that showed late is
 * enough to say so: a backend that lags does not lag every time.
 */
export function observeLag(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const looks = groupBy(
    callsTo(exchanges, 'order.read', 'rfq.read', 'order.quotes').filter(own),
    (look) => orderOf(look) ?? '',
  );
  // What waits for the acceptance of a proposal (gap `proposal.effect`) does not lag.
  const opened = new Set(callsTo(exchanges, 'proposal.accept').filter(succeeded).map(orderOf));
  const operations = [
    ...callsTo(exchanges, 'order.create').filter(own).flatMap(orderOperation),
    ...callsTo(exchanges, 'quote.submit').filter(own).flatMap(quoteOperation),
  ].filter(({ intentId }) => !opened.has(intentId));
  const found = operations.flatMap((operation) => {
    const others = (looks.get(operation.intentId) ?? []).filter(
      (look) => look.party !== operation.done.party && follows(look, operation.done),
    );
    return [...groupBy(others, ({ party }) => party).values()].flatMap(
      (ofParty) => seenAtOnce(operation, ofParty) ?? [],
    );
  });
  if (found.length === 0) return [];
  const late = found.filter(({ atOnce }) => !atOnce);
  const answer = late.length === 0 ? 'at-once' : 'one a little after the other';
  const shown = (late.length === 0 ? found : late).slice(0, mostEvidence);
  return [{ gap: 'views.lag', answer, evidence: shown.map(({ look }) => look.id) }];
}
