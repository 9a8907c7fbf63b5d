import type { EndpointName } from '../src/spec/endpoints.ts';
import type { Written } from './mutation.ts';
import { answers, envelopes, type Json, shifted, without } from './tools.ts';

const everyGet: readonly EndpointName[] = [
  'identity.read',
  'stats.read',
  'order.list',
  'order.read',
  'order.quotes',
  'rfq.list',
  'rfq.read',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
  'settlement.read',
];

/** Part 2.1 but for pages. */
export const envelopeMutations: readonly Written[] = [
  {
    id: 'proposal-answer-without-envelope',
    breaks: ['envelope.wraps-every-success', 'envelope.data-present'],
    summary: 'The acceptance of a proposal answers with the bare order.',
    tamper: envelopes('proposal.accept', ({ data }) => data),
  },
  {
    id: 'stats-of-makers-without-envelope',
    breaks: ['envelope.wraps-every-success', 'stats.read.returns-object'],
    summary: 'The stats of a market maker come bare.',
    tamper: envelopes('stats.read', (envelope, { party }) =>
      party?.role === 'market-maker' ? envelope.data : envelope,
    ),
  },
  {
    id: 'result-in-place-of-data',
    breaks: ['envelope.data-present'],
    summary: 'The answer to a submitted quote holds it under "quote" in place of "data".',
    tamper: envelopes('quote.submit', ({ data, ...rest }) => ({ quote: data, ...rest })),
  },
  {
    id: 'no-settlements-is-null',
    breaks: [
      'envelope.data-object-or-array',
      'envelope.list-data-is-array',
      'envelope.data-present',
    ],
    summary: 'An empty list of settlements is null.',
    tamper: envelopes('settlement.list', ({ data, ...rest }) => ({
      data: (data as readonly unknown[]).length === 0 ? null : data,
      ...rest,
    })),
  },
  {
    id: 'single-quote-is-no-list',
    breaks: ['envelope.list-data-is-array'],
    summary: 'A list of quotes with one quote in it is that quote.',
    tamper: envelopes('order.quotes', ({ data, ...rest }) => ({
      data: (data as readonly unknown[]).length === 1 ? (data as readonly unknown[])[0] : data,
      ...rest,
    })),
  },
  {
    id: 'request-read-as-list-of-one',
    breaks: ['envelope.item-data-is-object'],
    summary: 'A single request for quote comes as a list of one.',
    tamper: envelopes('rfq.read', ({ data, ...rest }) => ({ data: [data], ...rest })),
  },
  {
    id: 'cancel-without-meta',
    breaks: ['envelope.meta-present', 'envelope.wraps-every-success'],
    summary: 'The answer to a cancel has no meta.',
    tamper: envelopes('order.cancel', ({ data }) => ({ data })),
  },
  {
    id: 'later-pages-without-meta',
    breaks: ['envelope.meta-present'],
    summary: 'Pages after the first have no meta.',
    tamper: envelopes(['order.list', 'quote.list', 'rfq.list'], ({ meta, ...rest }) =>
      (rest.pagination?.page ?? 1) > 1 ? rest : { ...rest, meta },
    ),
  },
  {
    id: 'request-list-without-pagination',
    breaks: ['envelope.pagination-on-lists', 'maker.lists-have-pages'],
    summary: "A maker's quotes under a request come without pagination.",
    tamper: envelopes('rfq.quotes', ({ data, meta }) => ({ data, meta })),
  },
  {
    id: 'empty-lists-without-pagination',
    breaks: ['envelope.pagination-on-lists'],
    summary: 'An empty list of orders has no pagination.',
    tamper: envelopes('order.list', (envelope) => {
      const { data, meta } = envelope;
      return (data as readonly unknown[]).length === 0 ? { data, meta } : envelope;
    }),
  },
  {
    id: 'single-order-with-pagination',
    breaks: ['envelope.pagination-on-lists-only'],
    summary: 'An order that is read by a custodian has a pagination of one item.',
    tamper: envelopes('order.read', (envelope, { party }) =>
      party?.role === 'custodian'
        ? { ...envelope, pagination: { page: 1, page_size: 1, total_items: 1, total_pages: 1 } }
        : envelope,
    ),
  },
  {
    id: 'meta-time-of-last-change',
    breaks: ['meta.timestamp.time-of-response'],
    summary: 'The time of the response of an order is that of its creation.',
    tamper: envelopes('order.read', ({ meta, ...rest }) => ({
      ...rest,
      meta: { ...meta, timestamp: (rest.data as Json).created_at },
    })),
  },
  {
    id: 'meta-time-an-hour-ahead-in-lists',
    breaks: ['meta.timestamp.time-of-response'],
    summary: 'The lists of a maker carry a time in a zone one hour ahead, said to be UTC.',
    tamper: envelopes(['quote.list', 'settlement.list'], ({ meta, ...rest }) => ({
      ...rest,
      meta: { ...meta, timestamp: shifted(meta.timestamp, 3_600_000) },
    })),
  },
  {
    id: 'meta-time-in-seconds',
    breaks: ['meta.timestamp.form', 'convention.timestamps'],
    summary: 'whoami writes the time of its response without milliseconds.',
    tamper: envelopes('identity.read', ({ meta, ...rest }) => ({
      ...rest,
      meta: { ...meta, timestamp: String(meta.timestamp).replace(/\.\d+Z$/, 'Z') },
    })),
  },
  {
    id: 'meta-time-missing-in-token-result',
    breaks: ['meta.timestamp.present'],
    summary: 'The token result has a request id and no time.',
    tamper: envelopes('token.create', ({ meta, ...rest }) => ({
      ...rest,
      meta: without(meta, 'timestamp'),
    })),
  },
  {
    id: 'request-id-missing-for-posts',
    breaks: ['meta.request-id.present'],
    summary: 'A created order is answered without a request id.',
    tamper: envelopes('order.create', ({ meta, ...rest }) => ({
      ...rest,
      meta: without(meta, 'request_id'),
    })),
  },
  {
    id: 'request-id-a-number',
    breaks: ['meta.request-id.form'],
    summary: 'The request id of settlements is a counter.',
    tamper: envelopes(['settlement.list', 'settlement.read'], ({ meta, ...rest }, context) => ({
      ...rest,
      meta: { ...meta, request_id: context.count('request') },
    })),
  },
  {
    id: 'request-id-empty-on-empty-list',
    breaks: ['meta.request-id.not-empty'],
    summary: 'An answer with an empty list has an empty request id.',
    tamper: envelopes(everyGet, ({ meta, ...rest }) => ({
      ...rest,
      meta: Array.isArray(rest.data) && rest.data.length === 0 ? { ...meta, request_id: '' } : meta,
    })),
  },
  {
    id: 'request-id-by-order',
    breaks: ['meta.request-id.distinct'],
    summary: 'The request id of a read order is made from the order, the same for every read.',
    tamper: envelopes('order.read', ({ meta, ...rest }) => ({
      ...rest,
      meta: { ...meta, request_id: `order-${String((rest.data as Json).intent_id)}` },
    })),
  },
  {
    id: 'accept-answers-in-a-list',
    breaks: ['envelope.item-data-is-object', 'quote.accept.returns-order'],
    summary: 'The answer to an acceptance holds the order in an array.',
    tamper: answers('quote.accept', (wire, { party }) => {
      const body = wire.body as Json | undefined;
      return wire.status < 300 && body && party?.role === 'institution'
        ? { ...wire, body: { ...body, data: [body.data] } }
        : wire;
    }),
  },
];
