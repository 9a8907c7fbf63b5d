import { needing, needs, part, vague } from './needs.ts';

/** Part 4.4: what the endpoints of a market maker do. */
export const makerEndpointRequirements = part('4.4', needs.maker, {
  'rfq.list.holds-new-request': 'The list of requests holds a new order that can be quoted.',
  'rfq.list.complete': 'The list of requests holds every order that can be quoted.',
  'rfq.list.same-for-every-maker': needing.twoMakers(
    'A request is listed for every market maker alike.',
  ),
  'rfq.list.still-listed-once-quoted': needing.twoMakers(
    'A request that was quoted and not accepted is still active for the makers that have not quoted.',
  ),
  'rfq.list.accepted-order-left': 'A request leaves the list once a quote on it is accepted.',
  'rfq.list.expired-order-left': needing.rfqExpiry(
    'A request leaves the list once its order has expired.',
  ),
  'rfq.list.failed-order-left': needing.withdrawalMaker(
    'A request leaves the list once its order has failed: as where the operator has withdrawn it.',
  ),
  'rfq.read.returns-that-request': 'Reading an `intent_id` returns the request of that id.',
  'rfq.read.unknown-refused': 'An `intent_id` that no request has is refused.',
  'rfq.read.agrees-with-list': 'A request shows the same in the list and when read by itself.',
  'quote.submit.status-201': 'A submitted quote is answered with 201.',
  'quote.submit.shown-to-order-side':
    'A submitted quote is in the list of the order that it quotes.',
  'quote.submit.unknown-request-refused': 'An `intent_id` that no request has cannot be quoted.',
  'quote.submit.expired-request-refused': {
    ...needing.rfqExpiry('An expired request can no longer be quoted.'),
    part: '6',
  },
  'quote.submit.closed-request-refused': vague(
    'quote.late',
    'same-request',
    'A request that is not active, as its order was accepted or cancelled, cannot be quoted.',
  ),
  'quote.submit.order-stays-pending': {
    summary: 'A quote alone leaves its order PENDING.',
    part: '3.1',
  },
  'rfq.quotes.own-only': needing.twoMakers(
    "Under a request a market maker finds its own quotes, and nobody else's.",
  ),
  'rfq.quotes.complete': 'Under a request a market maker finds all of its own quotes on it.',
  'rfq.quotes.only-that-request': 'Under a request there are only quotes on that request.',
  'quote.list.complete': 'The list of own quotes holds every quote that the maker submitted.',
  'quote.list.status-filter': needing.twoMakers(
    'Filtered by a status, the list of own quotes holds that status only.',
  ),
  'quote.list.status-filter.complete': needing.twoMakers(
    'Filtered by a status, the list of own quotes holds all quotes in that status.',
  ),
  'quote.list.agrees-with-request':
    'A quote shows the same in the list of own quotes and under its request.',
  'settlement.list.holds-won': needing.settlement(
    'The list of settlements holds each trade that the maker won and that has settled.',
  ),
  'settlement.list.settled-only': needing.settlement(
    'No trade is among the settlements before it has settled.',
  ),
  'settlement.list.failed-left-out': needing.settlementFailure(
    'A trade whose settlement failed is no settlement.',
  ),
  'settlement.read.returns-that-settlement': needing.settlement(
    'Reading an `intent_id` returns the settlement of that order.',
  ),
  'settlement.read.agrees-with-list': needing.settlement(
    'A settlement shows the same in the list and when read by itself.',
  ),
  'settlement.read.unknown-refused': needing.makerAlone(
    'An `intent_id` that no settlement has is refused.',
  ),
  'settlement.read.unsettled-refused': 'An order that is PENDING has no settlement to read.',
  'maker.lists-have-pages': needing.settlementTwoMakers(
    'Every list of a market maker has pages like any other.',
  ),
});
