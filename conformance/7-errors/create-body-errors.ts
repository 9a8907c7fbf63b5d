import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import type { CallOptions } from '../../src/client/contract.ts';
import {
  assertRefused,
  describeExchange,
  type Fields,
  firstAndLastPage,
  orderBody,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { eventLatencyMs } from '../shared/streams.ts';
import { notDecimal, notJson, sentAsText } from './malformed-values.ts';

/** One creation that must not come about. */
interface Attempt {
  readonly name: string;
  readonly options: CallOptions;
}

interface Situation {
  readonly id: string;
  readonly title: string;
  readonly requirement: RequirementId;
  readonly what: string;
  readonly attempts: (t: CheckContext, terms: Fields) => readonly Attempt[];
  /** Reason why a lenient backend may take such creations. If it does, the check ends. */
  readonly mayBeTaken?: string;
}

const withFields =
  (values: readonly (readonly [field: string, value: unknown])[]): Situation['attempts'] =>
  (t, terms) =>
    values.map(([field, value]) => ({
      name: JSON.stringify(value),
      options: { body: orderBody(t, { ...terms, [field]: value }) },
    }));

const notDecimalIn = (field: string) => withFields(notDecimal.map((value) => [field, value]));

const inBothAmounts = (value: unknown) =>
  withFields([
    ['target_amount', value],
    ['source_amount_max', value],
  ]);

const situations: readonly Situation[] = [
  {
    id: 'not-json',
    title: 'A body that is cut short, prose, markup or a form creates no order; whole, it does.',
    requirement: 'order.create.not-json-refused',
    what: 'a body that is no JSON',
    attempts: (t, terms) =>
      notJson(orderBody(t, terms)).map(({ name, sent }) => ({ name, options: sentAsText(sent) })),
  },
  {
    id: 'malformed-amount.target_amount',
    title: 'No order is created with a target_amount that is no decimal number; with one it is.',
    requirement: 'order.create.malformed-amount-refused',
    what: 'a target_amount that is no decimal number',
    attempts: notDecimalIn('target_amount'),
  },
  {
    id: 'malformed-amount.source_amount_max',
    title:
      'No order is created with a source_amount_max that is no decimal number, and none announced; with one it is.',
    requirement: 'order.create.malformed-amount-refused',
    what: 'a source_amount_max that is no decimal number',
    attempts: notDecimalIn('source_amount_max'),
  },
  {
    id: 'number-amount',
    title: 'An order whose amount is 1000 is refused, and makes no order.',
    requirement: 'order.create.number-amount-refused',
    what: 'such an amount',
    attempts: inBothAmounts(1000),
    mayBeTaken: 'takes JSON numbers as amounts (gap money.input)',
  },
  {
    id: 'negative-amount',
    title: 'An order whose amount is "-1000.00" is refused, and makes no order.',
    requirement: 'order.create.negative-amount-refused',
    what: 'such an amount',
    attempts: inBothAmounts('-1000.00'),
    mayBeTaken: 'takes negative amounts (gap money.zero)',
  },
  {
    id: 'malformed-party',
    title: 'No order is created with a party that has not its form, and none announced.',
    requirement: 'order.create.malformed-party-refused',
    what: 'a party without its form',
    attempts: withFields([
      ['receiver_party_id', 'nobody'],
      ['receiver_party_id', 'Receiver::not-hex'],
      ['sender_custodian_party_id', 'nobody'],
      ['receiver_custodian_party_id', 'nobody'],
      ['receiver_custodian_party_id', '::'],
    ]),
  },
  {
    id: 'malformed-contract',
    title: 'No order is created with a contract that has not its form, and none announced.',
    requirement: 'order.create.malformed-contract-refused',
    what: 'a contract without its form',
    attempts: withFields(
      ['no contract', '#0', 'c0ffee', 'xyz#first', 'c0ffee#0 or so'].map((value) => [
        'source_contract_id',
        value,
      ]),
    ),
  },
  {
    id: 'malformed-signature',
    title: 'No order is created with a signature that has not its form, and none announced.',
    requirement: 'order.create.malformed-signature-refused',
    what: 'a signature without its form',
    attempts: withFields(
      ['signed, the sender', 'c0ffee, signed'].map((value) => ['intent_signature', value]),
    ),
  },
  {
    // Bodies that a lenient backend might understand. The document defines an object of strings.
    id: 'other-types',
    title: 'No order is created of a list with an order in it, nor with an object as its memo.',
    requirement: 'order.create.other-type-refused',
    what: 'an order of other types',
    attempts: (t, terms) => {
      const body = orderBody(t, terms);
      return [
        { name: 'a list around it', options: { body: [body] } },
        ...withFields([
          ['memo', { text: 'for the rent' }],
          ['source_currency', [body['source_currency']]],
        ])(t, terms),
      ];
    },
  },
  {
    // JSON without any required field of an order.
    id: 'not-an-order',
    title: 'JSON that is no object, and no body at all, is refused as a request is: with a 4xx.',
    requirement: 'error.refusal-is-4xx',
    what: 'what is no order',
    attempts: () => [
      ...['[]', 'null', '17', '"order"'].map((text) => ({ name: text, options: sentAsText(text) })),
      { name: 'no body', options: {} },
    ],
  },
];

/**
 * Unique amounts of the refused creation and of the control: a request with the first one comes from a refused
 * creation.
 */
function ownAmounts({ random }: CheckContext): readonly [refused: string, control: string] {
  const [amount, last] = [`1${random.digits(3)}.${random.digits(1)}`, random.digits(1)];
  return [`${amount}${last}`, `${amount}${last === '9' ? 8 : 9}`];
}

/** 4.2, 2.2: a malformed creation is refused and makes no order; a well-formed one is served. */
export const createErrorChecks = situations.map<Check>(
  ({ id, title, requirement, what, attempts, mayBeTaken }) => ({
    id: `order.create.${id}`,
    title,
    requirements: [
      ...new Set<RequirementId>([
        requirement,
        'error.refusal-changes-nothing',
        'error.refusal-sends-no-event',
      ]),
    ],
    needs: { parties: ['sender'] },
    takesMs: eventLatencyMs,
    async run(t) {
      const sender = t.party('sender');
      const [refused, whole] = ownAmounts(t);
      const body = orderBody(t, { target_amount: whole });
      const control = await sender.call('order.create', { body });
      if (!succeeded(control)) {
        const why = `a whole order was not created either: ${describeExchange(control)}`;
        return t.notExercised(why, [control]);
      }
      const answers: (readonly [name: string, exchange: Exchange])[] = [];
      for (const { name, options } of attempts(t, { target_amount: refused })) {
        answers.push([name, await sender.call('order.create', options)]);
      }
      // Taken in one field and refused in another answers the gap in neither way.
      if (mayBeTaken && answers.every(([, exchange]) => succeeded(exchange))) {
        return t.outOfScope(`this target ${mayBeTaken}`);
      }
      for (const [name, exchange] of answers) {
        assertRefused(t, requirement, exchange, `${what}: ${name}`);
      }
      // Rules look for an order that was made, and for a request of it to makers.
      await t.target.timeline.sleep(Math.min(eventLatencyMs, t.target.clock.maxWaitMs));
      await firstAndLastPage(t, sender, 'order.list');
    },
  }),
);
