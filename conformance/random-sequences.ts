import type { Check } from '../src/suite/engine/check.ts';
import { type SequenceCheck, sequenceCheck } from '../src/suite/model/play-sequence.ts';

/**
 * 3, 4: random sequences of commands, which the rules judge, above all by a model of the admissible states of an order
 * (rule `order.effects`). Each profile leaves out most kinds of step, so that the others meet often; together the
 * profiles cover all kinds. The seed of the run and the check's id fix the sequences.
 */
const profiles: readonly SequenceCheck[] = [
  {
    id: 'model.whole-cast',
    title: 'Whatever the whole cast does to two orders, each follows its own legal path.',
    sequences: 2,
    profile: {
      steps: 12,
      orders: 2,
      opening: 'quoted',
      makers: ['maker_a', 'maker_b', 'maker_c'],
      validities: ['usual', 'brief', 'beyond'],
      creators: ['sender', 'outsider'],
      accepters: ['sender', 'sender_custodian', 'receiver_custodian', 'outsider', 'maker_a'],
      cancellers: ['sender', 'sender_custodian', 'outsider'],
      weights: {
        create: 2,
        quote: 3,
        accept: 3,
        cancel: 1,
        propose: 1,
        look: 3,
        list: 1,
        wait: 1,
        deadline: 1,
        race: 1,
      },
    },
  },
  {
    id: 'model.races',
    title:
      'Acceptances, cancels and quotes that are sent at once leave what some order of them explains.',
    sequences: 3,
    profile: {
      steps: 10,
      orders: 3,
      opening: 'quoted',
      makers: ['maker_a', 'maker_b', 'maker_c'],
      validities: ['usual'],
      accepters: ['sender', 'sender_custodian'],
      cancellers: ['sender'],
      weights: { create: 3, quote: 4, look: 1, race: 4 },
    },
  },
  {
    id: 'model.cancels',
    title: 'An order that is cancelled before or after an acceptance ends there, and others go on.',
    sequences: 2,
    profile: {
      steps: 9,
      orders: 3,
      opening: 'quoted',
      makers: ['maker_a', 'maker_b'],
      validities: ['usual'],
      accepters: ['sender', 'sender_custodian', 'receiver_custodian'],
      cancellers: ['sender', 'sender', 'sender_custodian', 'maker_a'],
      weights: { create: 3, quote: 4, accept: 3, cancel: 4, look: 1, wait: 1 },
    },
  },
  {
    id: 'model.under-way',
    title:
      'An order that was accepted goes on to its end, whoever cancels, accepts and quotes meanwhile.',
    sequences: 3,
    profile: {
      steps: 8,
      orders: 2,
      opening: 'accepted',
      makers: ['maker_a', 'maker_b', 'maker_c'],
      validities: ['usual'],
      accepters: ['sender', 'sender_custodian', 'receiver_custodian'],
      cancellers: ['sender', 'sender', 'outsider'],
      weights: { create: 1, quote: 2, accept: 2, cancel: 2, look: 1, wait: 5, race: 1 },
    },
  },
  {
    id: 'model.deadlines',
    title:
      'Quotes are accepted up to their deadlines and not beyond, also where others are still valid.',
    sequences: 2,
    profile: {
      steps: 8,
      orders: 2,
      opening: 'quoted',
      makers: ['maker_a', 'maker_b', 'maker_c'],
      validities: ['brief', 'brief', 'usual'],
      accepters: ['sender', 'sender_custodian'],
      cancellers: ['sender'],
      weights: { create: 1, quote: 4, accept: 4, cancel: 1, look: 2, deadline: 3, race: 1 },
    },
  },
  {
    id: 'model.strangers',
    title: 'Whatever happened to an order before, those who have no part in it change nothing.',
    sequences: 2,
    profile: {
      steps: 12,
      orders: 2,
      opening: 'quoted',
      makers: ['maker_a', 'maker_b'],
      validities: ['usual'],
      creators: ['sender', 'outsider'],
      accepters: [
        'receiver_custodian',
        'outsider',
        'outsider_custodian',
        'maker_a',
        'sender',
        'sender_custodian',
      ],
      cancellers: ['receiver_custodian', 'outsider', 'maker_a', 'sender_custodian', 'sender'],
      weights: { create: 2, quote: 3, accept: 5, cancel: 3, propose: 2, look: 3, wait: 1 },
    },
  },
  {
    id: 'model.rivals',
    title: 'Of many quotes, also several of one maker, one is accepted and the order settles.',
    sequences: 2,
    profile: {
      steps: 10,
      orders: 1,
      opening: 'quoted',
      makers: ['maker_a', 'maker_b', 'maker_c'],
      validities: ['usual', 'beyond'],
      accepters: ['sender', 'sender_custodian'],
      cancellers: ['sender'],
      weights: { quote: 6, accept: 1, propose: 1, look: 2, list: 1, wait: 1 },
    },
  },
];

export const randomSequenceChecks: readonly Check[] = profiles.map(sequenceCheck);
