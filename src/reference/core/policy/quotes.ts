import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Reply } from '../contract.ts';
import { type Decimal, decimalOf, type MoneyFormat, sameAmount, writeAmount } from '../money.ts';
import type { Order } from '../records.ts';
import { statusOf } from './orders.ts';
import type { AcceptPolicy, MoneyPolicy, QuotePolicy, RfqPolicy } from './policy.ts';

const formats: Record<Assignment['money.format'], MoneyFormat> = {
  'minor-unit-up': { decimals: 'minor-unit', rounding: 'up', trailingZeros: 'keep' },
  '8-decimals-zeros': { decimals: 8, rounding: 'up', trailingZeros: 'keep' },
  '10-decimals-trimmed': { decimals: 10, rounding: 'up', trailingZeros: 'trim' },
  'minor-unit-half-even': { decimals: 'minor-unit', rounding: 'half-even', trailingZeros: 'keep' },
};

type Orientation = Pick<MoneyPolicy, 'cost' | 'proceeds'>;
const divided = (amount: Decimal, rate: Decimal): Decimal => amount.div(rate);
const multiplied = (amount: Decimal, rate: Decimal): Decimal => amount.times(rate);
const orientations: Record<Assignment['quote.rate_orientation'], Orientation> = {
  'target-per-source': { cost: divided, proceeds: multiplied },
  'source-per-target': { cost: multiplied, proceeds: divided },
};

export function moneyPolicy(assignment: Assignment): MoneyPolicy {
  const format = formats[assignment['money.format']];
  return {
    ...orientations[assignment['quote.rate_orientation']],
    write: (amount, minorUnits) => writeAmount(amount, format, minorUnits),
    affordable: (cost, order) => decimalOf(cost).lte(decimalOf(order.sourceAmountMax)),
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

const amountsOf: Record<Assignment['quote.target_amount'], QuotePolicy['amounts']> = {
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
    const target = money.proceeds(decimalOf(submittedAmount), decimalOf(rate));
    return {
      source: submittedAmount,
      target:
        offered === cost
          ? order.targetAmount
          : money.write(target, minorUnits(order.targetCurrency)),
    };
  },
};

const wholeAmount: Record<Assignment['quote.amount_match'], QuotePolicy['isWhole']> = {
  equal: ({ target }, order) => sameAmount(target, order.targetAmount),
  any: () => true,
};

const atSubmission = {
  'refuse-accept': 'allow',
  'refuse-submit': 'refuse',
  'fail-order': 'allow',
} as const;
const atAcceptance = {
  'refuse-accept': 'refuse',
  'refuse-submit': 'refuse',
  'fail-order': 'fail-order',
} as const;
const validities = { none: Number.POSITIVE_INFINITY, '1h': 3_600_000 } as const;
const atOrderEnd = { lapse: 'PENDING', EXPIRED: 'EXPIRED', REJECTED: 'REJECTED' } as const;

export const quotePolicy = (assignment: Assignment): QuotePolicy => ({
  submittedAs: 'PENDING',
  amounts: amountsOf[assignment['quote.target_amount']],
  isWhole: wholeAmount[assignment['quote.amount_match']],
  aboveMaximumAtSubmission: atSubmission[assignment['quote.above_max']],
  second: assignment['quote.twice'],
  alreadyExpired: assignment['quote.past_validity'],
  validBeyondOrder: assignment['quote.beyond_expiry'],
  longestValidityMs: validities[assignment['quote.max_validity']],
  unselected: (quote, selected) =>
    quote.makerPartyId === selected.makerPartyId ? assignment['quote.winner_others'] : 'REJECTED',
  selectedAs: 'ACCEPTED',
  expiredAs: 'EXPIRED',
  replacedAs: 'EXPIRED',
  pendingAtOrderEnd: atOrderEnd[assignment['quote.orphans']],
  acceptedAtOrderEnd: assignment['cancel.accepted_quote'],
});

const acceptable: Record<Assignment['proposal.effect'], (order: Order) => boolean> = {
  none: () => true,
  once: () => true,
  'opens-quoting': () => true,
  'opens-acceptance': (order) => order.proposalAccepted,
};

export function acceptPolicy(assignment: Assignment): AcceptPolicy {
  const status = statusOf(assignment['http.success_status']);
  return {
    from: ['PENDING'],
    quoteFrom: ['PENDING'],
    state: 'QUOTED',
    isOpen: acceptable[assignment['proposal.effect']],
    again: assignment['accept.again'],
    aboveMaximum: atAcceptance[assignment['quote.above_max']],
    answer: (order, by, views): Reply => ({
      ok: true,
      status,
      data: by.role === 'custodian' ? views.acceptance(order) : views.order(order),
    }),
  };
}

const announced: Record<Assignment['proposal.effect'], (order: Order) => boolean> = {
  none: () => true,
  once: () => true,
  'opens-quoting': (order) => order.proposalAccepted,
  'opens-acceptance': () => true,
};
const closedReadable = { refuse: false, read: true } as const;

export function rfqPolicy(assignment: Assignment): RfqPolicy {
  const isAnnounced = announced[assignment['proposal.effect']];
  return {
    isActive: (order) => order.status === 'PENDING' && isAnnounced(order),
    isAnnounced,
    closedReadable: closedReadable[assignment['rfq.closed']],
  };
}
