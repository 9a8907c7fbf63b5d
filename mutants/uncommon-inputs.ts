import { ordersOf } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import {
  items,
  type Json,
  lists,
  orderAnswers,
  orderIn,
  ordersBy,
  requests,
  viewsOf,
} from './tools.ts';

const atRate = (item: Json, change: (rate: string) => string): Json =>
  typeof item.fx_rate === 'string' ? { ...item, fx_rate: change(item.fx_rate) } : item;

/** What goes wrong with input that everybody may send and hardly any example shows. */
export const plainInputMutations: readonly Written[] = [
  {
    id: 'whole-amounts-are-cents-in-lists',
    breaks: ['order.target-amount.echo'],
    summary: 'Lists take an amount without a point for one in cents.',
    tamper: items('order.list', (item, context) => {
      const amount = orderIn(context, item)?.targetAmount;
      return amount !== undefined && !amount.includes('.')
        ? { ...item, target_amount: `${amount.slice(0, -2) || '0'}.${amount.slice(-2)}` }
        : item;
    }),
  },
  {
    id: 'zeros-at-the-end-of-a-rate-as-exponent',
    breaks: ['own-quote.fx-rate.form', 'convention.amounts-as-strings'],
    summary: 'A rate with zeros at its end is given back in exponent form.',
    tamper: items('quote.submit', (item) =>
      atRate(item, (rate) => (/\.\d*0$/.test(rate) ? `${rate}e0` : rate)),
    ),
  },
  {
    id: 'accepted-rate-with-eight-decimals',
    breaks: ['order.fx-rate.of-accepted-quote'],
    summary: 'An order keeps eight decimals of the rate of its accepted quote.',
    tamper: items(orderAnswers, (item) =>
      atRate(item, (rate) => rate.replace(/(\.\d{8})\d+$/, '$1')),
    ),
  },
  {
    id: 'memo-of-digits-is-a-number',
    breaks: ['order.memo.echo'],
    summary: 'A memo of digits is stored as a number, and loses the zeros it begins with.',
    tamper: items(orderAnswers, (item) =>
      /^0\d+$/.test(String(item.memo))
        ? { ...item, memo: String(item.memo).replace(/^0+/, '') }
        : item,
    ),
  },
  {
    id: 'apostrophes-of-a-memo-doubled',
    breaks: ['order.memo.echo'],
    summary: 'Each apostrophe of a memo is read back as two.',
    tamper: items(orderAnswers, (item) =>
      typeof item.memo === 'string' ? { ...item, memo: item.memo.replaceAll("'", "''") } : item,
    ),
  },
  {
    id: 'no-memo-is-the-last-one',
    breaks: ['order.memo.echo'],
    summary: 'An order that was created without a memo shows that of the order before it.',
    tamper: items(['order.read', 'order.create'], (item, context) => {
      if (typeof item.memo === 'string') return item;
      const before = ordersBy(context, String(item.sender_party_id)).filter(
        ({ memo }) => memo !== undefined,
      );
      const last = before.at(-1);
      return last ? { ...item, memo: last.memo } : item;
    }),
  },
  {
    id: 'requests-without-a-memo-not-listed',
    breaks: ['rfq.list.holds-new-request'],
    summary: 'Requests of orders without a memo are on no list.',
    tamper: lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter((order) => order.memo !== undefined && order.status === 'PENDING')
        .map((order) => viewsOf(context).rfqItem(order)),
    ),
  },
  {
    id: 'no-cancel-without-a-memo',
    breaks: ['order.cancel.pending'],
    summary: 'An order without a memo cannot be cancelled.',
    tamper: requests('order.cancel', (request, context) => {
      const order = ordersOf(context.state).find(({ id }) => id === request.params.intent_id);
      return order && order.memo === undefined ? { ...request, params: {} } : undefined;
    }),
  },
];
