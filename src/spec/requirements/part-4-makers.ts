import { at, breach, needing, needs, part, vague } from './needs.ts';

/** Part 4.4: behaviour of the endpoints of a market maker. */
export const makerEndpointRequirements = {
  ...at('rfq.list', 'left out')('4.4', needs.maker, {
    'holds-new-request': 'The list of requests holds a new order that can be quoted.',
    complete: 'The list of requests holds every order that can be quoted.',
    'same-for-every-maker': needing.twoMakers('A request is listed for every market maker alike.'),
    'still-listed-once-quoted': needing.twoMakers(
      'A request that was quoted and not accepted is still active for the makers that have not quoted.',
    ),
  }),
  ...at('rfq.list', 'too much')('4.4', needs.maker, {
    'accepted-order-left': 'A request leaves the list once a quote on it is accepted.',
    'expired-order-left': needing.rfqExpiry(
      'A request leaves the list once its order has expired.',
    ),
    'failed-order-left': needing.withdrawalMaker(
      'A request leaves the list once its order has failed: as where the operator has withdrawn it.',
    ),
  }),
  ...at('rfq.read')('4.4', needs.maker, {
    'returns-that-request': 'Reading an `intent_id` returns the request of that id.',
    'unknown-refused': 'An `intent_id` that no request has is refused.',
    'agrees-with-list': 'A request shows the same in the list and when read by itself.',
  }),
  ...at('quote.submit')('4.4', needs.maker, {
    'status-201': 'A submitted quote is answered with 201.',
    'shown-to-order-side': 'A submitted quote is in the list of the order that it quotes.',
    'unknown-request-refused': 'An `intent_id` that no request has cannot be quoted.',
    'expired-request-refused': needing.rfqExpiry(
      'An expired request can no longer be quoted.',
      '6',
    ),
    'closed-request-refused': vague('quote.late', 'same-request').says(
      'A request that is not active, as its order was accepted or cancelled, cannot be quoted.',
    ),
    'order-stays-pending': breach('wrong state')('A quote alone leaves its order PENDING.', '3.1'),
  }),
  ...at('rfq.quotes')('4.4', needs.maker, {
    'own-only': breach('too much').twoMakers(
      "Under a request a market maker finds its own quotes, and nobody else's.",
    ),
    complete: breach('left out')(
      'Under a request a market maker finds all of its own quotes on it.',
    ),
    'only-that-request': breach('too much')(
      'Under a request there are only quotes on that request.',
    ),
  }),
  ...at('quote.list')('4.4', needs.maker, {
    complete: breach('left out')(
      'The list of own quotes holds every quote that the maker submitted.',
    ),
    'status-filter': breach('too much').twoMakers(
      'Filtered by a status, the list of own quotes holds that status only.',
    ),
    'status-filter.complete': breach('left out').twoMakers(
      'Filtered by a status, the list of own quotes holds all quotes in that status.',
    ),
    'agrees-with-request':
      'A quote shows the same in the list of own quotes and under its request.',
  }),
  ...at('settlement.list')('4.4', needs.settlement, {
    'holds-won': breach('left out')(
      'The list of settlements holds each trade that the maker won and that has settled.',
    ),
    'settled-only': breach('too much')('No trade is among the settlements before it has settled.'),
    'failed-left-out': breach('too much').settlementFailure(
      'A trade whose settlement failed is no settlement.',
    ),
  }),
  ...at('settlement.read')('4.4', needs.settlement, {
    'returns-that-settlement': 'Reading an `intent_id` returns the settlement of that order.',
    'agrees-with-list': 'A settlement shows the same in the list and when read by itself.',
    'unknown-refused': needing.makerAlone('An `intent_id` that no settlement has is refused.'),
    'unsettled-refused': needing.maker('An order that is PENDING has no settlement to read.'),
  }),
  ...part('4.4', needs.settlementTwoMakers, {
    'maker.lists-have-pages': breach('left out')(
      'Every list of a market maker has pages like any other.',
    ),
  }),
};
