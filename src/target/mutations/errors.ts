import { orderOf, type Outcome, quoteOf } from '../../core/index.ts';
import type { Written } from './mutation.ts';
import {
  answers,
  isOpen,
  items,
  type Json,
  orderAsked,
  orderIn,
  quoteIn,
  requests,
  rules,
  together,
} from './tools.ts';

const isAboveMaximum = ({ reply }: Outcome): boolean =>
  reply?.ok === false && reply.error.code === 'above_maximum';

/** Refusals (part 7), and the limits (part 8). */
export const errorMutations: readonly Written[] = [
  {
    id: 'refused-cancel-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'Cancelling an order that has ended is a fault of the server.',
    tamper: answers('order.cancel', (wire) =>
      wire.status === 409 ? { ...wire, status: 500 } : wire,
    ),
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
    tamper: answers(['order.read', 'rfq.read', 'settlement.read'], (wire, { params }) =>
      wire.status === 404 && !/^[0-9a-f-]{36}$/i.test(params.intent_id ?? '')
        ? { ...wire, status: 500 }
        : wire,
    ),
  },
  {
    id: 'broken-filter-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'A stream limited to what is no id is a fault of the server.',
    tamper: answers('order.events', (wire, { query }) =>
      query['intent_id'] !== undefined && !/^[0-9a-f-]{36}$/i.test(query['intent_id'])
        ? { ...wire, status: 500 }
        : wire,
    ),
  },
  {
    id: 'number-for-a-deadline-is-500',
    breaks: ['error.refusal-is-4xx'],
    summary: 'A deadline that is a number is a fault of the server.',
    tamper: answers('quote.submit', (wire, { requestBody }) =>
      typeof (requestBody as Json | undefined)?.['valid_until'] === 'number'
        ? { ...wire, status: 500 }
        : wire,
    ),
  },
  {
    id: 'not-json-is-500',
    breaks: ['error.refusal-is-4xx', 'order.create.not-json-refused'],
    summary: 'A body that is not JSON is a fault of the server.',
    tamper: answers(['order.create', 'quote.submit'], (wire) =>
      (wire.body as Json | undefined)?.code === 'not_json' ? { ...wire, status: 500 } : wire,
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
    id: 'refused-late-quote-is-kept',
    breaks: ['error.refusal-changes-nothing'],
    summary: 'A quote that is refused for its deadline is kept among those that have expired.',
    tamper: answers(['quote.submit', 'rfq.quotes'], (wire, context) => {
      const { endpoint, params, requestBody, memory, now } = context;
      const key = `late ${params.intent_id ?? ''}`;
      const sent = requestBody as Json | undefined;
      if (endpoint === 'quote.submit') {
        const isLate = Date.parse(String(sent?.valid_until)) < now;
        if (wire.status >= 400 && isLate) memory.set(key, { ...sent, status: 'EXPIRED' });
        return wire;
      }
      const body = wire.body as { readonly data: readonly Json[] };
      return wire.status === 200 && memory.has(key)
        ? { ...wire, body: { ...body, data: [...body.data, memory.get(key)] } }
        : wire;
    }),
  },
  {
    id: 'late-cancel-leaves-a-reason',
    breaks: ['error.refusal-changes-nothing'],
    summary: 'An order that has settled shows USER_CANCELLED once its cancel was refused.',
    tamper: answers(['order.cancel', 'order.read'], (wire, { endpoint, params, memory }) => {
      const key = `late cancel ${params.intent_id ?? ''}`;
      const body = wire.body as { readonly data?: Json };
      if (endpoint === 'order.cancel') {
        if (wire.status === 409) memory.set(key, true);
        return wire;
      }
      return memory.has(key) && body.data?.['status'] === 'SETTLED'
        ? {
            ...wire,
            body: { ...body, data: { ...body.data, failure_reason: 'USER_CANCELLED' } },
          }
        : wire;
    }),
  },
  {
    id: 'quote-on-closed-request-is-kept',
    breaks: ['error.refusal-changes-nothing'],
    summary:
      'A quote that is refused since its request is closed is kept among those that were rejected.',
    tamper: answers(['quote.submit', 'quote.list'], (wire, context) => {
      const { endpoint, party, params, query, requestBody, memory, now } = context;
      const key = `kept ${party?.partyId ?? ''}`;
      const kept = (memory.get(key) ?? []) as readonly Json[];
      const body = wire.body as Json;
      if (endpoint === 'quote.submit') {
        if (wire.status !== 409 || body['code'] !== 'wrong_state') return wire;
        const quote_id = `00000000-0000-4000-8000-${String(kept.length).padStart(12, '0')}`;
        const submitted_at = new Date(now).toISOString();
        const sent = requestBody as Json;
        const one = { quote_id, ...params, ...sent, submitted_at, status: 'REJECTED' };
        memory.set(key, [...kept, one]);
        return wire;
      }
      const data = body['data'];
      return Array.isArray(data) && query['status'] === undefined
        ? { ...wire, body: { ...body, data: [...data, ...kept] } }
        : wire;
    }),
  },
  {
    id: 'refused-acceptance-leaves-a-note',
    breaks: ['error.refusal-changes-nothing'],
    summary: 'A refused acceptance leaves a note in the memo of the order.',
    tamper: () => ({
      outcome: (outcome, command, { memory }) => {
        if (
          command.type === 'request' &&
          command.endpoint === 'quote.accept' &&
          outcome.reply?.ok === false
        ) {
          memory.set(`refused ${command.params.intent_id ?? ''}`, true);
        }
        return outcome;
      },
      response: (wire, context) => {
        const order = orderAsked(context);
        const body = wire.body as { data?: Json } | undefined;
        return context.endpoint === 'order.read' &&
          wire.status === 200 &&
          order &&
          context.memory.has(`refused ${order.id}`)
          ? { ...wire, body: { ...body, data: { ...body?.data, memo: 'acceptance refused' } } }
          : wire;
      },
    }),
  },
  {
    id: 'refused-dear-quote-costs-its-rivals',
    breaks: ['error.refusal-changes-nothing'],
    summary:
      'Rivals are rejected before the maximum is looked at, so an acceptance refused for it costs them.',
    tamper: together(
      () => ({
        outcome: (outcome, command, { memory }) => {
          if (command.type === 'request' && isAboveMaximum(outcome)) {
            memory.set(`dear on ${command.params.intent_id}`, command.params.quote_id);
          }
          return outcome;
        },
      }),
      items(['order.quotes', 'rfq.quotes', 'quote.list'], (item, context) => {
        const quote = quoteIn(context, item);
        const dear = context.memory.get(`dear on ${quote?.intentId}`);
        return quote?.status === 'PENDING' && dear !== undefined && dear !== quote.id
          ? { ...item, status: 'REJECTED' }
          : item;
      }),
    ),
  },
  {
    id: 'refused-dear-quote-told-as-lost',
    breaks: ['error.refusal-sends-no-event'],
    summary: 'A maker is told that it lost when the acceptance of its quote is refused.',
    tamper: () => ({
      outcome: (outcome, command) => {
        if (command.type !== 'request' || !isAboveMaximum(outcome)) return outcome;
        const quote = quoteOf(outcome.state, command.params.quote_id ?? '');
        if (!quote) return outcome;
        const { makerPartyId: to, intentId } = quote;
        const lost = { to, event: 'quote_rejected', intentId, data: { intent_id: intentId } };
        return { ...outcome, events: [...outcome.events, lost as (typeof outcome.events)[number]] };
      },
    }),
  },
  {
    id: 'broken-quote-withdraws-the-last',
    breaks: ['error.refusal-changes-nothing'],
    summary:
      'A maker whose new quote is refused has its last one on the request withdrawn already.',
    tamper: together(
      () => ({
        outcome: (outcome, command, { memory }) => {
          if (
            command.type === 'request' &&
            command.endpoint === 'quote.submit' &&
            outcome.reply?.ok === false
          ) {
            memory.set(`broken ${command.caller.partyId} ${command.params.intent_id}`, true);
          }
          return outcome;
        },
      }),
      items(['order.quotes', 'rfq.quotes', 'quote.list'], (item, context) => {
        const quote = quoteIn(context, item);
        return quote?.status === 'PENDING' &&
          context.memory.has(`broken ${quote.makerPartyId} ${quote.intentId}`)
          ? { ...item, status: 'EXPIRED' }
          : item;
      }),
    ),
  },
  {
    id: 'refused-cancel-by-stranger-cancels',
    breaks: ['error.refusal-changes-nothing', 'order.cancel.foreign-institution-refused'],
    summary: 'A cancel by another institution is refused after it was carried out.',
    tamper: () => ({
      command: (command, { state, memory }) => {
        if (command.type !== 'request' || command.endpoint !== 'order.cancel') return command;
        const order = orderOf(state, command.params.intent_id ?? '');
        if (!order || !isOpen(order) || command.caller.role !== 'institution') return command;
        if (order.senderPartyId === command.caller.partyId) return command;
        memory.set('denied', order.id);
        return { ...command, caller: { partyId: order.senderPartyId, role: 'institution' } };
      },
      response: (wire, { endpoint, params, memory }) => {
        if (endpoint !== 'order.cancel' || memory.get('denied') !== params.intent_id) return wire;
        memory.delete('denied');
        return { status: 404, headers: {}, body: { code: 'not_found' } };
      },
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
