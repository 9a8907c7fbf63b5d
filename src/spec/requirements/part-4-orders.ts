import { at, breach, needing, needs, of } from './needs.ts';

/** Parts 4.1 to 4.3: behaviour of the endpoints of the order side. Access is in access.ts and part-1.ts. */
export const orderEndpointRequirements = {
  ...at('token.create')('4.1', needs.sender, {
    'no-token-needed': 'A token is had without having one.',
    'no-body-needed': 'A token is had without sending a body.',
    'returns-token-result': 'Asking for a token returns the token result.',
  }),
  ...at('health.read')('4.1', needs.sender, {
    'no-token-needed': '`/health` answers without a token.',
    succeeds: '`/health` of a backend that works answers with success.',
  }),
  ...at('identity.read')('4.1', needs.sender, {
    'returns-identity': '`whoami` returns the identity result.',
  }),
  ...at('stats.read')('4.1', needs.sender, {
    'returns-object': 'The dashboard stats come as an object in the envelope.',
  }),
  ...at('order.create')('4.2', needs.sender, {
    succeeds: 'A complete and valid order is created.',
    'returns-order': 'Creating an order returns the order.',
    'returns-pending': breach('wrong state')('Creating an order returns it in PENDING.'),
    'assigns-intent-id': of('intent_id')('Creating an order returns its new `intent_id`.'),
    'readable-afterwards': 'A created order can be read under its `intent_id`.',
    'listed-afterwards': breach('left out')("A created order is in its creator's list."),
    once: 'One creation makes one order.',
  }),
  ...at('order.list')('4.2', needs.sender, {
    complete: breach('left out')("The list of orders holds every one of the caller's orders."),
    'status-filter': breach('too much')(
      'Filtered by a status, the list of orders holds orders in that status only.',
    ),
    'status-filter.complete': breach('left out')(
      'Filtered by a status, the list of orders holds all orders in that status.',
    ),
    'status-filter.totals': 'Filtered by a status, the totals count the filtered orders only.',
    'agrees-with-read': needing.settlement(
      'An order shows the same in the list and when read by itself.',
    ),
    'custodian-status-filter': breach('too much').custodian(
      "Filtered by a status, a custodian's list holds orders in that status only, and all of them.",
      '4.3',
    ),
  }),
  ...at('order.read')('4.2', needs.sender, {
    'returns-that-order': 'Reading an `intent_id` returns the order of that id.',
    'unknown-refused': 'An `intent_id` that no order has is refused.',
    'custodian-sees-same': needing.custodianSettlement(
      "The sender's custodian reads the same order as the sender.",
      '4.3',
    ),
  }),
  ...at('order.cancel')('4.2', needs.sender, {
    pending: 'A PENDING order can be cancelled.',
    'pending-with-quotes': needing.maker('A PENDING order that has quotes can be cancelled.'),
    quoted: needing.maker('A QUOTED order can be cancelled.'),
    'never-settles': breach('wrong state').settlement('An order that was cancelled never settles.'),
    'executing-refused': needing.settlement('An EXECUTING order cannot be cancelled.'),
    'settled-refused': needing.settlement('A SETTLED order cannot be cancelled.'),
    'expired-stays': needing.orderExpiry('Cancelling an EXPIRED order does not change it.'),
    'unknown-refused': 'Cancelling an `intent_id` that no order has is refused.',
    'only-that-order': 'A cancel ends the named order and no other.',
    'request-closes': breach('too much').maker(
      'After a cancel the order is no longer among the active requests for quote.',
    ),
  }),
  ...at('order.quotes')('4.2', needs.sender, {
    'only-that-order': breach('too much').twoMakers(
      "The list of an order's quotes holds quotes on it only.",
    ),
    complete: breach('left out').twoMakers(
      "The list of an order's quotes holds the quotes of every maker.",
    ),
    'empty-without-quotes': breach('too much')(
      'The quotes of an order that has none are an empty list.',
    ),
    'unknown-refused': 'The quotes of an `intent_id` that no order has are refused, or none.',
    'custodian-sees-same': needing.custodianTwoMakers(
      "The sender's custodian is shown the same quotes as the sender.",
      '4.3',
    ),
  }),
  ...at('quote.accept')('4.2', needs.maker, {
    'no-body-needed': 'A quote is accepted without sending a body.',
    'returns-order': 'Accepting a quote returns the order to an institution.',
    'returns-quoted': breach('wrong state')('Accepting a quote returns the order in QUOTED.'),
    'returns-fx-rate': breach(
      'missing',
      'fx_rate',
    )('The order that an acceptance returns has `fx_rate` set.'),
    'returns-source-amount-actual': breach(
      'missing',
      'source_amount_actual',
    )('The order that an acceptance returns has `source_amount_actual` set.'),
    'returns-market-maker': breach(
      'missing',
      'market_maker_party_id',
    )('The order that an acceptance returns has `market_maker_party_id` set.'),
    'selects-named-quote': needing.twoMakers(
      'The quote that the path names is the one that is accepted, whichever is best or latest.',
    ),
    'unknown-quote-refused': 'A `quote_id` that no quote has cannot be accepted.',
    'quote-of-other-order-refused':
      "A quote on one order cannot be accepted under another's `intent_id`.",
    'unknown-order-refused': 'No quote can be accepted under an `intent_id` that no order has.',
  }),
  ...at('quote.accept')('4.3', needs.custodianMaker, {
    'custodian-returns-quoted': breach('wrong state')(
      "The answer to the sender custodian's acceptance has the status QUOTED.",
    ),
    'custodian-answer-agrees':
      "What the sender custodian's acceptance returns is what the order then shows.",
    'custodian-order-settles': breach('wrong state').custodianSettlement(
      "An order whose quote the sender's custodian accepted settles like any other.",
    ),
  }),
  ...at('proposal.accept')('4.3', needs.custodian, {
    'by-sender-custodian': "The sender's custodian may accept the order's proposal.",
    'unknown-refused': 'The proposal of an `intent_id` that no order has cannot be accepted.',
    'order-stays-legal':
      'Accepting a proposal moves an order along no transition that is not listed, and changes no terms.',
  }),
};
