import { orderOf, type StepOutcome, quoteOf } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import { answers, isOpen, items, type Json, orderAsked, quoteIn, together } from './tools.ts';

const isAboveMaximum = ({ reply }: StepOutcome): boolean =>
  reply?.ok === false && reply.error.code === 'above_maximum';

/** Requests that are refused, and have done something all the same (part 7). */
export const refusalMutations: readonly Written[] = [
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
    id: 'creation-by-custodian-is-kept',
    breaks: ['error.refusal-changes-nothing'],
    summary: 'What a custodian was refused to create stands on its list of orders all the same.',
    tamper: answers(['order.create', 'order.list'], (wire, context) => {
      const { endpoint, party, query, requestBody, memory, now } = context;
      const key = `kept for ${party?.partyId ?? ''}`;
      const kept = (memory.get(key) ?? []) as readonly Json[];
      if (endpoint === 'order.create') {
        if (wire.status !== 403 || requestBody === undefined) return wire;
        const created_at = new Date(now).toISOString();
        const intent_id = `00000000-0000-4000-8000-${String(kept.length).padStart(12, '0')}`;
        const own = { ...(requestBody as Json), intent_id, created_at, status: 'PENDING' };
        memory.set(key, [...kept, own]);
        return wire;
      }
      const body = wire.body as Json;
      const data = Array.isArray(body['data']) ? (body['data'] as readonly Json[]) : [];
      const [like] = data;
      return like && kept.length > 0 && query['status'] === undefined
        ? {
            ...wire,
            body: { ...body, data: [...data, ...kept.map((own) => ({ ...like, ...own }))] },
          }
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
];
