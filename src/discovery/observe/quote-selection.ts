import { groupBy } from '../../history/group-by.ts';
import { fieldsOf } from '../../spec/fields.ts';
import { resources } from '../../spec/resources.ts';
import { isTerminal } from '../../spec/states.ts';
import type { OrderState } from '../../spec/vocabulary.ts';
import type { Exchange } from '../../history/records.ts';
import {
  callsAbout,
  amount,
  dataOf,
  type Fields,
  follows,
  isObject,
  itemsOf,
  ordersIn,
  refused,
  succeeded,
  text,
  callsTo,
} from '../../protocol/exchange-queries.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

/** What acceptances, cancels and the ends of requests show. */
export const observeSelection = (exchanges: readonly Exchange[]): readonly GapObservation[] => [
  ...observeAcceptances(exchanges),
  ...observeOrphan(exchanges),
  ...observeWinner(exchanges),
  ...observeRequest(exchanges),
];

/** Second acceptances, and acceptances of quotes above the maximum. */
function observeAcceptances(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const accepts = callsTo(exchanges, 'quote.accept').filter((one) => one.auth === 'own');
  const byQuote = groupBy(accepts, (one) => one.params.quote_id);
  const orders = ordersIn(exchanges);
  const listed = new Map<string, Fields>();
  for (const list of callsTo(exchanges, 'order.quotes')) {
    for (const quote of itemsOf(list)) listed.set(String(quote['quote_id']), quote);
  }
  const observations = [...byQuote].flatMap(([quoteId, tries]): GapObservation[] => {
    const first = tries[0];
    const quote = listed.get(quoteId);
    if (!first) return [];
    const seen = orders.get(first.params.intent_id ?? '') ?? [];
    const order = seen.at(-1)?.order;
    const source = amount(quote?.['source_amount']);
    const most = amount(order?.['source_amount_max']);
    if (source && most && source.gt(most) && (refused(first) || succeeded(first))) {
      // Read before anything else could end it.
      const after = seen.find((one) => follows(one.exchange, first));
      const failed = after?.order['status'] === 'FAILED';
      const answer = succeeded(first) || failed ? 'fail-order' : 'refuse-accept';
      return [{ gap: 'quote.above_max', answer, evidence: [first.id] }];
    }
    const again = tries.find((one) => succeeded(first) && follows(one, first));
    if (!again || again.party !== first.party || !(succeeded(again) || refused(again))) return [];
    const answer = succeeded(again) ? 'repeat' : 'refuse';
    return [{ gap: 'accept.again', answer, evidence: [first.id, again.id] }];
  });
  // A refusal may have been for another reason: a missing proposal, or a settlement that was under way by then.
  const proofs = new Map([
    ['refuse-accept', 'fail-order'],
    ['refuse', 'repeat'],
  ]);
  const shown = new Set(observations.map(({ answer }) => answer));
  return observations.filter(({ answer }) => !shown.has(proofs.get(answer) ?? ''));
}

/** What became of the other quotes of the maker that was selected. */
function observeWinner(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const makerOf = new Map<string | undefined, Exchange['party']>(
    callsTo(exchanges, 'quote.submit').flatMap((one) => {
      const quote = dataOf(one);
      const id = isObject(quote) ? text(quote['quote_id']) : undefined;
      return id === undefined ? [] : [[id, one.party] as const];
    }),
  );
  return callsTo(exchanges, 'quote.accept')
    .filter(succeeded)
    .flatMap((accept): GapObservation[] => {
      const list = callsAbout(exchanges, 'order.quotes', accept.params.intent_id).find((one) =>
        follows(one, accept),
      );
      const winner = makerOf.get(accept.params.quote_id);
      if (!list || winner === undefined) return [];
      return itemsOf(list).flatMap((quote): GapObservation[] => {
        const id = text(quote['quote_id']);
        const live = Date.parse(String(quote['valid_until'])) > list.received;
        if (id === accept.params.quote_id || makerOf.get(id) !== winner || !live) return [];
        const answer = String(quote['status']);
        return [{ gap: 'quote.winner_others', answer, evidence: [accept.id, list.id] }];
      });
    });
}

/** What became of quotes whose order was cancelled: the accepted one, and those left pending. */
function observeOrphan(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const cancels = callsTo(exchanges, 'order.cancel').filter(succeeded);
  return cancels.flatMap((cancel): GapObservation[] => {
    const id = cancel.params.intent_id;
    const list = callsAbout(exchanges, 'order.quotes', id).find(
      (one) => follows(one, cancel) && succeeded(one),
    );
    const over = ordersIn(exchanges)
      .get(id ?? '')
      ?.find((one) => isTerminal(one.order['status'] as OrderState));
    if (!list || !over || over.order['status'] === 'SETTLED') return [];
    const accepts = callsAbout(exchanges, 'quote.accept', id).filter(succeeded);
    const accepted = accepts.find((one) => follows(cancel, one));
    const evidence = [cancel.id, list.id];
    return itemsOf(list).flatMap((quote): GapObservation[] => {
      const status = String(quote['status']);
      if (quote['quote_id'] === accepted?.params.quote_id) {
        return [{ gap: 'cancel.accepted_quote', answer: status, evidence }];
      }
      const live = Date.parse(String(quote['valid_until'])) > list.received;
      // An acceptance at the same time may have come first.
      if (accepts.length > 0 || !live) return [];
      const answer = status === 'PENDING' ? 'lapse' : status;
      return [{ gap: 'quote.orphans', answer, evidence }];
    });
  });
}

const requestFields = fieldsOf(resources.rfq).map(({ name }) => name);

function observeRequest(exchanges: readonly Exchange[]): readonly GapObservation[] {
  const closed = new Map<string, Exchange>();
  for (const one of callsTo(exchanges, 'order.cancel', 'quote.accept')) {
    const id = one.params.intent_id;
    if (id !== undefined && succeeded(one) && !closed.has(id)) closed.set(id, one);
  }
  return callsTo(exchanges, 'rfq.read').flatMap((exchange): GapObservation[] => {
    const data = dataOf(exchange);
    const evidence = [exchange.id];
    const end = closed.get(exchange.params.intent_id ?? '');
    if (end && follows(exchange, end) && exchange.auth === 'own') {
      // Who could not read it while it was open is refused for another reason.
      const readBefore = callsAbout(exchanges, 'rfq.read', exchange.params.intent_id).some(
        (one) => succeeded(one) && one.party === exchange.party && follows(end, one),
      );
      const refusal = refused(exchange) && readBefore ? 'refuse' : undefined;
      const answer = succeeded(exchange) ? 'read' : refusal;
      return answer ? [{ gap: 'rfq.closed', answer, subject: exchange.party, evidence }] : [];
    }
    if (!isObject(data)) return [];
    const extra = Object.entries(data).filter(([key]) => !requestFields.includes(key));
    const names = extra.map(([key, value]) => (Array.isArray(value) ? `own-${key}` : key)).sort();
    return [
      { gap: 'rfq.detail', answer: names.join(' ') || 'none', subject: exchange.id, evidence },
    ];
  });
}
