import { silence } from './gap.ts';

/** How closely a backend looks at what it is sent. The reference looks at forms and amounts, and at nothing outside. */
export const validationGaps = {
  'order.signature_check': silence('2.2', {
    question: 'Is `intent_signature` verified, over which bytes and with which key?',
    values: ['form-only'],
    others: 'a real signature is wanted; a target file then gives one in its order defaults',
    because: 'Neither the signed bytes nor the key are shown.',
    observe: 'create an order with a signature that fits its form only',
  }),
  'order.contract_check': silence('2.2', {
    question: 'Must `source_contract_id` name a holding that exists and suffices?',
    values: ['form-only'],
    others: 'refused at creation, or failed by validation later',
    because: 'No endpoint shows holdings, so no client could choose one.',
    observe: 'create an order over a contract that nobody issued',
  }),
  'order.party_check': silence('2.2', {
    question: 'Must the receiver and the custodians of an order be known parties?',
    values: ['form-only'],
    others: 'only parties of the service, or only custodians for custodians',
    because: 'No endpoint lists parties.',
    observe: 'create an order to a receiver that nobody knows',
  }),
  'order.currencies': silence('conventions', {
    question: 'Which currency codes are taken?',
    values: ['any'],
    others: 'a closed list, as of ISO 4217 or of token symbols',
    because: 'A code is only said to be a string.',
    observe: 'create an order in a currency that the target file does not name',
  }),
  'money.input': silence('conventions', {
    question: 'Which texts are decimal numbers: signs, leading zeros, exponents, JSON numbers?',
    values: ['strict'],
    others: 'more forms are taken; what is sent back is still a plain decimal string',
    because: 'Plain digits with at most one point mean the same everywhere.',
    observe: 'create orders with amounts that are numbers, signed or in exponent form',
  }),
  'money.zero': silence('2.2', {
    question: 'May an amount or a rate be zero or negative?',
    values: ['refuse'],
    others: 'taken, where nothing forbids it',
    because: 'Nothing could be delivered against it.',
    observe: 'create an order over nothing',
  }),
  'text.length': silence('2.2', {
    question: 'How long may a memo, an identifier or an amount be?',
    values: ['bounded'],
    others: 'any bound, or none',
    because: 'A body has a largest size anyhow.',
    observe: 'not observed: a bound is no departure',
  }),
  'cancel.request': silence('4.5', {
    question: 'What body does a cancel take?',
    values: ['none'],
    others: 'an empty object, a reason',
    because: 'Nothing is named that it could carry.',
    observe: 'cancel without a body, and with an empty object where that is refused',
  }),
  'proposal.request': silence('4.5', {
    question: 'What body does the acceptance of an order proposal take?',
    values: ['none'],
    others: 'an empty object, a signature',
    because: 'Nothing is named that it could carry.',
    observe: 'accept without a body, and with an empty object where that is refused',
  }),
  'access.unknown': silence('7', {
    question: 'What status refuses an id that nothing has?',
    values: ['404'],
    others: 'any 4xx; for lists below it also an empty list',
    because: 'The usual meaning.',
    observe: 'read an order under a fresh UUID',
  }),
  'access.malformed_id': silence('7', {
    question: 'What refuses a path whose id is no UUID?',
    values: ['refuse'],
    others: 'any 4xx',
    because: 'No order can have it.',
    observe: 'read an order under a word',
  }),
  'access.wrong_role': silence('7', {
    question: 'What status refuses a role that may not use an endpoint?',
    values: ['403'],
    others: 'any 4xx, as 404 where a backend has only the endpoints of its role',
    because: 'The usual meaning.',
    observe: "ask for a market maker's list as an institution",
  }),
};
