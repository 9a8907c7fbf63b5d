import { byCustodian } from './defects/callers.ts';
import { statusIs } from './defects/conditions.ts';
import { orderAnswers, orderReads } from './defects/reading.ts';
import { type Json, momentOf } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const wholeSecond = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/;

const shortened = (item: Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(wholeSecond, '$1Z') : value,
    ]),
  );

const plainText = { 'content-type': 'text/plain; charset=utf-8' };

/** The preface, and the conventions of part 2. */
export const conventions: readonly Written[] = [
  mutation('cancel-answers-in-plain-text', 'body.json', 'envelope.wraps-every-success')
    .summary('A cancel is answered with the word OK in place of JSON.')
    .setAnswer('order.cancel', ({ status }) => status < 300 && { headers: plainText, body: 'OK' }),
  mutation('settlement-list-announced-as-text', 'body.content-type')
    .summary('The list of settlements is JSON that is announced as plain text.')
    .setAnswer('settlement.list', ({ headers }) => ({ headers: { ...headers, ...plainText } })),
  mutation('whole-seconds-lose-their-milliseconds', 'convention.timestamps')
    .summary('A moment on a whole second is written without its milliseconds in lists of orders.')
    .items('order.list', shortened),
  mutation('lists-of-orders-timed-to-the-second', 'convention.timestamps')
    .summary('The time of a list of orders is cut to its second: its milliseconds are zeros.')
    .setMeta('order.list', ({ timestamp }) => ({
      timestamp: String(timestamp).replace(/\.\d+Z$/, '.000Z'),
    })),
  mutation('submitted-at-cut-to-the-second', 'convention.timestamps')
    .summary('When a quote was submitted is told without its milliseconds.')
    .change('quote.submit', 'submitted_at', (value) => value.replace(/\.\d+Z$/, '.000Z')),
  mutation(
    'accepted-at-in-microseconds-for-custodian',
    'custodian-acceptance.quote-accepted-at.form',
  )
    .also('convention.timestamps')
    .summary('The answer to an acceptance by the custodian has six digits of a second.')
    .when(byCustodian)
    .change('quote.accept', 'quote_accepted_at', (value) => value.replace('Z', '000Z')),
  mutation('event-times-as-epoch', 'convention.timestamps')
    .summary('order_updated of a settled order gives its settled_at as a number of milliseconds.')
    .setPayload('order_updated', ({ settled_at: at }) =>
      at ? { settled_at: momentOf(at) } : false,
    ),
  mutation('whole-source-amount-as-number', 'quote.source-amount.form')
    .also('convention.amounts-as-strings')
    .summary('A source amount without a fraction is a JSON number in the quotes of an order.')
    .set('order.quotes', ({ source_amount: amount }) => {
      return /^\d+(\.0*)?$/.test(String(amount)) && { source_amount: Math.trunc(+String(amount)) };
    }),
  mutation('rate-as-number-when-settled', 'order.fx-rate.form', 'convention.amounts-as-strings')
    .summary('The rate of an order is a JSON number once the order has settled.')
    .when(statusIs('SETTLED'))
    .change(orderReads, 'fx_rate', Number),
  mutation('small-rates-in-exponent-form', 'own-quote.fx-rate.form')
    .summary('A rate below a hundredth is written in exponent form in the answer to a submission.')
    .change('quote.submit', 'fx_rate', (rate) => {
      return rate.startsWith('0.00') ? (+rate).toExponential() : rate;
    }),
  mutation('quote-id-without-hyphens-in-settlements', 'settlement.quote-id.form')
    .also('convention.ids-are-uuids')
    .summary('The list of settlements writes the quote without the hyphens of its id.')
    .change('settlement.list', 'quote_id', (value) => value.replaceAll('-', '')),
  mutation('winner-by-name-alone', 'order.market-maker-party-id.form', 'convention.parties')
    .summary('An order in execution shows the name of its market maker without the namespace.')
    .when(statusIs('EXECUTING'))
    .change(orderAnswers, 'market_maker_party_id', (value) => value.split('::')[0]),
  mutation('currency-empty-for-custodian', 'order.source-currency.form', 'convention.currencies')
    .summary("A custodian's list shows an empty source currency once the order has left PENDING.")
    .when(byCustodian, (_, { order }) => order?.status !== 'PENDING')
    .set('order.list', { source_currency: '' }),
];
