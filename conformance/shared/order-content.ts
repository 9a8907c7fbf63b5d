import type { CheckContext } from '../../src/suite/engine/check.ts';
import { type Fields, isRefusal } from '../../src/protocol/answers.ts';
import { orderBody, type PlacedOrder, placedOrder } from '../../src/suite/actions/orders.ts';
import type { Exchange } from '../../src/history/records.ts';

/** The currencies of an order and the size of its amounts. Yen have no minor unit. */
export interface Money {
  readonly currencies: 'usual' | 'to-yen' | 'from-yen';
  readonly size: 'usual' | 'small' | 'large';
}

const amounts = {
  usual: { target_amount: '150000.00', source_amount_max: '300000.00' },
  small: { target_amount: '0.75', source_amount_max: '1.50' },
  large: { target_amount: '25000000.00', source_amount_max: '50000000.00' },
} as const;

const inYen = {
  usual: { target_amount: '150000', source_amount_max: '300000.00' },
  small: { target_amount: '75', source_amount_max: '150.00' },
  large: { target_amount: '25000000', source_amount_max: '50000000.00' },
} as const;

/** Fields of an order: whole amounts on the side of the yen. */
export function moneyOf({ currencies, size }: Money): Fields {
  if (currencies === 'usual') return amounts[size];
  if (currencies === 'to-yen')
    return { ...inYen[size], source_currency: 'USD', target_currency: 'JPY' };
  const { target_amount, source_amount_max } = inYen[size];
  return {
    target_amount: `${target_amount}.00`,
    source_amount_max: source_amount_max.replace('.00', ''),
    source_currency: 'JPY',
    target_currency: 'EUR',
  };
}

export interface Content {
  readonly creator: 'sender' | 'outsider';
  readonly money: Money;
  /** Fields that the order has in any case. */
  readonly fields?: Fields;
  readonly memo?: 'some' | 'none';
}

export interface Created {
  readonly order: PlacedOrder;
  /** The refusal of an order with this content, if the target takes it only with usual content. */
  readonly refused?: Exchange;
}

/** Creates an order with this content; with usual content if the target refuses it. */
export async function createWith(
  t: CheckContext,
  { creator, money, fields = {}, memo = 'some' }: Content,
): Promise<Created> {
  const body = orderBody(t, { ...moneyOf(money), ...fields }, creator);
  const { memo: _, ...bare } = body;
  const wanted = memo === 'none' ? bare : body;
  const first = await t.party(creator).call('order.create', { body: wanted });
  const plain = orderBody(t, fields, creator);
  const exchange = isRefusal(first)
    ? await t.party(creator).call('order.create', { body: plain })
    : first;
  const order = placedOrder(creator, exchange === first ? wanted : plain, exchange);
  if (!order) return t.notExercised('the order was not created', [first, exchange]);
  return { order, ...(exchange !== first && { refused: first }) };
}

/** The rules have judged that order's life; it was not the one of the title. */
export const otherContent = 'an order of these currencies, amounts and memo was refused';
