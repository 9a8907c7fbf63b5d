import {
  needsRfqExpiry,
  must,
  needsOf,
  needsMaker,
  needsTwoMakers,
  needsSettlement,
  needsSettlementTwoMakers,
  vague,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 4.4: what the endpoints of a market maker do. */
export const makerEndpointRequirements = {
  'rfq.list.holds-new-request': must(
    '4.4',
    'The list of requests holds a new order that can be quoted.',
    needsMaker,
  ),
  'rfq.list.complete': must(
    '4.4',
    'The list of requests holds every order that can be quoted.',
    needsMaker,
  ),
  'rfq.list.same-for-every-maker': must(
    '4.4',
    'A request is listed for every market maker alike.',
    needsTwoMakers,
  ),
  'rfq.list.still-listed-once-quoted': must(
    '4.4',
    'A request that was quoted and not accepted is still active for the makers that have not quoted.',
    needsTwoMakers,
  ),
  'rfq.list.accepted-order-left': must(
    '4.4',
    'A request leaves the list once a quote on it is accepted.',
    needsMaker,
  ),
  'rfq.list.expired-order-left': must(
    '4.4',
    'A request leaves the list once its order has expired.',
    needsRfqExpiry,
  ),
  'rfq.list.failed-order-left': must(
    '4.4',
    'A request leaves the list once its order has failed: as where the operator has withdrawn it.',
    needsOf(['sender', 'maker_a'], { controls: ['withdraw_order'] }),
  ),
  'rfq.read.returns-that-request': must(
    '4.4',
    'Reading an `intent_id` returns the request of that id.',
    needsMaker,
  ),
  'rfq.read.unknown-refused': must(
    '4.4',
    'An `intent_id` that no request has is refused.',
    needsMaker,
  ),
  'rfq.read.agrees-with-list': must(
    '4.4',
    'A request shows the same in the list and when read by itself.',
    needsMaker,
  ),
  'quote.submit.status-201': must('4.4', 'A submitted quote is answered with 201.', needsMaker),
  'quote.submit.shown-to-order-side': must(
    '4.4',
    'A submitted quote is in the list of the order that it quotes.',
    needsMaker,
  ),
  'quote.submit.unknown-request-refused': must(
    '4.4',
    'An `intent_id` that no request has cannot be quoted.',
    needsMaker,
  ),
  'quote.submit.expired-request-refused': must(
    '6',
    'An expired request can no longer be quoted.',
    needsRfqExpiry,
  ),
  'quote.submit.closed-request-refused': vague(
    '4.4',
    'A request that is not active, as its order was accepted or cancelled, cannot be quoted.',
    needsMaker,
  ),
  'quote.submit.order-stays-pending': must(
    '3.1',
    'A quote alone leaves its order PENDING.',
    needsMaker,
  ),
  'rfq.quotes.own-only': must(
    '4.4',
    "Under a request a market maker finds its own quotes, and nobody else's.",
    needsTwoMakers,
  ),
  'rfq.quotes.complete': must(
    '4.4',
    'Under a request a market maker finds all of its own quotes on it.',
    needsMaker,
  ),
  'rfq.quotes.only-that-request': must(
    '4.4',
    'Under a request there are only quotes on that request.',
    needsMaker,
  ),
  'quote.list.complete': must(
    '4.4',
    'The list of own quotes holds every quote that the maker submitted.',
    needsMaker,
  ),
  'quote.list.status-filter': must(
    '4.4',
    'Filtered by a status, the list of own quotes holds that status only.',
    needsTwoMakers,
  ),
  'quote.list.status-filter.complete': must(
    '4.4',
    'Filtered by a status, the list of own quotes holds all quotes in that status.',
    needsTwoMakers,
  ),
  'quote.list.agrees-with-request': must(
    '4.4',
    'A quote shows the same in the list of own quotes and under its request.',
    needsMaker,
  ),
  'settlement.list.holds-won': must(
    '4.4',
    'The list of settlements holds each trade that the maker won and that has settled.',
    needsSettlement,
  ),
  'settlement.list.settled-only': must(
    '4.4',
    'No trade is among the settlements before it has settled.',
    needsSettlement,
  ),
  'settlement.list.failed-left-out': must(
    '4.4',
    'A trade whose settlement failed is no settlement.',
    needsOf(['sender', 'maker_a'], { waitMs: waits.settlementMs, controls: ['fail_settlement'] }),
  ),
  'settlement.read.returns-that-settlement': must(
    '4.4',
    'Reading an `intent_id` returns the settlement of that order.',
    needsSettlement,
  ),
  'settlement.read.agrees-with-list': must(
    '4.4',
    'A settlement shows the same in the list and when read by itself.',
    needsSettlement,
  ),
  'settlement.read.unknown-refused': must(
    '4.4',
    'An `intent_id` that no settlement has is refused.',
    needsOf(['maker_a']),
  ),
  'settlement.read.unsettled-refused': must(
    '4.4',
    'An order that is PENDING has no settlement to read.',
    needsMaker,
  ),
  'maker.lists-have-pages': must(
    '4.4',
    'Every list of a market maker has pages like any other.',
    needsSettlementTwoMakers,
  ),
} as const satisfies Record<string, Requirement>;
