import type { CallOptions } from '../../src/client/contract.ts';
import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertRefused,
  createOrder,
  type Fields,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  retryWhileRefused,
  targetNow,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { formatTimestamp } from '../../src/spec/forms.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { ownQuotesOf, quotesOf } from '../shared/listed-quotes.ts';
import { notDecimal, notJson, notTimestamp, sentAsText, bodyWithout } from './malformed-values.ts';
import { needsOf } from '../shared/waits.ts';

interface Malformed {
  readonly name: string;
  readonly options: CallOptions;
}

const body = (name: string, fields: Fields): Malformed => ({ name, options: { body: fields } });

const withField =
  (field: string, values: readonly unknown[]) =>
  (valid: Fields): readonly Malformed[] =>
    values.map((value) => body(JSON.stringify(value), { ...valid, [field]: value }));

/** A missing field, or an empty value that may count as missing. */
const without =
  (field: string) =>
  (valid: Fields): readonly Malformed[] => [
    body('left out', bodyWithout(valid, field)),
    ...withField(field, [null, ''])(valid),
  ];

const situations: readonly {
  readonly id: string;
  readonly requirement: RequirementId;
  readonly what: string;
  readonly maker: CastName;
  /** Maker whose quote is on the order already. */
  readonly rival?: CastName;
  /** The document leaves open if these are refused. A refusal must change nothing in any case. */
  readonly mayBeTaken?: true;
  readonly malformed: (valid: Fields, t: CheckContext) => readonly Malformed[];
}[] = [
  {
    id: 'not-json',
    requirement: 'quote.submit.not-json-refused',
    what: 'a quote that is no JSON',
    maker: 'maker_a',
    malformed: (valid) =>
      notJson(valid).map(({ name, sent }) => ({ name, options: sentAsText(sent) })),
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
    malformed: withField('target_amount', ['abc', '12.3.4', { amount: '1000.00' }]),
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
      ...['[]', 'null', '17'].map((text) => ({ name: text, options: sentAsText(text) })),
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
export const quoteErrorChecks = situations.map<Check>(
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
