import type { Written } from './mutation.ts';
import { items, quotesOn, without } from './tools.ts';

/** Fields of quotes, as both sides see them (2.3). */
export const quoteFieldMutations: readonly Written[] = [
  {
    id: 'maker-missing-for-custodian',
    breaks: ['quote.market-maker-party-id.present'],
    summary: 'A custodian lists quotes without their makers.',
    tamper: items('order.quotes', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'market_maker_party_id') : item,
    ),
  },
  {
    id: 'source-amount-missing-once-rejected',
    breaks: ['quote.source-amount.present'],
    summary: 'A rejected quote is listed without its source amount.',
    tamper: items('order.quotes', (item) =>
      item.status === 'REJECTED' ? without(item, 'source_amount') : item,
    ),
  },
  {
    id: 'deadline-missing-once-expired',
    breaks: ['quote.valid-until.present'],
    summary: 'An expired quote is listed without its deadline.',
    tamper: items('order.quotes', (item) =>
      item.status === 'EXPIRED' ? without(item, 'valid_until') : item,
    ),
  },
  {
    id: 'submitted-at-missing-on-second-quote',
    breaks: ['quote.submitted-at.present'],
    summary: 'Only the first quote of an order says when it was submitted.',
    tamper: items('order.quotes', (item, context) =>
      quotesOn(context, String(item.intent_id))[0]?.id === item.quote_id
        ? item
        : without(item, 'submitted_at'),
    ),
  },
  {
    id: 'quote-names-no-order',
    breaks: ['quote.intent-id.present'],
    summary: 'The quotes of an order do not repeat which order they are on.',
    tamper: items('order.quotes', (item) => without(item, 'intent_id')),
  },
  {
    id: 'own-quote-names-no-order-in-list',
    breaks: ['own-quote.intent-id.present'],
    summary: 'The list of own quotes filtered by a status does not say which request they are on.',
    tamper: items('quote.list', (item, { query }) =>
      query.status === undefined ? item : without(item, 'intent_id'),
    ),
  },
  {
    id: 'own-quote-without-status-in-answer',
    breaks: ['own-quote.status.present', 'quote.state.starts-pending'],
    summary: 'The answer to a submission has no status.',
    tamper: items('quote.submit', (item) => without(item, 'status')),
  },
  {
    id: 'own-quote-without-deadline-once-accepted',
    breaks: ['own-quote.valid-until.present'],
    summary: 'A maker sees no deadline on a quote that was accepted.',
    tamper: items(['quote.list', 'rfq.quotes'], (item) =>
      item.status === 'ACCEPTED' ? without(item, 'valid_until') : item,
    ),
  },
  {
    id: 'own-quote-without-amount-under-request',
    breaks: ['own-quote.target-amount.present'],
    summary: 'Under a request, own quotes carry no amount.',
    tamper: items('rfq.quotes', (item) => without(item, 'target_amount')),
  },
  {
    id: 'own-quote-status-active',
    breaks: ['own-quote.status.form'],
    summary: 'A maker sees a quote that can still be accepted as ACTIVE.',
    tamper: items(['quote.list', 'rfq.quotes'], (item) =>
      item.status === 'PENDING' ? { ...item, status: 'ACTIVE' } : item,
    ),
  },
  {
    id: 'lost-in-place-of-rejected',
    breaks: ['quote.status.form'],
    summary: 'A rejected quote is LOST for a custodian.',
    tamper: items('order.quotes', (item, { party }) =>
      party?.role === 'custodian' && item.status === 'REJECTED'
        ? { ...item, status: 'LOST' }
        : item,
    ),
  },
  {
    id: 'deadline-of-own-quotes-in-seconds',
    breaks: ['own-quote.valid-until.form', 'convention.timestamps'],
    summary: 'The list of own quotes writes deadlines without milliseconds.',
    tamper: items('quote.list', (item) => ({
      ...item,
      valid_until: String(item.valid_until).replace(/\.\d+Z$/, 'Z'),
    })),
  },
  {
    id: 'target-amount-with-thousands',
    breaks: ['quote.target-amount.form'],
    summary: 'Target amounts of a thousand and more are written with separators.',
    tamper: items('order.quotes', (item) => ({
      ...item,
      target_amount: String(item.target_amount).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ','),
    })),
  },
];
