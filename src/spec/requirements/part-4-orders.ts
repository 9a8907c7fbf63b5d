import { needing, needs, part } from './needs.ts';

/** Parts 4.1 to 4.3: what the endpoints of the order side do. Who may use them is in access.ts and part-1.ts. */
export const orderEndpointRequirements = {
  ...part('4.1', needs.sender, {
    'token.create.no-token-needed': 'A token is had without having one.',
    'token.create.no-body-needed': 'A token is had without sending a body.',
    'token.create.returns-token-result': 'Asking for a token returns the token result.',
    'health.read.no-token-needed': '`/health` answers without a token.',
    'health.read.succeeds': '`/health` of a backend that works answers with success.',
    'identity.read.returns-identity': '`whoami` returns the identity result.',
    'stats.read.returns-object': 'The dashboard stats come as an object in the envelope.',
  }),
  ...part('4.2', needs.sender, {
    'order.create.succeeds': 'A complete and valid order is created.',
    'order.create.returns-order': 'Creating an order returns the order.',
    'order.create.returns-pending': 'Creating an order returns it in PENDING.',
    'order.create.assigns-intent-id': 'Creating an order returns its new `intent_id`.',
    'order.create.readable-afterwards': 'A created order can be read under its `intent_id`.',
    'order.create.listed-afterwards': "A created order is in its creator's list.",
    'order.create.once': 'One creation makes one order.',
    'order.list.complete': "The list of orders holds every one of the caller's orders.",
    'order.list.status-filter':
      'Filtered by a status, the list of orders holds orders in that status only.',
    'order.list.status-filter.complete':
      'Filtered by a status, the list of orders holds all orders in that status.',
    'order.list.status-filter.totals':
      'Filtered by a status, the totals count the filtered orders only.',
    'order.list.agrees-with-read': needing.settlement(
      'An order shows the same in the list and when read by itself.',
    ),
    'order.list.custodian-status-filter': {
      ...needing.custodian(
        "Filtered by a status, a custodian's list holds orders in that status only, and all of them.",
      ),
      part: '4.3',
    },
    'order.read.returns-that-order': 'Reading an `intent_id` returns the order of that id.',
    'order.read.unknown-refused': 'An `intent_id` that no order has is refused.',
    'order.read.custodian-sees-same': {
      ...needing.custodianSettlement("The sender's custodian reads the same order as the sender."),
      part: '4.3',
    },
    'order.cancel.pending': 'A PENDING order can be cancelled.',
    'order.cancel.pending-with-quotes': needing.maker(
      'A PENDING order that has quotes can be cancelled.',
    ),
    'order.cancel.quoted': needing.maker('A QUOTED order can be cancelled.'),
    'order.cancel.never-settles': needing.settlement('An order that was cancelled never settles.'),
    'order.cancel.executing-refused': needing.settlement('An EXECUTING order cannot be cancelled.'),
    'order.cancel.settled-refused': needing.settlement('A SETTLED order cannot be cancelled.'),
    'order.cancel.expired-stays': needing.orderExpiry(
      'Cancelling an EXPIRED order does not change it.',
    ),
    'order.cancel.unknown-refused': 'Cancelling an `intent_id` that no order has is refused.',
    'order.cancel.only-that-order': 'A cancel ends the named order and no other.',
    'order.cancel.request-closes': needing.maker(
      'After a cancel the order is no longer among the active requests for quote.',
    ),
    'order.quotes.only-that-order': needing.twoMakers(
      "The list of an order's quotes holds quotes on it only.",
    ),
    'order.quotes.complete': needing.twoMakers(
      "The list of an order's quotes holds the quotes of every maker.",
    ),
    'order.quotes.empty-without-quotes': 'The quotes of an order that has none are an empty list.',
    'order.quotes.unknown-refused':
      'The quotes of an `intent_id` that no order has are refused, or none.',
    'order.quotes.custodian-sees-same': {
      ...needing.custodianTwoMakers(
        "The sender's custodian is shown the same quotes as the sender.",
      ),
      part: '4.3',
    },
    'quote.accept.no-body-needed': needing.maker('A quote is accepted without sending a body.'),
    'quote.accept.returns-order': needing.maker(
      'Accepting a quote returns the order to an institution.',
    ),
    'quote.accept.returns-quoted': needing.maker('Accepting a quote returns the order in QUOTED.'),
    'quote.accept.returns-fx-rate': needing.maker(
      'The order that an acceptance returns has `fx_rate` set.',
    ),
    'quote.accept.returns-source-amount-actual': needing.maker(
      'The order that an acceptance returns has `source_amount_actual` set.',
    ),
    'quote.accept.returns-market-maker': needing.maker(
      'The order that an acceptance returns has `market_maker_party_id` set.',
    ),
    'quote.accept.selects-named-quote': needing.twoMakers(
      'The quote that the path names is the one that is accepted, whichever is best or latest.',
    ),
    'quote.accept.unknown-quote-refused': needing.maker(
      'A `quote_id` that no quote has cannot be accepted.',
    ),
    'quote.accept.quote-of-other-order-refused': needing.maker(
      "A quote on one order cannot be accepted under another's `intent_id`.",
    ),
    'quote.accept.unknown-order-refused': needing.maker(
      'No quote can be accepted under an `intent_id` that no order has.',
    ),
  }),
  ...part('4.3', needs.custodian, {
    'quote.accept.custodian-returns-quoted': needing.custodianMaker(
      "The answer to the sender custodian's acceptance has the status QUOTED.",
    ),
    'quote.accept.custodian-answer-agrees': needing.custodianMaker(
      "What the sender custodian's acceptance returns is what the order then shows.",
    ),
    'quote.accept.custodian-order-settles': needing.custodianSettlement(
      "An order whose quote the sender's custodian accepted settles like any other.",
    ),
    'proposal.accept.by-sender-custodian':
      "The sender's custodian may accept the order's proposal.",
    'proposal.accept.unknown-refused':
      'The proposal of an `intent_id` that no order has cannot be accepted.',
    'proposal.accept.order-stays-legal':
      'Accepting a proposal moves an order along no transition that is not listed, and changes no terms.',
  }),
};
