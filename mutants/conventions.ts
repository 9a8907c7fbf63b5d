import type { Written } from './mutation.ts';
import { answers, envelopes, items, type Json, orderAnswers, orderIn, payloads } from './tools.ts';

const wholeSecond = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/;

const shortened = (item: Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(wholeSecond, '$1Z') : value,
    ]),
  );

/** The preface, and the conventions of part 2. */
export const conventions: readonly Written[] = [
  {
    id: 'cancel-answers-in-plain-text',
    breaks: ['body.json', 'envelope.wraps-every-success'],
    summary: 'A cancel is answered with the word OK in place of JSON.',
    tamper: answers('order.cancel', (wire) =>
      wire.status < 300
        ? { ...wire, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'OK' }
        : wire,
    ),
  },
  {
    id: 'settlement-list-announced-as-text',
    breaks: ['body.content-type'],
    summary: 'The list of settlements is JSON that is announced as plain text.',
    tamper: answers('settlement.list', (wire) => ({
      ...wire,
      headers: { ...wire.headers, 'content-type': 'text/plain; charset=utf-8' },
    })),
  },
  {
    id: 'whole-seconds-lose-their-milliseconds',
    breaks: ['convention.timestamps'],
    summary: 'A moment on a whole second is written without its milliseconds in lists of orders.',
    tamper: items('order.list', shortened),
  },
  {
    id: 'lists-of-orders-timed-to-the-second',
    breaks: ['convention.timestamps'],
    summary:
      'The time of a list of orders is cut to its second, and has no milliseconds but zeros.',
    tamper: envelopes('order.list', ({ meta, ...rest }) => ({
      ...rest,
      meta: { ...meta, timestamp: String(meta.timestamp).replace(/\.\d+Z$/, '.000Z') },
    })),
  },
  {
    id: 'submitted-at-cut-to-the-second',
    breaks: ['convention.timestamps'],
    summary: 'When a quote was submitted is told without its milliseconds.',
    tamper: items('quote.submit', (item) => ({
      ...item,
      submitted_at: String(item.submitted_at).replace(/\.\d+Z$/, '.000Z'),
    })),
  },
  {
    id: 'accepted-at-in-microseconds-for-custodian',
    breaks: ['custodian-acceptance.quote-accepted-at.form', 'convention.timestamps'],
    summary: 'The answer to an acceptance by the custodian has six digits of a second.',
    tamper: items('quote.accept', (item, { party }) =>
      party?.role === 'custodian'
        ? { ...item, quote_accepted_at: String(item.quote_accepted_at).replace('Z', '000Z') }
        : item,
    ),
  },
  {
    id: 'event-times-as-epoch',
    breaks: ['convention.timestamps'],
    summary: 'order_updated of a settled order gives its settled_at as a number of milliseconds.',
    tamper: payloads('order_updated', (data) =>
      typeof data.settled_at === 'string'
        ? { ...data, settled_at: Date.parse(data.settled_at) }
        : data,
    ),
  },
  {
    id: 'whole-source-amount-as-number',
    breaks: ['quote.source-amount.form', 'convention.amounts-as-strings'],
    summary: 'A source amount without a fraction is a JSON number in the quotes of an order.',
    tamper: items('order.quotes', (item) =>
      /\.0*$/.test(String(item.source_amount)) || /^\d+$/.test(String(item.source_amount))
        ? { ...item, source_amount: Math.trunc(Number(item.source_amount)) }
        : item,
    ),
  },
  {
    id: 'rate-as-number-when-settled',
    breaks: ['order.fx-rate.form', 'convention.amounts-as-strings'],
    summary: 'The rate of an order is a JSON number once the order has settled.',
    tamper: items(['order.read', 'order.list'], (item) =>
      item.status === 'SETTLED' ? { ...item, fx_rate: +String(item.fx_rate) } : item,
    ),
  },
  {
    id: 'small-rates-in-exponent-form',
    breaks: ['own-quote.fx-rate.form'],
    summary: 'A rate below a hundredth is written in exponent form in the answer to a submission.',
    tamper: items('quote.submit', (item) =>
      String(item.fx_rate).startsWith('0.00')
        ? { ...item, fx_rate: (+String(item.fx_rate)).toExponential() }
        : item,
    ),
  },
  {
    id: 'quote-id-without-hyphens-in-settlements',
    breaks: ['settlement.quote-id.form', 'convention.ids-are-uuids'],
    summary: 'The list of settlements writes the quote without the hyphens of its id.',
    tamper: items('settlement.list', (item) => ({
      ...item,
      quote_id: String(item.quote_id).replaceAll('-', ''),
    })),
  },
  {
    id: 'winner-by-name-alone',
    breaks: ['order.market-maker-party-id.form', 'convention.parties'],
    summary: 'An order in execution shows the name of its market maker without the namespace.',
    tamper: items(orderAnswers, (item) =>
      item.status === 'EXECUTING'
        ? { ...item, market_maker_party_id: String(item.market_maker_party_id).split('::')[0] }
        : item,
    ),
  },
  {
    id: 'currency-empty-for-custodian',
    breaks: ['order.source-currency.form', 'convention.currencies'],
    summary: "A custodian's list shows an empty source currency once the order has left PENDING.",
    tamper: items('order.list', (item, context) =>
      context.party?.role === 'custodian' && orderIn(context, item)?.status !== 'PENDING'
        ? { ...item, source_currency: '' }
        : item,
    ),
  },
];
