import {
  needsCustodian,
  needsCustodianMaker,
  needsSettlementFailure,
  must,
  needsOf,
  needsSender,
  needsMaker,
  needsSettlement,
  needsSettlementTwoMakers,
  notObservable,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 1: what the service does, and who may do it by relation to an order. Roles alone are in access.ts. */
export const serviceRequirements = {
  'service.order-to-settlement': must(
    '1.3',
    'An order that is created, quoted and accepted settles without anybody doing more.',
    needsSettlement,
  ),
  'service.several-makers-quote': must(
    '1.2',
    'Several market makers may quote the same request.',
    needsOf(['sender', 'maker_a', 'maker_b']),
  ),
  'service.sender-accepts': must(
    '1.3',
    'The institution that created an order may accept a quote on it.',
    needsMaker,
  ),
  'service.sender-custodian-accepts': must(
    '1.3',
    'The custodian of the sender may accept a quote on the order.',
    needsCustodianMaker,
  ),
  'settlement.atomic': must(
    '1.3',
    'A settlement happens whole or not at all: an order that did not settle shows no hash, no settlement moment and no settlement.',
    needsSettlementFailure,
  ),
  'settlement.four-legs': notObservable(
    '1.3',
    'A settlement delivers against payment over four legs.',
    'No endpoint shows the legs; only that all or none took place can be seen.',
  ),
  'order.list.own-only': must(
    '1.4',
    'An institution finds only orders in its list that it created.',
    needsOf(['sender', 'outsider']),
  ),
  'order.list.custodied-only': must(
    '1.4',
    'A custodian finds only orders in its list that it custodies.',
    needsOf(['sender', 'outsider_custodian']),
  ),
  'order.list.sender-custodian-included': must(
    '1.4',
    "The sender's custodian finds the order in its list.",
    needsCustodian,
  ),
  'order.read.foreign-institution-refused': must(
    '1.4',
    'An institution may not read an order that another created.',
    needsOf(['sender', 'outsider']),
  ),
  'order.read.foreign-custodian-refused': must(
    '1.4',
    'A custodian may not read an order that it does not custody.',
    needsOf(['sender', 'outsider_custodian']),
  ),
  'order.read.by-sender-custodian': must(
    '1.4',
    "The sender's custodian may read the order.",
    needsCustodian,
  ),
  'order.read.by-receiver-custodian': must(
    '1.4',
    "The receiver's custodian may read the order.",
    needsOf(['sender', 'receiver_custodian']),
  ),
  'order.cancel.foreign-institution-refused': must(
    '1.4',
    'An institution may not cancel an order that another created.',
    needsOf(['sender', 'outsider']),
  ),
  'order.cancel.receiver-custodian-refused': must(
    '1.4',
    "The receiver's custodian may not cancel the order.",
    needsOf(['sender', 'receiver_custodian']),
  ),
  'order.quotes.foreign-institution-refused': must(
    '1.4',
    'An institution may not list the quotes of an order that another created.',
    needsOf(['sender', 'outsider', 'maker_a']),
  ),
  'order.quotes.foreign-custodian-refused': must(
    '1.4',
    'A custodian may not list the quotes of an order that it does not custody.',
    needsOf(['sender', 'outsider_custodian', 'maker_a']),
  ),
  'order.quotes.by-sender-custodian': must(
    '1.4',
    "The sender's custodian may list the quotes of the order.",
    needsCustodianMaker,
  ),
  'quote.accept.foreign-institution-refused': must(
    '1.4',
    'An institution may not accept a quote on an order that another created.',
    needsOf(['sender', 'outsider', 'maker_a']),
  ),
  'quote.accept.foreign-custodian-refused': must(
    '1.4',
    'A custodian may not accept a quote on an order that it does not custody.',
    needsOf(['sender', 'outsider_custodian', 'maker_a']),
  ),
  'quote.accept.by-receiver-custodian-refused': must(
    '1.4',
    "The receiver's custodian only reads: it may not accept a quote.",
    needsOf(['sender', 'receiver_custodian', 'maker_a']),
  ),
  'proposal.accept.by-receiver-custodian-refused': must(
    '1.4',
    "The receiver's custodian only reads: it may not accept an order proposal.",
    needsOf(['sender', 'receiver_custodian']),
  ),
  'proposal.accept.foreign-custodian-refused': must(
    '1.4',
    'A custodian may not accept the proposal of an order that it does not custody.',
    needsOf(['sender', 'outsider_custodian']),
  ),
  'settlement.read.foreign-maker-refused': must(
    '1.4',
    'A market maker may not read a settlement that it did not win.',
    needsSettlementTwoMakers,
  ),
  'settlement.list.won-only': must(
    '1.4',
    'A market maker finds only settlements in its list that it won.',
    needsSettlementTwoMakers,
  ),
  'quote.list.own-only': must(
    '1.4',
    'A market maker finds only its own quotes in its list of quotes.',
    needsOf(['sender', 'maker_a', 'maker_b']),
  ),
  'envelope.wraps-every-success': must(
    '1.5',
    'Every successful result comes in the envelope; an answer without content and `/health` aside.',
    needsSender,
  ),
} as const satisfies Record<string, Requirement>;
