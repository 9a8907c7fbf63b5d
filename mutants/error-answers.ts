import type { ResponseContext, WireAnswer } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { answers, items, type Json, orderIn, requests, rules } from './tools.ts';

/** A fault of the server in place of some answers. */
const is500 = (
  where: Parameters<typeof answers>[0],
  when: (wire: WireAnswer, context: ResponseContext) => boolean,
): Written['tamper'] =>
  answers(where, (wire, context) => (when(wire, context) ? { ...wire, status: 500 } : wire));

const isNoId = (text: string | undefined): boolean => !/^[0-9a-f-]{36}$/i.test(text ?? '');

/** Refusals (part 7), and the limits (part 8). */
export const errorMutations: readonly Written[] = [
  {
    id: 'refused-cancel-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'Cancelling an order that has ended is a fault of the server.',
    tamper: is500('order.cancel', ({ status }) => status === 409),
  },
  {
    id: 'refused-accept-is-200',
    breaks: ['error.refusal-is-4xx', 'order.accept.second-quote-refused'],
    summary: 'A refused acceptance is answered with 200 and the problem as its body.',
    tamper: answers('quote.accept', (wire) =>
      wire.status === 409 ? { ...wire, status: 200 } : wire,
    ),
  },
  {
    id: 'broken-id-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'An id that is no UUID is a fault of the server.',
    tamper: is500(
      ['order.read', 'rfq.read', 'settlement.read'],
      ({ status }, { params }) => status === 404 && isNoId(params.intent_id),
    ),
  },
  {
    id: 'broken-filter-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'A stream limited to what is no id is a fault of the server.',
    tamper: is500(
      'order.events',
      (_, { query }) => query['intent_id'] !== undefined && isNoId(query['intent_id']),
    ),
  },
  {
    id: 'page-zero-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'The page before the first is a fault of the server.',
    tamper: is500(
      ['order.list', 'rfq.list', 'quote.list'],
      (_, { query }) => query['page'] === '0',
    ),
  },
  {
    id: 'page-past-the-settlements-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'A page of settlements past the last is a fault of the server.',
    tamper: is500('settlement.list', (_, { query }) => Number(query['page'] ?? 1) > 500),
  },
  {
    id: 'number-for-a-deadline-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'A deadline that is a number is a fault of the server.',
    tamper: is500(
      'quote.submit',
      (_, { requestBody }) =>
        typeof (requestBody as Json | undefined)?.['valid_until'] === 'number',
    ),
  },
  {
    id: 'not-json-is-500',
    breaks: ['error.refusal-is-4xx', 'order.create.not-json-refused'],
    summary: 'A body that is not JSON is a fault of the server.',
    tamper: is500(
      ['order.create', 'quote.submit'],
      ({ body }) => (body as Json | undefined)?.code === 'not_json',
    ),
  },
  {
    id: 'wrong-role-redirects',
    breaks: ['error.refusal-is-4xx'],
    summary: 'Whoever has the wrong role is redirected to whoami.',
    tamper: () => ({
      response: (wire) =>
        wire.status === 403 ? { status: 302, headers: { location: '/api/v1/whoami' } } : wire,
    }),
  },
  {
    id: 'user-cancelled-as-error-code',
    breaks: ['error.reasons-are-outcomes'],
    summary: 'A second cancel is refused with the code USER_CANCELLED.',
    tamper: answers('order.cancel', (wire) =>
      wire.status === 409
        ? { ...wire, body: { ...(wire.body as Json), code: 'USER_CANCELLED' } }
        : wire,
    ),
  },
  {
    id: 'slippage-as-error-code',
    breaks: ['error.reasons-are-outcomes'],
    summary: 'Accepting a quote above the maximum is refused with the code SLIPPAGE.',
    tamper: answers('quote.accept', (wire) =>
      (wire.body as Json | undefined)?.code === 'above_maximum'
        ? { ...wire, body: { ...(wire.body as Json), code: 'SLIPPAGE' } }
        : wire,
    ),
  },
  {
    id: 'rate-read-up-to-the-first-letter',
    breaks: ['quote.submit.malformed-rate-refused'],
    summary: 'Of a rate that begins as a number the rest is ignored.',
    tamper: requests('quote.submit', (request) => {
      const body = request.body as Json | undefined;
      const begin = /^(\d+(?:\.\d+)?)[^\d.eE+-]/.exec(String(body?.fx_rate));
      return begin ? { ...request, body: { ...body, fx_rate: begin[1] } } : undefined;
    }),
  },
  {
    id: 'bad-rate-means-one',
    breaks: ['quote.submit.malformed-rate-refused', 'quote.submit.missing-rate-refused'],
    summary: 'A rate that is missing or cannot be read means one.',
    tamper: requests('quote.submit', (request) => {
      const body = request.body as Json | undefined;
      return body && !/^\d+(\.\d+)?$/.test(String(body.fx_rate))
        ? { ...request, body: { ...body, fx_rate: '1' } }
        : undefined;
    }),
  },
  {
    id: 'bad-deadline-means-half-a-minute',
    breaks: ['quote.submit.malformed-deadline-refused', 'quote.submit.missing-deadline-refused'],
    summary: 'A deadline that is missing or cannot be read means half a minute.',
    tamper: requests('quote.submit', (request, { now }) => {
      const body = request.body as Json | undefined;
      return body && Number.isNaN(Date.parse(String(body.valid_until)))
        ? {
            ...request,
            body: { ...body, valid_until: new Date(now + 30_000).toISOString() },
          }
        : undefined;
    }),
  },
  {
    id: 'no-json-quotes-at-one',
    breaks: ['quote.submit.not-json-refused'],
    summary: 'A quote body that is not JSON quotes the order at one.',
    tamper: answers('quote.submit', (wire, { now, params }) =>
      (wire.body as Json | undefined)?.code === 'not_json'
        ? {
            status: 201,
            headers: {},
            body: {
              data: {
                quote_id: params.intent_id,
                intent_id: params.intent_id,
                fx_rate: '1',
                target_amount: '1',
                submitted_at: new Date(now).toISOString(),
                valid_until: new Date(now + 30_000).toISOString(),
                status: 'PENDING',
              },
              meta: { request_id: `q-${now}`, timestamp: new Date(now).toISOString() },
            },
          }
        : wire,
    ),
  },
  {
    id: 'negative-amounts-lose-their-sign',
    breaks: ['order.create.negative-amount-refused'],
    summary: 'The sign of a negative amount is dropped.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      return String(body?.target_amount).startsWith('-')
        ? { ...request, body: { ...body, target_amount: String(body?.target_amount).slice(1) } }
        : undefined;
    }),
  },
  {
    id: 'parties-of-any-shape',
    breaks: ['order.create.malformed-party-refused'],
    summary: 'The receiver of an order may be any text.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      const party = body?.receiver_party_id;
      return typeof party === 'string' && !/^.+::[0-9a-f]+$/i.test(party)
        ? { ...request, body: { ...body, receiver_party_id: `Receiver::00` } }
        : undefined;
    }),
  },
  {
    id: 'contracts-of-any-shape',
    breaks: ['order.create.malformed-contract-refused'],
    summary: 'The source contract of an order may be any text.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      const contract = body?.source_contract_id;
      return typeof contract === 'string' && !/^[0-9a-f]+#\d+$/i.test(contract)
        ? { ...request, body: { ...body, source_contract_id: '00#0' } }
        : undefined;
    }),
  },
  {
    id: 'contract-without-index-is-the-first',
    breaks: ['order.create.malformed-contract-refused'],
    summary: 'A source contract without an index is taken for the first of its transaction.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      const contract = String(body?.source_contract_id);
      return /^[0-9a-f]+$/i.test(contract)
        ? { ...request, body: { ...body, source_contract_id: `${contract}#0` } }
        : undefined;
    }),
  },
  {
    id: 'settlement-takes-ten-seconds',
    breaks: ['limit.settlement-duration'],
    summary: 'A settlement takes ten seconds.',
    tamper: rules(() => ({ settlement: { durationMs: 10_000 } })),
  },
  {
    id: 'amount-rounded-while-executing',
    breaks: ['order.target-amount.unchanged'],
    summary: 'An order in execution shows its target amount in whole units.',
    tamper: items(['order.read', 'order.list'], (item, context) =>
      orderIn(context, item)?.status === 'EXECUTING'
        ? { ...item, target_amount: String(item.target_amount).replace(/\.\d+$/, '') }
        : item,
    ),
  },
];
