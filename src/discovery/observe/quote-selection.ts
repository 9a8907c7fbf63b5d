import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import {
  dataOf,
  type Fields,
  fieldsOf,
  isObject,
  itemsOf,
  shownText,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { compare, parseDecimal } from '../../protocol/decimal.ts';
import { fieldsOf as documentedFields } from '../../spec/fields.ts';
import { resources } from '../../spec/resources.ts';
import {
  callsAbout,
  callsTo,
  endOf,
  follows,
  ordersIn,
  ownCallsTo,
  type Observations,
  observed,
  outcomeOf,
} from './exchange-index.ts';

/** Gap answers that acceptances, cancels and the ends of requests show. */
export function* observeSelection(exchanges: readonly Exchange[]): Observations {
  // A refusal may have been for another reason: a missing proposal, or a settlement that was under way by then.
  const acceptances = [...observeAcceptances(exchanges)];
  const shown = new Set(acceptances.map(({ answer }) => answer));
  yield* acceptances.filter(
    ({ answer }) =>
      !(answer === 'refuse-accept' && shown.has('fail-order')) &&
      !(answer === 'refuse' && shown.has('repeat')),
  );
  yield* observeQuotesOfCancelled(exchanges);
  yield* observeOtherQuotesOfWinner(exchanges);
  yield* observeRequest(exchanges);
}

/** Acceptances of quotes above the maximum, and second acceptances. */
function* observeAcceptances(exchanges: readonly Exchange[]): Observations {
  const listed = new Map<string, Fields>();
  const nameOf = (order: string | undefined, quote: unknown): string =>
    `${order?.toLowerCase()} ${shownText(quote).toLowerCase()}`;
  for (const list of callsTo(exchanges, 'order.quotes')) {
    for (const quote of itemsOf(list))
      listed.set(nameOf(list.params.intent_id, quote['quote_id']), quote);
  }
  const accepts = ownCallsTo(exchanges, 'quote.accept');
  for (const [quoteId, tries] of groupBy(accepts, ({ params }) => params.quote_id)) {
    const [first] = tries;
    if (!first) continue;
    const seen = ordersIn(exchanges).get(first.params.intent_id ?? '') ?? [];
    const source = parseDecimal(
      listed.get(nameOf(first.params.intent_id, quoteId))?.['source_amount'],
    );
    const most = parseDecimal(seen.at(-1)?.order['source_amount_max']);
    if (source && most && compare(source, most) > 0 && outcomeOf(first, 'granted')) {
      // The read comes before anything else could end the order.
      const after = seen.find((one) => follows(one.exchange, first));
      const failed = succeeded(first) || after?.order['status'] === 'FAILED';
      yield observed('quote.above_max', failed ? 'fail-order' : 'refuse-accept', [first]);
      continue;
    }
    const again = tries.find((one) => succeeded(first) && follows(one, first));
    const answer = again?.party === first.party ? outcomeOf(again, 'repeat') : undefined;
    if (again && answer) yield observed('accept.again', answer, [first, again]);
  }
}

const isLive = (quote: Fields, { received }: Exchange): boolean =>
  Date.parse(shownText(quote['valid_until'])) > received;

/** States of the selected maker's other quotes. */
function* observeOtherQuotesOfWinner(exchanges: readonly Exchange[]): Observations {
  const makerOf = new Map(
    callsTo(exchanges, 'quote.submit').map((one) => [textOf(fieldsOf(one), 'quote_id'), one.party]),
  );
  for (const accept of callsTo(exchanges, 'quote.accept').filter(succeeded)) {
    const { intent_id, quote_id } = accept.params;
    const list = callsAbout(exchanges, 'order.quotes', intent_id).find((one) =>
      follows(one, accept),
    );
    const winner = quote_id === undefined ? undefined : makerOf.get(quote_id);
    for (const quote of list && winner !== undefined ? itemsOf(list) : []) {
      const id = textOf(quote, 'quote_id');
      if (!list || id === undefined || id === quote_id || makerOf.get(id) !== winner) continue;
      if (isLive(quote, list))
        yield observed('quote.winner_others', shownText(quote['status']), [accept, list]);
    }
  }
}

/** Quotes of one order after which their maker quoted it again: that may have ended them before (gap `quote.twice`). */
function replacedQuotes(submissions: readonly Exchange[]): ReadonlySet<string> {
  const newest = new Map(submissions.map((one) => [one.party, one]));
  return new Set(
    submissions.flatMap((one) =>
      newest.get(one.party) === one ? [] : (textOf(fieldsOf(one), 'quote_id') ?? []),
    ),
  );
}

/** States of the quotes of a cancelled order: the accepted one, and the pending ones. */
function* observeQuotesOfCancelled(exchanges: readonly Exchange[]): Observations {
  for (const cancel of callsTo(exchanges, 'order.cancel').filter(succeeded)) {
    const { intent_id: id = '' } = cancel.params;
    const list = callsAbout(exchanges, 'order.quotes', id).find(
      (one) => follows(one, cancel) && succeeded(one),
    );
    const end = endOf(ordersIn(exchanges).get(id));
    if (!list || !end || end.order['status'] === 'SETTLED') continue;
    const accepts = callsAbout(exchanges, 'quote.accept', id).filter(succeeded);
    const accepted = accepts.find((one) => follows(cancel, one));
    const replaced = replacedQuotes(callsAbout(exchanges, 'quote.submit', id).filter(succeeded));
    for (const quote of itemsOf(list)) {
      const status = shownText(quote['status']);
      const lapsed = status === 'PENDING' ? 'lapse' : status;
      if (quote['quote_id'] === accepted?.params.quote_id)
        yield observed('cancel.accepted_quote', status, [cancel, list]);
      // If one was accepted, that acceptance may have come first and ended the others.
      else if (
        accepts.length === 0 &&
        isLive(quote, list) &&
        !replaced.has(textOf(quote, 'quote_id') ?? '')
      )
        yield observed('quote.orphans', lapsed, [cancel, list]);
    }
  }
}

const requestFields = documentedFields(resources.rfq).map(({ name }) => name);

/** Access to a request after its order is closed, and fields of its detail that 2.4 does not list. */
function* observeRequest(exchanges: readonly Exchange[]): Observations {
  const closed = new Map<string | undefined, Exchange>();
  for (const one of callsTo(exchanges, 'order.cancel', 'quote.accept').filter(succeeded)) {
    const id = one.params.intent_id;
    if (id !== undefined && !closed.has(id)) closed.set(id, one);
  }
  for (const exchange of callsTo(exchanges, 'rfq.read')) {
    const { intent_id: id } = exchange.params;
    const end = closed.get(id);
    if (end && follows(exchange, end) && exchange.auth === 'own') {
      // A party that could not read it while it was open is refused for another reason.
      const readBefore = callsAbout(exchanges, 'rfq.read', id).some(
        (one) => succeeded(one) && one.party === exchange.party && follows(end, one),
      );
      const answer = outcomeOf(exchange, 'read');
      if (answer === 'read' || (answer && readBefore))
        yield observed('rfq.closed', answer, [exchange], exchange.party);
    } else yield* observeDetail(exchange);
  }
}

/** Maximum number of fields that are named; the rest is only counted. A request has a dozen. */
const mostNames = 100;

function* observeDetail(exchange: Exchange): Observations {
  const data = dataOf(exchange);
  if (!isObject(data)) return;
  const all = Object.keys(data).filter((name) => !requestFields.includes(name));
  const names = all
    .slice(0, mostNames)
    .map((name) => (Array.isArray(data[name]) ? `own-${name}` : name))
    .sort();
  if (all.length > mostNames) names.push(`and ${all.length - mostNames} more`);
  yield observed('rfq.detail', names.join(' ') || 'none', [exchange], exchange.id);
}
