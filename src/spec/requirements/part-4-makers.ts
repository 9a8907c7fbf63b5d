import {
  expiringRequest,
  must,
  needing,
  requesting,
  rivalry,
  settling,
  settlingRivalry,
  vague,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 4.4: what the endpoints of a market maker do. */
export const makerEndpointRequirements = {
  'rfq.list.holds-new-request': must(
    '4.4',
    'The list of requests holds a new order that can be quoted.',
    requesting,
  ),
  'rfq.list.complete': must(
    '4.4',
    'The list of requests holds every order that can be quoted.',
    requesting,
  ),
  'rfq.list.same-for-every-maker': must(
    '4.4',
    'A request is listed for every market maker alike.',
    rivalry,
  ),
  'rfq.list.still-listed-once-quoted': must(
    '4.4',
    'A request that was quoted and not accepted is still active for the makers that have not quoted.',
    rivalry,
  ),
  'rfq.list.accepted-order-left': must(
    '4.4',
    'A request leaves the list once a quote on it is accepted.',
    requesting,
  ),
  'rfq.list.expired-order-left': must(
    '4.4',
    'A request leaves the list once its order has expired.',
    expiringRequest,
  ),
  'rfq.list.failed-order-left': must(
    '4.4',
    'A request leaves the list once its order has failed: as where the operator has withdrawn it.',
    needing(['sender', 'maker_a'], { controls: ['withdraw_order'] }),
  ),
  'rfq.read.returns-that-request': must(
    '4.4',
    'Reading an `intent_id` returns the request of that id.',
    requesting,
  ),
  'rfq.read.unknown-refused': must(
    '4.4',
    'An `intent_id` that no request has is refused.',
    requesting,
  ),
  'rfq.read.agrees-with-list': must(
    '4.4',
    'A request shows the same in the list and when read by itself.',
    requesting,
  ),
  'quote.submit.status-201': must('4.4', 'A submitted quote is answered with 201.', requesting),
  'quote.submit.shown-to-order-side': must(
    '4.4',
    'A submitted quote is in the list of the order that it quotes.',
    requesting,
  ),
  'quote.submit.unknown-request-refused': must(
    '4.4',
    'An `intent_id` that no request has cannot be quoted.',
    requesting,
  ),
  'quote.submit.expired-request-refused': must(
    '6',
    'An expired request can no longer be quoted.',
    expiringRequest,
  ),
  'quote.submit.closed-request-refused': vague(
    '4.4',
    'A request that is not active, as its order was accepted or cancelled, cannot be quoted.',
    requesting,
  ),
  'quote.submit.order-stays-pending': must(
    '3.1',
    'A quote alone leaves its order PENDING.',
    requesting,
  ),
  'rfq.quotes.own-only': must(
    '4.4',
    "Under a request a market maker finds its own quotes, and nobody else's.",
    rivalry,
  ),
  'rfq.quotes.complete': must(
    '4.4',
    'Under a request a market maker finds all of its own quotes on it.',
    requesting,
  ),
  'rfq.quotes.only-that-request': must(
    '4.4',
    'Under a request there are only quotes on that request.',
    requesting,
  ),
  'quote.list.complete': must(
    '4.4',
    'The list of own quotes holds every quote that the maker submitted.',
    requesting,
  ),
  'quote.list.status-filter': must(
    '4.4',
    'Filtered by a status, the list of own quotes holds that status only.',
    rivalry,
  ),
  'quote.list.status-filter.complete': must(
    '4.4',
    'Filtered by a status, the list of own quotes holds all quotes in that status.',
    rivalry,
  ),
  'quote.list.agrees-with-request': must(
    '4.4',
    'A quote shows the same in the list of own quotes and under its request.',
    requesting,
  ),
  'settlement.list.holds-won': must(
    '4.4',
    'The list of settlements holds each trade that the maker won and that has settled.',
    settling,
  ),
  'settlement.list.settled-only': must(
    '4.4',
    'No trade is among the settlements before it has settled.',
    settling,
  ),
  'settlement.list.failed-left-out': must(
    '4.4',
    'A trade whose settlement failed is no settlement.',
    needing(['sender', 'maker_a'], { waitMs: waits.settlementMs, controls: ['fail_settlement'] }),
  ),
  'settlement.read.returns-that-settlement': must(
    '4.4',
    'Reading an `intent_id` returns the settlement of that order.',
    settling,
  ),
  'settlement.read.agrees-with-list': must(
    '4.4',
    'A settlement shows the same in the list and when read by itself.',
    settling,
  ),
  'settlement.read.unknown-refused': must(
    '4.4',
    'An `intent_id` that no settlement has is refused.',
    needing(['maker_a']),
  ),
  'settlement.read.unsettled-refused': must(
    '4.4',
    'An order that is PENDING has no settlement to read.',
    requesting,
  ),
  'maker.lists-have-pages': must(
    '4.4',
    'Every list of a market maker has pages like any other.',
    settlingRivalry,
  ),
} as const satisfies Record<string, Requirement>;
