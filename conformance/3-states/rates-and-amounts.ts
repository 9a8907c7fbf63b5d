import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  fieldsOf,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  textOf,
} from '../../src/suite/actions/index.ts';
import {
  type LifeOptions,
  lifeRequirementsOf,
  wholeLife,
  quotesOf,
  quotesOnceListed,
  tryAccept,
} from '../shared/order-life.ts';
import { proposedOrder } from './custodians.ts';
import { needsOf, viewLagMs, waits } from '../shared/waits.ts';

interface Situation extends LifeOptions {
  readonly id: string;
  /** Words of the title "An order ... shows the quoted rate". */
  readonly what: string;
  readonly amount: string;
  readonly max: string;
  readonly rate: string;
}

/** The maximum covers the cost in both rate orientations. */
const situations: readonly Situation[] = [
  {
    id: 'above-one',
    what: 'at a rate above one, written with zeros at its end',
    amount: '1000.00',
    max: '2000.00',
    rate: '1.2500',
  },
  { id: 'below-one', what: 'at a rate below one', amount: '640.00', max: '2000.00', rate: '0.8' },
  {
    id: 'endless-division',
    what: 'at a rate by which the division does not end',
    amount: '1000.00',
    max: '5000.00',
    rate: '3',
  },
  {
    id: 'endless-by-custodian',
    what: "at a rate by which the division does not end, accepted by the sender's custodian",
    amount: '777.77',
    max: '5000.00',
    rate: '0.7',
    acceptedBy: 'sender_custodian',
  },
  {
    id: 'tiny-decimals',
    what: 'of less than a millionth, which many write with an exponent,',
    amount: '0.0000001',
    max: '1.00',
    rate: '1',
  },
  {
    id: 'rate-of-many-digits',
    what: 'at a rate of more digits than a float holds',
    amount: '250000000.00',
    max: '9999999999999999.99',
    rate: '12345678.0123456789',
    maker: 'maker_b',
  },
  { id: 'tiny', what: 'of a few cents', amount: '0.07', max: '1.00', rate: '1' },
  {
    id: 'many-digits',
    what: 'over more digits than a float holds',
    amount: '90071992547409930.25',
    max: '99071992547409930.25',
    rate: '1',
  },
  {
    id: 'long-decimals',
    what: 'over an amount of eight decimals',
    amount: '1234567890.12345678',
    max: '2234567890.12345678',
    rate: '1',
    maker: 'maker_b',
  },
  {
    id: 'long-rate',
    what: 'at a rate of ten decimals',
    amount: '100000000.00',
    max: '200000000.00',
    rate: '1.0000000123',
  },
  {
    id: 'small-rate',
    what: 'at a very small rate',
    amount: '250000.50',
    max: '99999999.99',
    rate: '0.00712',
    maker: 'maker_b',
    acceptedBy: 'sender_custodian',
  },
  {
    id: 'at-the-maximum',
    what: 'that costs exactly the maximum',
    amount: '1000.00',
    max: '1000.00',
    rate: '1',
  },
  {
    id: 'other-currencies',
    what: 'between other currencies than the usual ones, over whole amounts without a point',
    amount: '1500',
    max: '4000',
    rate: '1.25',
    order: { source_currency: 'GBP', target_currency: 'CHF' },
  },
];

/** 2.3: the paid amount agrees with the quoted rate, in one orientation throughout. */
const money = situations.map<Check>(
  ({ id, what, amount, max, rate, maker = 'maker_a', acceptedBy = 'sender', order }) => ({
    id: `order.money.${id}`,
    title: `An order ${what} shows the quoted rate and an amount that agrees with it, and settles for it.`,
    requirements: lifeRequirementsOf(acceptedBy),
    needs: needsOf(waits.settlement, 'sender', maker, acceptedBy),
    run: (t) =>
      wholeLife(t, {
        maker,
        rate,
        acceptedBy,
        order: { ...order, target_amount: amount, source_amount_max: max },
      }),
  }),
);

/** 2.3: each listed quote shows its maker's rate, and amounts that agree with it. */
const quotesListed: Check = {
  id: 'quote.money.listed',
  title:
    "Quotes at several rates are listed with their makers' rates and amounts that agree with them.",
  requirements: [
    'quote.source-amount.agrees-with-rate',
    'quote.fx-rate.as-submitted',
    'quote.intent-id.names-order',
    'quote.market-maker-party-id.is-submitter',
  ],
  needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'] },
  async run(t) {
    const order = await createOrder(t, { target_amount: '431.57', source_amount_max: '9000.00' });
    const placed = [
      await quote(t, 'maker_a', order, { rate: '1.3' }),
      await quote(t, 'maker_b', order, { rate: '0.9173' }),
      await quote(t, 'maker_c', order, { rate: '7.00000003' }),
    ];
    await quotesOnceListed(t, order, placed);
  },
};

interface Excess {
  readonly id: string;
  readonly by: 'sender' | 'sender_custodian';
  readonly amount: string;
  readonly max: string;
  /** Two rates: one of them gives the cost of the row in either rate orientation. Absent: rate 1. */
  readonly rates?: readonly [string, string];
  readonly source_currency?: string;
  /** Its proposal is accepted before it is quoted. */
  readonly proposal?: 'accepted';
}

/** Quotes just above the maximum. The target's own quote shows if rounding brings the amount down to the maximum. */
const excesses: readonly Excess[] = [
  { id: 'sender', by: 'sender', amount: '1000.00', max: '999.99' },
  { id: 'sender_custodian', by: 'sender_custodian', amount: '1000.00', max: '999.99' },
  {
    id: 'after-its-proposal',
    by: 'sender_custodian',
    amount: '1000.00',
    max: '999.99',
    proposal: 'accepted',
  },
  // Equal if rounded to eight decimals.
  { id: 'by-a-billionth', by: 'sender_custodian', amount: '100.00', max: '99.999999999' },
  // Equal as floats.
  { id: 'by-a-bit', by: 'sender', amount: '90071992547409930.00', max: '90071992547409929.99' },
  // Equal if rounded to cents.
  { id: 'by-a-tenth-of-a-cent', by: 'sender', amount: '1000.00', max: '999.999' },
  { id: 'by-less-than-a-cent', by: 'sender', amount: '100.004', max: '100.00' },
  // Equal without their cents.
  { id: 'by-some-cents', by: 'sender_custodian', amount: '1000.75', max: '1000.00' },
  // Its other amount is below the maximum.
  { id: 'at-its-rate', by: 'sender', amount: '1000.00', max: '1500.00', rates: ['2', '0.5'] },
  // 150.5 and 10.004: within the maximum until they are rounded up.
  {
    id: 'once-rounded-to-yen',
    by: 'sender_custodian',
    amount: '100.00',
    max: '150.6',
    rates: ['1.505', '0.6644518272'],
    source_currency: 'JPY',
  },
  {
    id: 'once-rounded-to-cents',
    by: 'sender',
    amount: '10.00',
    max: '10.0045',
    rates: ['1.0004', '0.99960016'],
  },
];

/** 2.2: no order pays more than its maximum, at whichever step a target refuses (gap `quote.above_max`). */
const aboveMaximum = excesses.map<Check>((excess) => ({
  id: `order.money.above-the-maximum.${excess.id}`,
  title: `A quote of ${excess.amount} that ${excess.by} accepts${excess.rates ? ` at rate ${excess.rates.join(' or ')}` : ''} is never what an order pays whose maximum is ${excess.max}, where it costs more.`,
  requirements: ['order.source-amount-actual.at-most-max', 'order.failure-reason.slippage'],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', excess.by),
  async run(t) {
    const quoted: { order: PlacedOrder; quoteId: string }[] = [];
    for (const rate of excess.rates ?? ['1']) {
      const order = await orderOf(t, excess);
      const options = { params: paramsOf(order), body: quoteBody(t, order, { rate }) };
      const submitted = await t.party('maker_a').call('quote.submit', options);
      const quoteId = textOf(fieldsOf(submitted), 'quote_id');
      if (quoteId !== undefined) quoted.push({ order, quoteId });
    }
    if (quoted.length === 0) return;
    // A quote above the maximum is listed like any other, once every backend knows it.
    await t.target.timeline.sleep(viewLagMs + 100);
    for (const { order, quoteId } of quoted) {
      for (const observer of new Set(['sender', excess.by] as const))
        await quotesOf(t, order, observer);
      await tryAccept(t, order, { quoteId }, excess.by);
    }
    await t.target.timeline.sleep(6_000);
    for (const { order } of quoted) await readOrder(t, order);
  },
}));

/** An order on the terms of a row, in the usual currencies if it names no others. */
async function orderOf(t: CheckContext, { amount, max, source_currency, proposal }: Excess) {
  const terms = { target_amount: amount, source_amount_max: max };
  const create = proposal ? proposedOrder : createOrder;
  return create(t, { ...terms, ...(source_currency !== undefined && { source_currency }) });
}

export const rateAndAmountChecks: readonly Check[] = [...money, quotesListed, ...aboveMaximum];
