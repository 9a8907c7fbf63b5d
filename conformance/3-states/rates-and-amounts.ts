import type { Check } from '../../src/suite/engine/check.ts';
import { retryWhileRefused } from '../../src/suite/actions/context.ts';
import {
  createOrder,
  paramsOf,
  type PlacedOrder,
  readOrder,
} from '../../src/suite/actions/orders.ts';
import { fieldsOf, isRefusal, succeeded, textOf } from '../../src/protocol/answers.ts';
import { quote } from '../../src/suite/actions/quotes.ts';
import {
  type LifeOptions,
  lifeRequirementsOf,
  wholeLife,
  quotesOf,
  quotesOnceListed,
  tryAccept,
  tryQuote,
} from '../shared/order-life.ts';
import { proposedOrder } from './custodians.ts';
import { needsOf, viewLagMs, waits } from '../shared/waits.ts';

/** `terms`: amount, maximum and rate. The maximum covers the cost in both rate orientations. */
type Situation = readonly [
  id: string,
  what: string,
  terms: string,
  how?: Pick<LifeOptions, 'maker' | 'acceptedBy' | 'order'>,
];

const byMakerB = { maker: 'maker_b' } as const;
const byCustodian = { acceptedBy: 'sender_custodian' } as const;
const francs = { order: { source_currency: 'GBP', target_currency: 'CHF' } };
const endless = 'at a rate by which the division does not end';
const manyDigits = 'over more digits than a float holds';

const situations: readonly Situation[] = [
  ['above-one', 'at a rate above one, written with zeros at its end', '1000.00 2000.00 1.2500'],
  ['below-one', 'at a rate below one', '640.00 2000.00 0.8'],
  ['endless-division', endless, '1000.00 5000.00 3'],
  [
    'endless-by-custodian',
    `${endless}, accepted by the sender's custodian`,
    '777.77 5000.00 0.7',
    byCustodian,
  ],
  [
    'tiny-decimals',
    'of less than a millionth, which many write with an exponent,',
    '0.0000001 1.00 1',
  ],
  [
    'rate-of-many-digits',
    'at a rate of more digits than a float holds',
    '250000000.00 9999999999999999.99 12345678.0123456789',
    byMakerB,
  ],
  ['tiny', 'of a few cents', '0.07 1.00 1'],
  ['many-digits', manyDigits, '90071992547409930.25 99071992547409930.25 1'],
  [
    'long-decimals',
    'over an amount of eight decimals',
    '1234567890.12345678 2234567890.12345678 1',
    byMakerB,
  ],
  ['long-rate', 'at a rate of ten decimals', '100000000.00 200000000.00 1.0000000123'],
  [
    'small-rate',
    'at a very small rate',
    '250000.50 99999999.99 0.00712',
    { ...byMakerB, ...byCustodian },
  ],
  ['at-the-maximum', 'that costs exactly the maximum', '1000.00 1000.0 1'],
  [
    'other-currencies',
    'between other currencies than the usual ones, over whole amounts without a point',
    '1500 4000 1.25',
    francs,
  ],
];

/** 2.3: the paid amount agrees with the quoted rate, in one orientation throughout. */
const money = situations.map<Check>(([id, what, terms, how]) => {
  const { maker = 'maker_a', acceptedBy = 'sender', order } = how ?? {};
  const [target_amount, source_amount_max, rate = '1'] = terms.split(' ');
  const fields = { ...order, target_amount, source_amount_max };
  return {
    id: `order.money.${id}`,
    title: `An order ${what} shows the quoted rate and an amount that agrees with it, and settles for it.`,
    requirements: lifeRequirementsOf(acceptedBy),
    needs: needsOf(waits.settlement, 'sender', maker, acceptedBy),
    run: (t) => wholeLife(t, { maker, rate, acceptedBy, order: fields }),
  };
});

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

/** 2: an amount is a number, however many zeros it is written with. The order's own text is the control case. */
const otherZeros: Check = {
  id: 'quote.money.other-zeros',
  title: "A quote of its order's amount is taken as well if that is written with other zeros.",
  requirements: ['access.quote.submit.market-maker-allowed'],
  needs: { parties: ['sender', 'maker_a'] },
  async run(t) {
    const order = await createOrder(t, { target_amount: '1500', source_amount_max: '3000' });
    await retryWhileRefused(t, () =>
      t.party('maker_a').call('rfq.read', { params: paramsOf(order) }),
    );
    const other = await tryQuote(t, 'maker_a', order, { amount: '1500.00' });
    if (!isRefusal(other) && !succeeded(other)) return;
    if (isRefusal(other)) await quote(t, 'maker_a', order);
    t.assert('access.quote.submit.market-maker-allowed', succeeded(other), {
      message:
        'A quote was refused that differs from one that was taken by the zeros of its amount.',
      deviation: 'refused',
      must: { answered: '2xx' },
      actual: other.response?.status,
      seen: [other],
    });
  },
};

type Excess = readonly [
  id: string,
  by: 'sender' | 'sender_custodian',
  amount: string,
  max: string,
  /** One of two rates gives the cost of the row in either rate orientation. Absent: rate 1. */
  rates?: readonly [string, string],
];

/** Quotes just above the maximum. The target's own quote shows if rounding brings the amount down to the maximum. */
const excesses: readonly Excess[] = [
  ['sender', 'sender', '1000.00', '999.99'],
  ['sender_custodian', 'sender_custodian', '1000.00', '999.99'],
  ['after-its-proposal', 'sender_custodian', '1000.00', '999.99'],
  // Equal if rounded to eight decimals.
  ['by-a-billionth', 'sender_custodian', '100.00', '99.999999999'],
  // Equal as floats.
  ['by-a-bit', 'sender', '90071992547409930.00', '90071992547409929.99'],
  // Equal if rounded to cents.
  ['by-a-tenth-of-a-cent', 'sender', '1000.00', '999.999'],
  ['by-less-than-a-cent', 'sender', '100.004', '100.00'],
  // Equal without their cents.
  ['by-some-cents', 'sender_custodian', '1000.75', '1000.00'],
  // Its other amount is below the maximum.
  ['at-its-rate', 'sender', '1000.00', '1500.00', ['2', '0.5']],
  // 150.5 and 10.004: within the maximum until they are rounded up.
  ['once-rounded-to-yen', 'sender_custodian', '100.00', '150.6', ['1.505', '0.6644518272']],
  ['once-rounded-to-cents', 'sender', '10.00', '10.0045', ['1.0004', '0.99960016']],
];

/** 2.2: no order pays more than its maximum, at whichever step a target refuses (gap `quote.above_max`). */
const aboveMaximum = excesses.map<Check>(([id, by, amount, max, rates]) => ({
  id: `order.money.above-the-maximum.${id}`,
  title: `A quote of ${amount} that ${by} accepts${rates ? ` at rate ${rates.join(' or ')}` : ''} is never what an order pays whose maximum is ${max}, where it costs more.`,
  requirements: ['order.source-amount-actual.at-most-max', 'order.failure-reason.slippage'],
  needs: needsOf(waits.settlement, 'sender', 'maker_a', by),
  async run(t) {
    const create = id === 'after-its-proposal' ? proposedOrder : createOrder;
    const yen = id === 'once-rounded-to-yen' && { source_currency: 'JPY' };
    const fields = { target_amount: amount, source_amount_max: max, ...yen };
    const quoted: { order: PlacedOrder; quoteId: string }[] = [];
    for (const rate of rates ?? ['1']) {
      const order = await create(t, fields);
      const submitted = await tryQuote(t, 'maker_a', order, { rate });
      const quoteId = textOf(fieldsOf(submitted), 'quote_id');
      if (quoteId !== undefined) quoted.push({ order, quoteId });
    }
    if (quoted.length === 0) return;
    // A quote above the maximum is listed like any other, once every backend knows it.
    await t.target.timeline.sleep(viewLagMs + 100);
    for (const { order, quoteId } of quoted) {
      for (const observer of new Set(['sender', by] as const)) await quotesOf(t, order, observer);
      await tryAccept(t, order, { quoteId }, by);
    }
    await t.target.timeline.sleep(6_000);
    for (const { order } of quoted) await readOrder(t, order);
  },
}));

export const rateAndAmountChecks: readonly Check[] = [
  ...money,
  quotesListed,
  otherZeros,
  ...aboveMaximum,
];
