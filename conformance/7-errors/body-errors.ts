import type { CallOptions } from '../../src/client/contract.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { assertRefused } from '../../src/suite/actions/refusal-assertions.ts';
import { describeExchange, type Fields, succeeded, isRefusal } from '../../src/protocol/answers.ts';
import { firstAndLastPage } from '../../src/suite/actions/find-in-list.ts';
import {
  orderBody,
  createOrder,
  paramsOf,
  type PlacedOrder,
} from '../../src/suite/actions/orders.ts';
import { quote, quoteBody } from '../../src/suite/actions/quotes.ts';
import { retryWhileRefused, targetNow } from '../../src/suite/actions/context.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { RequirementId, CastName } from '../../src/spec/requirements/index.ts';
import { eventLatencyMs } from '../shared/order-states.ts';
import { formatTimestamp } from '../../src/spec/forms.ts';
import { ownQuotesOf, quotesOf } from '../shared/order-life.ts';
import { needsOf } from '../shared/waits.ts';

/** One request that must be refused. */
interface Attempt {
  readonly name: string;
  readonly options: CallOptions;
}

export const sentAsText = (sent: string): CallOptions => ({ rawBody: sent });
const asText = (sent: string, name = sent): Attempt => ({ name, options: sentAsText(sent) });
const body = (name: string, fields: unknown): Attempt => ({ name, options: { body: fields } });

/** Bodies that are no JSON under any reading: none of them is merely a lenient dialect of it. */
function notJson(valid: Fields): readonly Attempt[] {
  const fields = Object.entries(valid).map(([name, value]) => [name, String(value)] as const);
  return [
    asText(JSON.stringify(valid).slice(0, -2), 'cut short'),
    asText('please create an order', 'prose'),
    asText('<order><target_amount>1000.00</target_amount></order>', 'markup'),
    asText(new URLSearchParams(Object.fromEntries(fields)).toString(), 'a form'),
  ];
}

/**
 * Values that are decimal numbers in no notation. Without signs, exponents, leading zeros and blanks, since the
 * admissible notation is open (gap `money.input`); without null and the empty text, which may count as a missing field.
 */
const notDecimal: readonly unknown[] = [
  'abc',
  '12.3.4',
  'NaN',
  'Infinity',
  '0x1F',
  '12abc',
  true,
  { amount: '1000.00' },
  // Some languages read a list of one text as the text.
  ['1000.00'],
];

/** Values that name no moment. A date that overflows its month is not among them: some libraries carry it over. */
const notTimestamp: readonly unknown[] = [
  'soon',
  'tomorrow at noon',
  '2031-13-01T00:00:00.000Z',
  true,
  { at: '2031-01-01T00:00:00.000Z' },
  ['2031-01-01T00:00:00.000Z'],
];

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
    values.map(([field, value]) =>
      body(JSON.stringify(value), orderBody(t, { ...terms, [field]: value })),
    );

const notDecimalIn = (field: string) => withFields(notDecimal.map((value) => [field, value]));

const inBothAmounts = (value: unknown) =>
  withFields([
    ['target_amount', value],
    ['source_amount_max', value],
  ]);

/** Values without the form of a field, by its kind. */
const formless = {
  party: [
    ['receiver_party_id', 'nobody'],
    ['receiver_party_id', 'Receiver::not-hex'],
    ['sender_custodian_party_id', 'nobody'],
    ['receiver_custodian_party_id', 'nobody'],
    ['receiver_custodian_party_id', '::'],
    ['receiver_party_id', 17],
    ['sender_custodian_party_id', 17],
  ],
  contract: ['no contract', '#0', 'c0ffee', 'xyz#first', 'c0ffee#0 or so', 17].map(
    (value) => ['source_contract_id', value] as const,
  ),
  signature: [
    ['intent_signature', 'signed, the sender'],
    ['intent_signature', 'c0ffee, signed'],
  ],
} as const;

/** Fields that are tried as a list of their value; amounts are tried as such among the malformed ones. */
const listed = ['source_currency', 'receiver_party_id', 'source_contract_id', 'intent_signature'];

const malformedOrders: readonly Situation[] = [
  {
    id: 'not-json',
    title: 'A body that is cut short, prose, markup or a form creates no order; whole, it does.',
    requirement: 'order.create.not-json-refused',
    what: 'a body that is no JSON',
    attempts: (t, terms) => notJson(orderBody(t, terms)),
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
  ...Object.entries(formless).map(([thing, values]) => ({
    id: `malformed-${thing}`,
    title: `No order is created with a ${thing} that has not its form, and none announced.`,
    requirement: `order.create.malformed-${thing as keyof typeof formless}-refused` as const,
    what: `a ${thing} without its form`,
    attempts: withFields(values),
  })),
  {
    // Bodies that a lenient backend might understand. The document defines an object of strings.
    id: 'other-types',
    title:
      'No order is created of a list with an order in it, nor with an object or a list in place of a text.',
    requirement: 'order.create.other-type-refused',
    what: 'an order of other types',
    attempts: (t, terms) => {
      const order = orderBody(t, terms);
      return [
        body('a list around it', [order]),
        ...withFields([
          ['memo', { text: 'for the rent' }],
          ...listed.map((field) => [field, [order[field]]] as const),
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
      ...['[]', 'null', '17', '"order"'].map((text) => asText(text)),
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
export const createErrorChecks = malformedOrders.map<Check>(
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

const withField =
  (field: string, values: readonly unknown[]) =>
  (valid: Fields): readonly Attempt[] =>
    values.map((value) => body(JSON.stringify(value), { ...valid, [field]: value }));

/** A missing field, or an empty value that may count as missing. */
const without =
  (field: string) =>
  (valid: Fields): readonly Attempt[] => {
    const { [field]: _, ...rest } = valid;
    return [body('left out', rest), ...withField(field, [null, ''])(valid)];
  };

const malformedQuotes: readonly {
  readonly id: string;
  readonly requirement: RequirementId;
  readonly what: string;
  readonly maker: CastName;
  /** Maker whose quote is on the order already. */
  readonly rival?: CastName;
  /** The document leaves open if these are refused. A refusal must change nothing in any case. */
  readonly mayBeTaken?: true;
  readonly malformed: (valid: Fields, t: CheckContext) => readonly Attempt[];
}[] = [
  {
    id: 'not-json',
    requirement: 'quote.submit.not-json-refused',
    what: 'a quote that is no JSON',
    maker: 'maker_a',
    malformed: notJson,
  },
  {
    id: 'malformed-rate',
    requirement: 'quote.submit.malformed-rate-refused',
    what: 'a rate that is no decimal number',
    maker: 'maker_a',
    malformed: withField('fx_rate', notDecimal),
  },
  {
    id: 'malformed-rate-beside-rival',
    requirement: 'quote.submit.malformed-rate-refused',
    what: 'a rate that is no decimal number',
    maker: 'maker_b',
    rival: 'maker_c',
    malformed: withField('fx_rate', ['one']),
  },
  {
    id: 'malformed-amount',
    requirement: 'quote.submit.malformed-amount-refused',
    what: 'an amount that is no decimal number',
    maker: 'maker_a',
    // The meaning of the amount is open (gap `quote.target_amount`), but it must be a decimal number.
    malformed: withField('target_amount', ['abc', '12.3.4', { amount: '1000.00' }, ['1000.00']]),
  },
  {
    id: 'malformed-deadline',
    requirement: 'quote.submit.malformed-deadline-refused',
    what: 'a deadline that is no moment',
    maker: 'maker_a',
    malformed: withField('valid_until', notTimestamp),
  },
  {
    id: 'missing-rate',
    requirement: 'quote.submit.missing-rate-refused',
    what: 'a quote without a rate',
    maker: 'maker_b',
    malformed: without('fx_rate'),
  },
  {
    id: 'missing-deadline',
    requirement: 'quote.submit.missing-deadline-refused',
    what: 'a quote without a deadline',
    maker: 'maker_b',
    malformed: without('valid_until'),
  },
  {
    id: 'not-a-quote',
    requirement: 'error.refusal-is-4xx',
    what: 'what is no quote',
    maker: 'maker_c',
    malformed: () => [
      ...['[]', 'null', '17'].map((text) => asText(text)),
      { name: 'no body', options: {} },
      body('an empty object', {}),
    ],
  },
  {
    // Gap `quote.past_validity`.
    id: 'where-refused.past-deadline',
    requirement: 'error.refusal-changes-nothing',
    what: 'a deadline that has passed',
    maker: 'maker_a',
    mayBeTaken: true,
    malformed: (valid, t) => {
      const passed = formatTimestamp(Math.floor(targetNow(t).earliest) - 60_000);
      return withField('valid_until', [passed])(valid);
    },
  },
  {
    // Gap `quote.amount_match`.
    id: 'where-refused.other-amount',
    requirement: 'error.refusal-changes-nothing',
    what: "another amount than the order's",
    maker: 'maker_a',
    mayBeTaken: true,
    malformed: withField('target_amount', ['1234.56']),
  },
];

/** Reads the quotes of an order and those of one maker on it: rules look for a refused one among them. */
async function readQuotes(t: CheckContext, order: PlacedOrder, maker: CastName): Promise<void> {
  await quotesOf(t, order);
  await ownQuotesOf(t, order, maker);
}

/** 4.4, 2.3: a malformed quote is refused, appears nowhere and sends no event; a well-formed one is taken. */
export const quoteErrorChecks = malformedQuotes.map<Check>(
  ({ id, requirement, what, maker, rival, mayBeTaken, malformed }) => ({
    id: `quote.submit.${id}`,
    title: `A maker that sends ${what} is refused, nothing stands and no event comes; whole, the quote is taken.`,
    requirements: [
      ...new Set<RequirementId>([
        requirement,
        'error.refusal-changes-nothing',
        'error.refusal-sends-no-event',
      ]),
    ],
    needs: needsOf(3_000, 'sender', maker, ...(rival ? [rival] : [])),
    async run(t) {
      const order = await createOrder(t);
      if (rival) await quote(t, rival, order);
      const params = paramsOf(order);
      const party = t.party(maker);
      // The request may reach this maker a moment later: that must not be the reason of the refusal.
      await retryWhileRefused(t, () => party.call('rfq.read', { params }));
      const answers: (readonly [name: string, exchange: Exchange])[] = [];
      for (const { name, options } of malformed(quoteBody(t, order), t)) {
        const exchange = await party.call('quote.submit', { ...options, params });
        if (mayBeTaken && !isRefusal(exchange))
          return t.outOfScope(`${what} is no reason here to refuse a quote`);
        // A refusal counts once the whole quote was taken.
        if (isRefusal(exchange)) answers.push([name, exchange]);
        else assertRefused(t, requirement, exchange, `${what}: ${name}`);
      }
      await readQuotes(t, order, maker);
      await quote(t, maker, order);
      for (const [name, exchange] of mayBeTaken ? [] : answers) {
        assertRefused(t, requirement, exchange, `${what}: ${name}`);
      }
      await t.target.timeline.sleep(3_000);
      await readQuotes(t, order, maker);
    },
  }),
);
