import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  amountsAgree,
  createOrder,
  type Fields,
  fieldsOf,
  paramsOf,
  type PlacedOrder,
  quote,
  quoteBody,
  readOrder,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { compare, parseDecimal, equalNumbers } from '../../../src/protocol/decimal.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import { type LifeOptions, lifeRequirementsOf, assertFullLife } from '../../shared/order-life.ts';
import { proposedOrder } from '../acceptance/proposal-acceptance.ts';
import { findQuote, quotesOf, quotesOnceListed } from '../../shared/listed-quotes.ts';
import { assertReason } from '../../shared/order-assertions.ts';
import {
  tryAccept,
  type Accepter,
  each,
  viewLagMs,
  stateOf,
  waits,
} from '../../shared/order-calls.ts';

interface Deal extends LifeOptions {
  readonly id: string;
  readonly title: string;
  readonly amount: string;
  readonly max: string;
  readonly rate: string;
}

/** Whichever way a rate is meant, the maximum covers what comes of it. */
const deals: readonly Deal[] = [
  {
    id: 'above-one',
    title: 'at a rate above one, written with zeros at its end',
    amount: '1000.00',
    max: '2000.00',
    rate: '1.2500',
  },
  { id: 'below-one', title: 'at a rate below one', amount: '640.00', max: '2000.00', rate: '0.8' },
  {
    id: 'endless-division',
    title: 'at a rate by which the division does not end',
    amount: '1000.00',
    max: '5000.00',
    rate: '3',
  },
  {
    id: 'endless-by-custodian',
    title: "at a rate by which the division does not end, accepted by the sender's custodian",
    amount: '777.77',
    max: '5000.00',
    rate: '0.7',
    acceptedBy: 'sender_custodian',
  },
  {
    id: 'tiny-decimals',
    title: 'of less than a millionth, which many write with an exponent,',
    amount: '0.0000001',
    max: '1.00',
    rate: '1',
  },
  {
    id: 'rate-of-many-digits',
    title: 'at a rate of more digits than a float holds',
    amount: '250000000.00',
    max: '9999999999999999.99',
    rate: '12345678.0123456789',
    maker: 'maker_b',
  },
  { id: 'tiny', title: 'of a few cents', amount: '0.07', max: '1.00', rate: '1' },
  {
    id: 'many-digits',
    title: 'over more digits than a float holds',
    amount: '90071992547409930.25',
    max: '99071992547409930.25',
    rate: '1',
  },
  {
    id: 'long-decimals',
    title: 'over an amount of eight decimals',
    amount: '1234567890.12345678',
    max: '2234567890.12345678',
    rate: '1',
    maker: 'maker_b',
  },
  {
    id: 'long-rate',
    title: 'at a rate of ten decimals',
    amount: '100000000.00',
    max: '200000000.00',
    rate: '1.0000000123',
  },
  {
    id: 'small-rate',
    title: 'at a very small rate',
    amount: '250000.50',
    max: '99999999.99',
    rate: '0.00712',
    maker: 'maker_b',
    acceptedBy: 'sender_custodian',
  },
  {
    id: 'at-the-maximum',
    title: 'that costs exactly the maximum',
    amount: '1000.00',
    max: '1000.00',
    rate: '1',
  },
  {
    id: 'other-currencies',
    title: 'between other currencies than the usual ones, over whole amounts without a point',
    amount: '1500',
    max: '4000',
    rate: '1.25',
    order: { source_currency: 'GBP', target_currency: 'CHF' },
  },
];

const money = each(
  deals,
  ({ id, title, amount, max, rate, maker = 'maker_a', acceptedBy, order }) =>
    defineCheck({
      id: `order.money.${id}`,
      title: `An order ${title} shows the quoted rate and an amount that agrees with it, and settles for it.`,
      requirements: lifeRequirementsOf(acceptedBy),
      needs: {
        parties: ['sender', maker, ...(acceptedBy === 'sender_custodian' ? [acceptedBy] : [])],
        waitMs: waits.settlement,
      },
      run: (t) =>
        assertFullLife(t, {
          maker,
          rate,
          order: { ...order, target_amount: amount, source_amount_max: max },
          ...(acceptedBy && { acceptedBy }),
        }),
    }),
);

const listed = [
  'quote.source-amount.agrees-with-rate',
  'quote.fx-rate.as-submitted',
  'quote.intent-id.names-order',
  'quote.market-maker-party-id.is-submitter',
] as const;

/** Several makers' quotes on one order, at rates of all kinds, as the order side lists them. */
const quotesListed = defineCheck({
  id: 'quote.money.listed',
  title:
    "Quotes at several rates are listed with their makers' rates and amounts that agree with them.",
  requirements: listed,
  needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'] },
  async run(t) {
    const order = await createOrder(t, {
      target_amount: '431.57',
      source_amount_max: '9000.00',
    });
    const placed = [
      await quote(t, 'maker_a', order, { rate: '1.3' }),
      await quote(t, 'maker_b', order, { rate: '0.9173' }),
      await quote(t, 'maker_c', order, { rate: '7.00000003' }),
    ];
    const { items, exchange } = await quotesOnceListed(t, order, placed);
    for (const one of placed) {
      const item = findQuote(items, one);
      if (!item) continue;
      const agree = amountsAgree(item['fx_rate'], item['source_amount'], item['target_amount']);
      // An amount given back as it came on both sides leaves open which of the two was meant.
      if (agree !== undefined && !equalNumbers(item['source_amount'], item['target_amount'])) {
        t.assert('quote.source-amount.agrees-with-rate', agree, {
          message: 'The amounts of a quote agreed with its rate in neither orientation.',
          actual: item,
          seen: [exchange],
        });
      }
      for (const [field, wanted, requirement] of [
        ['fx_rate', one.sent['fx_rate'], 'quote.fx-rate.as-submitted'],
        ['intent_id', order.intentId, 'quote.intent-id.names-order'],
        [
          'market_maker_party_id',
          t.party(one.maker).partyId,
          'quote.market-maker-party-id.is-submitter',
        ],
      ] as const) {
        const found = item[field];
        if (found === undefined || found === null) continue;
        t.assert(requirement, equalValues(field, wanted, found), {
          message: `A listed quote of ${one.maker} showed another ${field}.`,
          expected: wanted,
          actual: found,
          seen: [exchange],
        });
      }
    }
  },
});

interface Excess {
  readonly id: string;
  readonly by: Accepter;
  readonly amount: string;
  readonly max: string;
  /** Its proposal is accepted before it is quoted. */
  readonly proposal?: 'accepted';
}

/** At rate 1: whether rounding brings an amount down to the maximum, the target's own quote tells. */
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
  // Rounded to eight decimals both are the same.
  {
    id: 'by-a-billionth',
    by: 'sender_custodian',
    amount: '100.00',
    max: '99.999999999',
  },
  // As floats both are the same.
  { id: 'by-a-bit', by: 'sender', amount: '90071992547409930.00', max: '90071992547409929.99' },
  // Rounded to cents both are the same.
  { id: 'by-a-tenth-of-a-cent', by: 'sender', amount: '1000.00', max: '999.999' },
  { id: 'by-less-than-a-cent', by: 'sender', amount: '100.004', max: '100.00' },
  // Without their cents both are the same.
  { id: 'by-some-cents', by: 'sender_custodian', amount: '1000.75', max: '1000.00' },
];

/** No order is paid above its maximum, wherever a target draws the line (gap `quote.above_max`). */
const aboveMaximum = each(excesses, ({ id, by, amount, max, proposal }) =>
  defineCheck({
    id: `order.money.above-the-maximum.${id}`,
    title: `A quote of ${amount} that ${by} accepts is never what an order pays whose maximum is ${max}.`,
    requirements: ['order.source-amount-actual.at-most-max', 'order.failure-reason.slippage'],
    needs: { parties: [...new Set(['sender', 'maker_a', by] as const)], waitMs: waits.settlement },
    async run(t) {
      const terms = { target_amount: amount, source_amount_max: max };
      const order = await (proposal ? proposedOrder : createOrder)(t, terms);
      const body = quoteBody(t, order);
      const submitted = await t
        .party('maker_a')
        .call('quote.submit', { params: paramsOf(order), body });
      const quoteId = textOf(fieldsOf(submitted), 'quote_id');
      let price: unknown;
      if (succeeded(submitted) && quoteId !== undefined) {
        // What is too dear is still a quote, and listed as one: the rules look, once every backend knows of it.
        await t.target.timeline.sleep(viewLagMs + 100);
        const { items } = await quotesOf(t, order, by);
        price = findQuote(items, { quoteId })?.['source_amount'];
        if (by !== 'sender') await quotesOf(t, order);
        await tryAccept(t, order, { quoteId }, by);
        await t.target.timeline.sleep(6_000);
      }
      const { data, exchange } = await assertWithinMaximum(t, order, price);
      if (!succeeded(submitted) || stateOf(data) !== 'FAILED') return;
      assertReason(t, 'order.failure-reason.slippage', { data, exchange }, ['SLIPPAGE']);
    },
  }),
);

/** @param price what the only quote of the order would cost, as it was listed */
async function assertWithinMaximum(
  t: CheckContext,
  order: PlacedOrder,
  price: unknown,
): Promise<{ readonly data: Fields; readonly exchange: Exchange }> {
  const requirement = 'order.source-amount-actual.at-most-max';
  const { data, exchange } = await readOrder(t, order);
  const [paid, asked, most] = [
    parseDecimal(data['source_amount_actual']),
    parseDecimal(price),
    parseDecimal(order.sent['source_amount_max']),
  ];
  if (paid && most) {
    t.assert(requirement, compare(paid, most) <= 0, {
      message: 'An order paid more than its maximum.',
      expected: `at most ${String(order.sent['source_amount_max'])}`,
      actual: data['source_amount_actual'],
      seen: [exchange],
    });
  }
  if (asked && most && compare(asked, most) > 0) {
    t.assert(requirement, stateOf(data) !== 'SETTLED', {
      message: `An order settled whose only quote, of ${String(price)}, was above its maximum.`,
      actual: data,
      seen: [exchange],
    });
  }
  return { data, exchange };
}

export const rateAndAmountChecks: readonly Check[] = [...money, quotesListed, ...aboveMaximum];
