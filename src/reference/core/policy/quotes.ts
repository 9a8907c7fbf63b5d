import type { Assignment } from '../../../spec/gaps/index.ts';
import type { OrderState, QuoteState } from '../../../spec/vocabulary.ts';
import type { PartyRecord, Reply } from '../contract.ts';
import { type Decimal, decimalOf, type MoneyFormat, sameAmount, writeAmount } from '../money.ts';
import type { Order, Quote } from '../records.ts';
import type { ViewPolicy } from './views.ts';

const formats: Record<Assignment['money.format'], MoneyFormat> = {
  'minor-unit-up': { decimals: 'minor-unit', rounding: 'up', trailingZeros: 'keep' },
  '8-decimals-zeros': { decimals: 8, rounding: 'up', trailingZeros: 'keep' },
  '10-decimals-trimmed': { decimals: 10, rounding: 'up', trailingZeros: 'trim' },
  'minor-unit-half-even': { decimals: 'minor-unit', rounding: 'half-even', trailingZeros: 'keep' },
};

const divided = (amount: Decimal, rate: Decimal): Decimal => amount.div(rate);
const multiplied = (amount: Decimal, rate: Decimal): Decimal => amount.times(rate);
/** `cost`: source amount that a target amount costs. `proceeds`: target amount that a source amount buys. Not rounded. */
const orientations = {
  'target-per-source': { cost: divided, proceeds: multiplied },
  'source-per-target': { cost: multiplied, proceeds: divided },
};

export type MoneyPolicy = ReturnType<typeof moneyPolicy>;

export function moneyPolicy(assignment: Assignment) {
  const format = formats[assignment['money.format']];
  return {
    ...orientations[assignment['quote.rate_orientation']],
    write: (amount: Decimal, minorUnits: number): string => writeAmount(amount, format, minorUnits),
    /** True if the sender would pay the cost: it is within the order's maximum. */
    affordable: (cost: string, order: Order): boolean =>
      decimalOf(cost).lte(decimalOf(order.sourceAmountMax)),
  };
}

/** Source amount that a target amount costs, rounded as the sender would pay it. */
export const costIn = (
  currency: string,
  target: string,
  rate: string,
  minorUnits: (currency: string) => number,
  money: MoneyPolicy,
): string => money.write(money.cost(decimalOf(target), decimalOf(rate)), minorUnits(currency));

type Amounts = Readonly<Record<'source' | 'target', string>>;

/** Both amounts of a quote, from the amount submitted with it. `cost`: cost of the whole order at its rate. */
type AmountsOf = (
  request: { readonly rate: string; readonly submittedAmount: string },
  order: Order,
  cost: string,
  minorUnits: (currency: string) => number,
  money: MoneyPolicy,
) => Amounts;
const amountsOf: Record<Assignment['quote.target_amount'], AmountsOf> = {
  target: ({ rate, submittedAmount }, order, cost, minorUnits, money) => ({
    source:
      submittedAmount === order.targetAmount
        ? cost
        : costIn(order.sourceCurrency, submittedAmount, rate, minorUnits, money),
    target: submittedAmount,
  }),
  source: ({ rate, submittedAmount }, order, cost, minorUnits, money) => {
    // A rounded source amount does not convert back to the exact target amount: it means the order's own.
    const offered = money.write(decimalOf(submittedAmount), minorUnits(order.sourceCurrency));
    if (offered === cost) return { source: submittedAmount, target: order.targetAmount };
    const target = money.proceeds(decimalOf(submittedAmount), decimalOf(rate));
    return {
      source: submittedAmount,
      target: money.write(target, minorUnits(order.targetCurrency)),
    };
  },
};

/** True if the quote offers the whole amount of its order. */
type IsWhole = (quote: Amounts, order: Order) => boolean;
const wholeAmount: Record<Assignment['quote.amount_match'], IsWhole> = {
  equal: ({ target }, order) => sameAmount(target, order.targetAmount),
  any: () => true,
};

const validities = { none: Number.POSITIVE_INFINITY, '1h': 3_600_000 };
const atOrderEnd = { lapse: 'PENDING', EXPIRED: 'EXPIRED', REJECTED: 'REJECTED' } as const;
const refuseIf = (isRefused: boolean) => (isRefused ? 'refuse' : 'allow');

/** Admissible quotes, and the states of quotes (2.3, 3.2). */
export const quotePolicy = (assignment: Assignment) => ({
  submittedAs: 'PENDING' as QuoteState,
  amounts: amountsOf[assignment['quote.target_amount']],
  isWhole: wholeAmount[assignment['quote.amount_match']],
  aboveMaximumAtSubmission: refuseIf(assignment['quote.above_max'] === 'refuse-submit'),
  second: assignment['quote.twice'],
  alreadyExpired: assignment['quote.past_validity'],
  validBeyondOrder: assignment['quote.beyond_expiry'],
  longestValidityMs: validities[assignment['quote.max_validity']],
  /** New state of another pending quote when one is selected. */
  unselected: (quote: Quote, selected: Quote): QuoteState =>
    quote.makerPartyId === selected.makerPartyId ? assignment['quote.winner_others'] : 'REJECTED',
  selectedAs: 'ACCEPTED' as QuoteState,
  expiredAs: 'EXPIRED' as QuoteState,
  replacedAs: 'EXPIRED' as QuoteState,
  /** State of pending quotes after their order ends without settlement. */
  pendingAtOrderEnd: atOrderEnd[assignment['quote.orphans']] as QuoteState,
  /** State of the accepted quote after its order ends before the settlement starts. */
  acceptedAtOrderEnd: assignment['cancel.accepted_quote'] as QuoteState,
});

/** Accepting a quote (3.1, 4.2, 4.3). */
export function acceptPolicy(assignment: Assignment) {
  const status = Number(assignment['http.success_status']);
  const effect = assignment['proposal.effect'];
  const aboveMaximum = assignment['quote.above_max'];
  return {
    from: ['PENDING'] as readonly OrderState[],
    quoteFrom: ['PENDING'] as readonly QuoteState[],
    state: 'QUOTED' as OrderState,
    /** True if quotes on the order can be accepted already. */
    isOpen: (order: Order): boolean => effect !== 'opens-acceptance' || order.proposalAccepted,
    again: assignment['accept.again'],
    aboveMaximum: aboveMaximum === 'fail-order' ? aboveMaximum : ('refuse' as const),
    answer: (order: Order, by: PartyRecord, views: ViewPolicy): Reply => ({
      ok: true,
      status,
      data: by.role === 'custodian' ? views.acceptance(order) : views.order(order),
    }),
  };
}

/** Requests for quote that makers see (2.4, 4.4). */
export function rfqPolicy(assignment: Assignment) {
  const effect = assignment['proposal.effect'];
  /** True if the request was ever announced to makers. */
  const isAnnounced = (order: Order): boolean =>
    effect !== 'opens-quoting' || order.proposalAccepted;
  return {
    isActive: (order: Order): boolean => order.status === 'PENDING' && isAnnounced(order),
    isAnnounced,
    closedReadable: assignment['rfq.closed'] === 'read',
  };
}
