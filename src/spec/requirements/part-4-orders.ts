import {
  needsCustodian,
  needsCustodianMaker,
  must,
  needsOf,
  needsSender,
  needsMaker,
  needsTwoMakers,
  needsSettlement,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Parts 4.1 to 4.3: what the endpoints of the order side do. Who may use them is in access.ts and part-1.ts. */
export const orderEndpointRequirements = {
  'token.create.no-token-needed': must('4.1', 'A token is had without having one.', needsSender),
  'token.create.no-body-needed': must('4.1', 'A token is had without sending a body.', needsSender),
  'token.create.returns-token-result': must(
    '4.1',
    'Asking for a token returns the token result.',
    needsSender,
  ),
  'health.read.no-token-needed': must('4.1', '`/health` answers without a token.', needsSender),
  'health.read.succeeds': must(
    '4.1',
    '`/health` of a backend that works answers with success.',
    needsSender,
  ),
  'identity.read.returns-identity': must(
    '4.1',
    '`whoami` returns the identity result.',
    needsSender,
  ),
  'stats.read.returns-object': must(
    '4.1',
    'The dashboard stats come as an object in the envelope.',
    needsSender,
  ),
  'order.create.succeeds': must('4.2', 'A complete and valid order is created.', needsSender),
  'order.create.returns-order': must('4.2', 'Creating an order returns the order.', needsSender),
  'order.create.returns-pending': must(
    '4.2',
    'Creating an order returns it in PENDING.',
    needsSender,
  ),
  'order.create.assigns-intent-id': must(
    '4.2',
    'Creating an order returns its new `intent_id`.',
    needsSender,
  ),
  'order.create.readable-afterwards': must(
    '4.2',
    'A created order can be read under its `intent_id`.',
    needsSender,
  ),
  'order.create.listed-afterwards': must(
    '4.2',
    "A created order is in its creator's list.",
    needsSender,
  ),
  'order.create.once': must('4.2', 'One creation makes one order.', needsSender),
  'order.list.complete': must(
    '4.2',
    "The list of orders holds every one of the caller's orders.",
    needsSender,
  ),
  'order.list.status-filter': must(
    '4.2',
    'Filtered by a status, the list of orders holds orders in that status only.',
    needsSender,
  ),
  'order.list.status-filter.complete': must(
    '4.2',
    'Filtered by a status, the list of orders holds all orders in that status.',
    needsSender,
  ),
  'order.list.status-filter.totals': must(
    '4.2',
    'Filtered by a status, the totals count the filtered orders only.',
    needsSender,
  ),
  'order.list.agrees-with-read': must(
    '4.2',
    'An order shows the same in the list and when read by itself.',
    needsSettlement,
  ),
  'order.list.custodian-status-filter': must(
    '4.3',
    "Filtered by a status, a custodian's list holds orders in that status only, and all of them.",
    needsCustodian,
  ),
  'order.read.returns-that-order': must(
    '4.2',
    'Reading an `intent_id` returns the order of that id.',
    needsSender,
  ),
  'order.read.unknown-refused': must(
    '4.2',
    'An `intent_id` that no order has is refused.',
    needsSender,
  ),
  'order.read.custodian-sees-same': must(
    '4.3',
    "The sender's custodian reads the same order as the sender.",
    needsOf(['sender', 'sender_custodian', 'maker_a'], { waitMs: waits.settlementMs }),
  ),
  'order.cancel.pending': must('4.2', 'A PENDING order can be cancelled.', needsSender),
  'order.cancel.pending-with-quotes': must(
    '4.2',
    'A PENDING order that has quotes can be cancelled.',
    needsMaker,
  ),
  'order.cancel.quoted': must('4.2', 'A QUOTED order can be cancelled.', needsMaker),
  'order.cancel.never-settles': must(
    '4.2',
    'An order that was cancelled never settles.',
    needsSettlement,
  ),
  'order.cancel.executing-refused': must(
    '4.2',
    'An EXECUTING order cannot be cancelled.',
    needsSettlement,
  ),
  'order.cancel.settled-refused': must(
    '4.2',
    'A SETTLED order cannot be cancelled.',
    needsSettlement,
  ),
  'order.cancel.expired-stays': must(
    '4.2',
    'Cancelling an EXPIRED order does not change it.',
    needsOf(['sender'], { waitMs: waits.orderExpiryMs }),
  ),
  'order.cancel.unknown-refused': must(
    '4.2',
    'Cancelling an `intent_id` that no order has is refused.',
    needsSender,
  ),
  'order.cancel.only-that-order': must(
    '4.2',
    'A cancel ends the named order and no other.',
    needsSender,
  ),
  'order.cancel.request-closes': must(
    '4.2',
    'After a cancel the order is no longer among the active requests for quote.',
    needsMaker,
  ),
  'order.quotes.only-that-order': must(
    '4.2',
    "The list of an order's quotes holds quotes on it only.",
    needsTwoMakers,
  ),
  'order.quotes.complete': must(
    '4.2',
    "The list of an order's quotes holds the quotes of every maker.",
    needsTwoMakers,
  ),
  'order.quotes.empty-without-quotes': must(
    '4.2',
    'The quotes of an order that has none are an empty list.',
    needsSender,
  ),
  'order.quotes.unknown-refused': must(
    '4.2',
    'The quotes of an `intent_id` that no order has are refused, or none.',
    needsSender,
  ),
  'order.quotes.custodian-sees-same': must(
    '4.3',
    "The sender's custodian is shown the same quotes as the sender.",
    needsOf(['sender', 'sender_custodian', 'maker_a', 'maker_b']),
  ),
  'quote.accept.no-body-needed': must(
    '4.2',
    'A quote is accepted without sending a body.',
    needsMaker,
  ),
  'quote.accept.returns-order': must(
    '4.2',
    'Accepting a quote returns the order to an institution.',
    needsMaker,
  ),
  'quote.accept.returns-quoted': must(
    '4.2',
    'Accepting a quote returns the order in QUOTED.',
    needsMaker,
  ),
  'quote.accept.returns-fx-rate': must(
    '4.2',
    'The order that an acceptance returns has `fx_rate` set.',
    needsMaker,
  ),
  'quote.accept.returns-source-amount-actual': must(
    '4.2',
    'The order that an acceptance returns has `source_amount_actual` set.',
    needsMaker,
  ),
  'quote.accept.returns-market-maker': must(
    '4.2',
    'The order that an acceptance returns has `market_maker_party_id` set.',
    needsMaker,
  ),
  'quote.accept.selects-named-quote': must(
    '4.2',
    'The quote that the path names is the one that is accepted, whichever is best or latest.',
    needsTwoMakers,
  ),
  'quote.accept.unknown-quote-refused': must(
    '4.2',
    'A `quote_id` that no quote has cannot be accepted.',
    needsMaker,
  ),
  'quote.accept.quote-of-other-order-refused': must(
    '4.2',
    "A quote on one order cannot be accepted under another's `intent_id`.",
    needsMaker,
  ),
  'quote.accept.unknown-order-refused': must(
    '4.2',
    'No quote can be accepted under an `intent_id` that no order has.',
    needsMaker,
  ),
  'quote.accept.custodian-returns-quoted': must(
    '4.3',
    "The answer to the sender custodian's acceptance has the status QUOTED.",
    needsCustodianMaker,
  ),
  'quote.accept.custodian-answer-agrees': must(
    '4.3',
    "What the sender custodian's acceptance returns is what the order then shows.",
    needsCustodianMaker,
  ),
  'quote.accept.custodian-order-settles': must(
    '4.3',
    "An order whose quote the sender's custodian accepted settles like any other.",
    needsOf(['sender', 'sender_custodian', 'maker_a'], { waitMs: waits.settlementMs }),
  ),
  'proposal.accept.by-sender-custodian': must(
    '4.3',
    "The sender's custodian may accept the order's proposal.",
    needsCustodian,
  ),
  'proposal.accept.unknown-refused': must(
    '4.3',
    'The proposal of an `intent_id` that no order has cannot be accepted.',
    needsCustodian,
  ),
  'proposal.accept.order-stays-legal': must(
    '4.3',
    'Accepting a proposal moves an order along no transition that is not listed, and changes no terms.',
    needsCustodian,
  ),
} as const satisfies Record<string, Requirement>;
