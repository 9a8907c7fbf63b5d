import { at, breach, needing, needs, notObservable, of, part } from './needs.ts';

/** Part 1: behaviour of the service, and access by relation to an order. Access by role alone is in access.ts. */
export const serviceRequirements = {
  ...part('1.3', needs.settlement, {
    'service.order-to-settlement': breach('wrong state')(
      'An order that is created, quoted and accepted settles without anybody doing more.',
    ),
    'service.several-makers-quote': needing.twoMakers(
      'Several market makers may quote the same request.',
      '1.2',
    ),
    'service.sender-accepts': needing.maker(
      'The institution that created an order may accept a quote on it.',
    ),
    'service.sender-custodian-accepts': needing.custodianMaker(
      'The custodian of the sender may accept a quote on the order.',
    ),
    'settlement.atomic': breach('wrong state').settlementFailure(
      'A settlement happens whole or not at all: an order that did not settle shows no hash, no settlement moment and no settlement.',
    ),
    'settlement.four-legs': notObservable(
      'A settlement delivers against payment over four legs.',
      'No endpoint shows the legs; only that all or none took place can be seen.',
    ),
  }),
  ...at('order.list')('1.4', needs.outsider, {
    'own-only': breach('too much')('An institution finds only orders in its list that it created.'),
    'custodied-only': breach('too much').outsiderCustodian(
      'A custodian finds only orders in its list that it custodies.',
    ),
    'sender-custodian-included': breach('left out').custodian(
      "The sender's custodian finds the order in its list.",
    ),
  }),
  ...at('order.read')('1.4', needs.outsider, {
    'foreign-institution-refused': 'An institution may not read an order that another created.',
    'foreign-custodian-refused': needing.outsiderCustodian(
      'A custodian may not read an order that it does not custody.',
    ),
    'by-sender-custodian': needing.custodian("The sender's custodian may read the order."),
    'by-receiver-custodian': needing.receiverCustodian(
      "The receiver's custodian may read the order.",
    ),
  }),
  ...at('order.cancel')('1.4', needs.outsider, {
    'foreign-institution-refused': 'An institution may not cancel an order that another created.',
    'receiver-custodian-refused': needing.receiverCustodian(
      "The receiver's custodian may not cancel the order.",
    ),
  }),
  ...at('order.quotes')('1.4', needs.outsiderMaker, {
    'foreign-institution-refused':
      'An institution may not list the quotes of an order that another created.',
    'foreign-custodian-refused': needing.outsiderCustodianMaker(
      'A custodian may not list the quotes of an order that it does not custody.',
    ),
    'by-sender-custodian': needing.custodianMaker(
      "The sender's custodian may list the quotes of the order.",
    ),
  }),
  ...at('quote.accept')('1.4', needs.outsiderMaker, {
    'foreign-institution-refused':
      'An institution may not accept a quote on an order that another created.',
    'foreign-custodian-refused': needing.outsiderCustodianMaker(
      'A custodian may not accept a quote on an order that it does not custody.',
    ),
    'by-receiver-custodian-refused': needing.receiverCustodianMaker(
      "The receiver's custodian only reads: it may not accept a quote.",
    ),
  }),
  ...at('proposal.accept')('1.4', needs.receiverCustodian, {
    'by-receiver-custodian-refused':
      "The receiver's custodian only reads: it may not accept an order proposal.",
    'foreign-custodian-refused': needing.outsiderCustodian(
      'A custodian may not accept the proposal of an order that it does not custody.',
    ),
  }),
  ...part('1.4', needs.settlementTwoMakers, {
    'settlement.read.foreign-maker-refused': of({ endpoint: 'settlement.read' })(
      'A market maker may not read a settlement that it did not win.',
    ),
    'settlement.list.won-only': breach('too much', { endpoint: 'settlement.list' })(
      'A market maker finds only settlements in its list that it won.',
    ),
    'quote.list.own-only': breach('too much', { endpoint: 'quote.list' }).twoMakers(
      'A market maker finds only its own quotes in its list of quotes.',
    ),
  }),
  ...part('1.5', needs.sender, {
    'envelope.wraps-every-success': breach('missing')(
      'Every successful result comes in the envelope; an answer without content and `/health` aside.',
    ),
  }),
};
