import { ordersOf, quotesOf } from '../src/reference/core/index.ts';
import { orderAnswers, ordersBy, senderOf, viewsOf } from './defects/reading.ts';
import { cut, isObject } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const hex = /^(0x)?[0-9a-f]+$/i;
const decimal = /^\d+(\.\d+)?$/;

/** Defects in ordinary requests that hardly any example shows (3.1, 4 and 7). */
export const everydayRequests: readonly Written[] = [
  mutation('signatures-of-any-shape', 'order.create.malformed-signature-refused')
    .summary('The signature of an order may be any text.')
    .setBody('order.create', ({ intent_signature: signature }) => {
      const isOther = typeof signature === 'string' && !hex.test(signature);
      return isOther && { intent_signature: '00' };
    }),
  mutation('memo-of-any-type', 'order.create.other-type-refused')
    .summary('A memo that is an object is kept as its JSON.')
    .setBody('order.create', ({ memo }) => isObject(memo) && { memo: JSON.stringify(memo) }),
  mutation('unreadable-quote-amount-is-the-order-s', 'quote.submit.malformed-amount-refused')
    .summary("A quote whose amount cannot be read is for the order's.")
    .setBody('quote.submit', ({ target_amount: sent }, { order }) => {
      const isOther = typeof sent === 'string' && !decimal.test(sent);
      return order && isOther && { target_amount: order.targetAmount };
    }),
  mutation('empty-rate-means-one', 'quote.submit.missing-rate-refused')
    .summary('A rate that is an empty text means one.')
    .setBody('quote.submit', ({ fx_rate: rate }) => rate === '' && { fx_rate: '1' }),
  mutation('whole-amounts-are-cents-in-lists', 'order.target-amount.echo')
    .summary('Lists take an amount without a point for one in cents.')
    .set('order.list', (_, { order }) => {
      const { targetAmount: amount = '.' } = order ?? {};
      const cents = `${amount.slice(0, -2) || '0'}.${amount.slice(-2)}`;
      return !amount.includes('.') && { target_amount: cents };
    }),
  mutation('zeros-at-the-end-of-a-rate-as-exponent', 'own-quote.fx-rate.form')
    .also('convention.amounts-as-strings')
    .summary('A rate with zeros at its end is given back in exponent form.')
    .change('quote.submit', 'fx_rate', (rate) => (/\.\d*0$/.test(rate) ? `${rate}e0` : rate)),
  mutation('accepted-rate-with-eight-decimals', 'order.fx-rate.of-accepted-quote')
    .summary('An order keeps eight decimals of the rate of its accepted quote.')
    .change(orderAnswers, 'fx_rate', (value) => cut(value, 8)),
  mutation('memo-of-digits-is-a-number', 'order.memo.echo')
    .summary('A memo of digits is stored as a number, and loses the zeros it begins with.')
    .change(orderAnswers, 'memo', (memo) => memo.replace(/^0+(?=\d+$)/, '')),
  mutation('apostrophes-of-a-memo-doubled', 'order.memo.echo')
    .summary('Each apostrophe of a memo is read back as two.')
    .change(orderAnswers, 'memo', (memo) => memo.replaceAll("'", "''")),
  mutation('no-memo-is-the-last-one', 'order.memo.echo')
    .summary('An order that was created without a memo shows that of the order before it.')
    .set(['order.read', 'order.create'], ({ memo, sender_party_id: sender }, context) => {
      const last = ordersBy(context, sender).findLast((order) => order.memo !== undefined);
      return typeof memo !== 'string' && last && { memo: last.memo };
    }),
  mutation('requests-without-a-memo-not-listed', 'rfq.list.holds-new-request')
    .summary('Requests of orders without a memo are on no list.')
    .lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter(({ memo, status }) => memo !== undefined && status === 'PENDING')
        .map(viewsOf(context).rfqItem),
    ),
  mutation('no-cancel-without-a-memo', 'order.cancel.pending')
    .summary('An order without a memo cannot be cancelled.')
    .lost('order.cancel', ({ order }) => order && order.memo === undefined),
  mutation('unknown-order-shows-other-quotes', 'order.quotes.unknown-refused')
    .summary('The quotes of an order that does not exist are those of the last one that does.')
    .requests('order.quotes', (request, { order, state }) => {
      const last = ordersOf(state).findLast(({ id }) => quotesOf(state, id).length > 0);
      const isElsewhere = !order && last;
      return isElsewhere && { ...request, caller: senderOf(last), params: { intent_id: last.id } };
    }),
  mutation('quoted-orders-cannot-be-cancelled', 'order.cancel.pending-with-quotes')
    .summary('A pending order that has two quotes or more cannot be cancelled.')
    .ignored('order.cancel', ({ quotes }) => quotes.length >= 2),
  mutation('sender-custodian-kept-from-orders', 'order.read.by-sender-custodian')
    .summary('An order can be read by its sender and the custodian of its receiver only.')
    .allow('order.read', 'sender', 'receiver-custodian'),
  mutation('execution-never-shown', 'order.state.quoted-to-executing')
    .summary('An order is shown as QUOTED until it has settled.')
    .showOrders((order) => order.status === 'EXECUTING' && { status: 'QUOTED' }),
];
