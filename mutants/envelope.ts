import { everyList } from './defects/reading.ts';
import { shifted, withoutMs } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const lengthOf = (data: unknown): number | undefined =>
  Array.isArray(data) ? data.length : undefined;

/** Part 2.1 but for pages. */
export const envelopeMutations: readonly Written[] = [
  mutation('proposal-answer-without-envelope', 'envelope.wraps-every-success')
    .also('envelope.data-present')
    .summary('The acceptance of a proposal answers with the bare order.')
    .envelopes('proposal.accept', ({ data }) => data),
  mutation('stats-of-makers-without-envelope', 'envelope.wraps-every-success')
    .also('stats.read.returns-object')
    .summary('The stats of a market maker come bare.')
    .envelopes('stats.read', (envelope, { party }) =>
      party?.role === 'market-maker' ? envelope.data : envelope,
    ),
  mutation('result-in-place-of-data', 'envelope.data-present')
    .summary('The answer to a submitted quote holds it under "quote" in place of "data".')
    .envelopes('quote.submit', ({ data, ...rest }) => ({ quote: data, ...rest })),
  mutation('no-settlements-is-null', 'envelope.data-object-or-array')
    .also('envelope.list-data-is-array', 'envelope.data-present')
    .summary('An empty list of settlements is null.')
    .setData('settlement.list', (data) => (lengthOf(data) === 0 ? null : data)),
  mutation('single-quote-is-no-list', 'envelope.list-data-is-array')
    .summary('A list of quotes with one quote in it is that quote.')
    .setData('order.quotes', (data) => (lengthOf(data) === 1 ? [data].flat()[0] : data)),
  mutation('request-read-as-list-of-one', 'envelope.item-data-is-object')
    .summary('A single request for quote comes as a list of one.')
    .setData('rfq.read', (data) => [data]),
  mutation('cancel-without-meta', 'envelope.meta-present', 'envelope.wraps-every-success')
    .summary('The answer to a cancel has no meta.')
    .envelopes('order.cancel', ({ data }) => ({ data })),
  mutation('later-pages-without-meta', 'envelope.meta-present')
    .summary('Pages after the first have no meta.')
    .envelopes(['order.list', 'quote.list', 'rfq.list'], ({ meta, ...rest }) =>
      (rest.pagination?.page ?? 1) > 1 ? rest : { ...rest, meta },
    ),
  mutation('request-list-without-pagination', 'envelope.pagination-on-lists')
    .also('maker.lists-have-pages')
    .summary("A maker's quotes under a request come without pagination.")
    .envelopes('rfq.quotes', ({ data, meta }) => ({ data, meta })),
  mutation('empty-lists-without-pagination', 'envelope.pagination-on-lists')
    .summary('An empty list of orders has no pagination.')
    .envelopes('order.list', ({ pagination, ...rest }) =>
      lengthOf(rest.data) === 0 ? rest : { ...rest, pagination },
    ),
  mutation('single-order-with-pagination', 'envelope.pagination-on-lists-only')
    .summary('An order that is read by a custodian has a pagination of one item.')
    .envelopes('order.read', (envelope, { party }) =>
      party?.role === 'custodian'
        ? { ...envelope, pagination: { page: 1, page_size: 1, total_items: 1, total_pages: 1 } }
        : envelope,
    ),
  mutation('meta-time-of-last-change', 'meta.timestamp.time-of-response')
    .summary('The time of the response of an order is that of its creation.')
    .setMeta('order.read', (_, { created_at }) => ({ timestamp: created_at })),
  mutation('meta-time-an-hour-ahead-in-lists', 'meta.timestamp.time-of-response')
    .summary('The lists of a maker carry a time in a zone one hour ahead, said to be UTC.')
    .setMeta(['quote.list', 'settlement.list'], ({ timestamp }) => ({
      timestamp: shifted(timestamp, 3_600_000),
    })),
  mutation('meta-time-in-seconds', 'meta.timestamp.form', 'convention.timestamps')
    .summary('whoami writes the time of its response without milliseconds.')
    .setMeta('identity.read', ({ timestamp }) => ({ timestamp: withoutMs(timestamp) })),
  mutation('meta-time-missing-in-token-result', 'meta.timestamp.present')
    .summary('The token result has a request id and no time.')
    .setMeta('token.create', () => ({ timestamp: undefined })),
  mutation('request-id-missing-for-posts', 'meta.request-id.present')
    .summary('A created order is answered without a request id.')
    .setMeta('order.create', () => ({ request_id: undefined })),
  mutation('request-id-a-number', 'meta.request-id.form')
    .summary('The request id of settlements is a counter.')
    .setMeta(['settlement.list', 'settlement.read'], (_meta, _data, context) => ({
      request_id: context.count('request'),
    })),
  mutation('request-id-empty-on-empty-list', 'meta.request-id.not-empty')
    .summary('An answer with an empty list has an empty request id.')
    .setMeta(everyList, (_, data) => lengthOf(data) === 0 && { request_id: '' }),
  mutation('request-id-by-order', 'meta.request-id.distinct')
    .summary('The request id of a read order is made from the order, the same for every read.')
    .setMeta('order.read', (_, { intent_id }) => ({ request_id: `order-${String(intent_id)}` })),
  mutation('accept-answers-in-a-list', 'envelope.item-data-is-object')
    .also('quote.accept.returns-order')
    .summary('The answer to an acceptance holds the order in an array.')
    .setData('quote.accept', (data, { party }) => (party?.role === 'institution' ? [data] : data)),
];
