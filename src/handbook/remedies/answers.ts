import type { RequirementId } from '../../spec/requirements/index.ts';

const pathInFront =
  'Keep the path that stands in front: `https://host/bank-a` and `/api/v1/orders` make `https://host/bank-a/api/v1/orders`. A reverse proxy often cuts or doubles it.';
export const oneEnvelope =
  'Let every success go through one function that makes `{ data, meta }`. An endpoint that answers by itself is easily overlooked: cancels, acceptances, stats, empty lists.';
const countsOfTheList =
  'Count with the same conditions as the page is selected with, and before it is cut: own items only, filter included. Pages are the count divided by the page size, rounded up.';
export const oneOrderOfPages =
  'Select pages over one fixed and total order, as creation and then id; cut them by the size that you tell, and answer with the page that was asked for. Use the same code for all lists.';
export const allowedFields =
  'Build what makers see from a list of allowed fields, not by taking fields out of the order. Then look at everything else that reaches them: events, headers, error texts, comments in streams, counts and filters, and pseudonyms that stay the same for one sender.';
const wholeOrder =
  'Answer with the whole order as it was stored, with its new id and its status PENDING.';
export const lostItem =
  'Look for what keeps an item out: a join on something optional, as a memo or a quote; a window of time; a limit before the filter; a cache that is not told of the new item.';
const filterInQuery =
  'Filter in the query that counts and cuts pages, by the status as reads show it: if expiry is worked out when reading, the filter must do the same.';
const lookedUpFirst =
  'Look the object up first and answer with a 4xx, as 404, where there is none: no empty success, and no 500 for an id that is well formed.';
const orderAfterAcceptance =
  'Answer with the order as it is after the acceptance, read back after the transaction, with the fields of the accepted quote set.';
const byCurrentState =
  'Select by the current state of the order, by its deadline too, and not by what the list held before.';
const quotesWhileOpen =
  'Take quotes only while the order is PENDING and its `expires_at` lies ahead, checked in the transaction that stores the quote.';
export const addressees =
  'Work the addressees out of the order for each event, by party and not by role, and send to their streams alone.';
const oneQueue =
  'Send after the commit and in its order, through one queue for each party; two workers that send side by side overtake each other.';
const openConnection =
  'Send headers at once, keep the connection open, and turn off time-outs for it in the server and in every proxy between.';
const intentFilter =
  'Apply `intent_id` as one more condition to what the party may see: with it only that order, without it everything.';
const decidedFirst =
  'Decide first, then write, then tell: all checks before the first write, the writes in one transaction, and events only after it is committed.';
export const payload =
  'Fill the payload from the stored object after the change; every kind of event needs the fields that the document names for it.';
export const sentOnce =
  'Send from the one place where the change is stored, once for each stream. A retry, a second timer or an update without a change must send nothing.';

/** Endpoints, envelopes, lists, events, refusals. */
export const ofAnswers = {
  'base-url.paths-relative': pathInFront,
  'version.prefix': pathInFront,
  'envelope.wraps-every-success': oneEnvelope,
  'envelope.meta-present': oneEnvelope,
  'stats.read.returns-object': oneEnvelope,
  'pagination.total-items.counts': countsOfTheList,
  'pagination.total-pages.arithmetic': countsOfTheList,
  'list.pages-disjoint': oneOrderOfPages,
  'list.pages-complete': oneOrderOfPages,
  'maker.lists-have-pages': oneOrderOfPages,
  'rfq.list.answers-nothing-of-senders': allowedFields,
  'order.create.succeeds':
    'Read what the refusal says. If it does not know a currency, a custodian or a contract that the suite made up, name some that it knows under `orders.defaults` of the target file (docs/target-file.md).',
  'order.create.returns-order': wholeOrder,
  'order.create.returns-pending': wholeOrder,
  'order.create.assigns-intent-id': wholeOrder,
  'order.create.readable-afterwards': lostItem,
  'quote.submit.shown-to-order-side': lostItem,
  'order.create.once':
    'Store one order for each request that succeeds; look for a handler that is registered twice and for retries inside the backend.',
  'order.list.status-filter': filterInQuery,
  'order.list.status-filter.complete': filterInQuery,
  'order.list.status-filter.totals': filterInQuery,
  'order.list.custodian-status-filter': filterInQuery,
  'quote.list.status-filter': filterInQuery,
  'quote.list.status-filter.complete': filterInQuery,
  'order.read.unknown-refused': lookedUpFirst,
  'order.cancel.unknown-refused': lookedUpFirst,
  'quote.accept.unknown-quote-refused': lookedUpFirst,
  'quote.accept.unknown-order-refused': lookedUpFirst,
  'proposal.accept.unknown-refused': lookedUpFirst,
  'rfq.read.unknown-refused': lookedUpFirst,
  'quote.submit.unknown-request-refused': lookedUpFirst,
  'settlement.read.unknown-refused': lookedUpFirst,
  'order.quotes.empty-without-quotes': 'Answer with `[]`, and not with null or a 404.',
  'order.quotes.unknown-refused':
    'Refuse an unknown `intent_id`, or answer with an empty list; never with quotes of another order.',
  'quote.accept.no-body-needed':
    'Take the request without a body and without a content type; do not let a JSON parser refuse the empty one.',
  'quote.accept.returns-order': orderAfterAcceptance,
  'quote.accept.returns-quoted': orderAfterAcceptance,
  'quote.accept.returns-fx-rate': orderAfterAcceptance,
  'quote.accept.returns-source-amount-actual': orderAfterAcceptance,
  'quote.accept.returns-market-maker': orderAfterAcceptance,
  'quote.accept.custodian-returns-quoted': orderAfterAcceptance,
  'quote.accept.custodian-answer-agrees': orderAfterAcceptance,
  'quote.accept.selects-named-quote':
    'Accept the quote whose id is in the path, whichever is cheapest or newest.',
  'rfq.list.accepted-order-left': byCurrentState,
  'rfq.list.expired-order-left': byCurrentState,
  'rfq.list.failed-order-left': byCurrentState,
  'settlement.list.settled-only': byCurrentState,
  'settlement.list.failed-left-out': byCurrentState,
  'settlement.read.unsettled-refused': byCurrentState,
  'quote.submit.status-201': 'Answer with 201, for a second quote of the same maker as well.',
  'quote.submit.expired-request-refused': quotesWhileOpen,
  'quote.submit.closed-request-refused': quotesWhileOpen,
  'event.own-stream-only': addressees,
  'event.after-cause': oneQueue,
  'event.in-order': oneQueue,
  'stream.opens': openConnection,
  'stream.stays-open': openConnection,
  'stream.intent-filter.all-of-that-order': intentFilter,
  'stream.intent-filter.for-custodian': intentFilter,
  'stream.unfiltered-has-all': intentFilter,
  'event.quote-received.only-after-quote': decidedFirst,
  'error.refusal-changes-nothing': decidedFirst,
  'error.refusal-sends-no-event': decidedFirst,
  'event.quote-request-new.names-request': payload,
  'event.quote-request-expired.not-while-open': sentOnce,
  'event.settlement-completed.only-settled': sentOnce,
  'event.quote-rejected.keeps-winner-secret':
    'Send the order and the own quote, and nothing of the one that won.',
  'error.refusal-is-4xx':
    'Turn what the caller got wrong into a 4xx: a 500 means that nothing caught it, a 2xx that nothing looked.',
  'error.reasons-are-outcomes':
    'Give refusals codes of their own; the six words tell how an order ended.',
  'version.schema-pinned': 'Send `v2` as text, wherever the version is shown.',
} satisfies Partial<Record<RequirementId, string>>;
