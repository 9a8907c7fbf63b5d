import type { StepOutcome } from '../src/reference/core/index.ts';
import type { ResponseContext, WireAnswer } from '../src/reference/http/index.ts';
import { replace, setWhen } from './defects/answers.ts';
import { noted, quoteIs } from './defects/conditions.ts';
import { note, outcomes } from './defects/outcomes.ts';
import { asSender } from './defects/requests.ts';
import { isOpen } from './defects/stored.ts';
import { type Json, momentOf, written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const isAboveMaximum = ({ reply }: StepOutcome): boolean =>
  reply?.ok === false && reply.error.code === 'above_maximum';

const isOutOfState = (reply: StepOutcome['reply']): boolean =>
  reply?.ok === false && reply.error.code === 'wrong_state';

const everywhere = ['order.quotes', 'rfq.quotes', 'quote.list'] as const;

const dataOf = ({ body }: WireAnswer): readonly Json[] => {
  const data = (body as Json | undefined)?.data;
  return Array.isArray(data) ? (data as readonly Json[]) : [];
};

/** A list with more in it. */
const longer = (wire: WireAnswer, more: readonly unknown[]): WireAnswer =>
  wire.status === 200
    ? { ...wire, body: { ...(wire.body as Json), data: [...dataOf(wire), ...more] } }
    : wire;

/** Items kept for the caller although they were refused. */
const keptFor = ({ party, memory }: ResponseContext): Json[] => {
  const key = `kept for ${party?.partyId}`;
  const kept = (memory.get(key) as Json[] | undefined) ?? [];
  memory.set(key, kept);
  return kept;
};

const someId = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Defects in refusals: requests that are refused but still have an effect (part 7). */
export const refusalMutations: readonly Written[] = [
  mutation('refused-late-quote-is-kept', 'error.refusal-changes-nothing')
    .summary('A quote that is refused for its deadline is kept among those that have expired.')
    .answers(['quote.submit', 'rfq.quotes'], (wire, context) => {
      const { endpoint, params, requestBody, memory, now } = context;
      const key = `late ${params.intent_id}`;
      if (endpoint === 'rfq.quotes')
        return memory.has(key) ? longer(wire, [memory.get(key)]) : wire;
      const sent = requestBody as Json | undefined;
      const isLate = wire.status >= 400 && momentOf(sent?.valid_until) < now;
      if (isLate) memory.set(key, { ...sent, status: 'EXPIRED' });
      return wire;
    }),
  mutation('creation-by-custodian-is-kept', 'error.refusal-changes-nothing')
    .summary('What a custodian was refused to create stands on its list of orders all the same.')
    .answers(['order.create', 'order.list'], (wire, context) => {
      const { endpoint, query, requestBody, now } = context;
      const kept = keptFor(context);
      if (endpoint === 'order.list') {
        const [like] = dataOf(wire);
        if (!like || query.status !== undefined) return wire;
        return longer(
          wire,
          kept.map((own) => ({ ...like, ...own })),
        );
      }
      const sent = requestBody as Json | undefined;
      const about = { intent_id: someId(kept.length), created_at: written(now), status: 'PENDING' };
      if (wire.status === 403 && sent) kept.push({ ...sent, ...about });
      return wire;
    }),
  mutation('late-cancel-leaves-a-reason', 'error.refusal-changes-nothing')
    .summary('An order that has settled shows USER_CANCELLED once its cancel was refused.')
    .together(
      note('order.cancel', ({ params }, { reply }) => isOutOfState(reply) && params.intent_id),
      setWhen('order.read', (item, about) => noted(item, about) && item.status === 'SETTLED', {
        failure_reason: 'USER_CANCELLED',
      }),
    ),
  mutation('quote-on-closed-request-is-kept', 'error.refusal-changes-nothing')
    .summary('A quote that is refused on a closed request is kept among the rejected ones.')
    .answers(['quote.submit', 'quote.list'], (wire, context) => {
      const { endpoint, params, query, requestBody, now } = context;
      const kept = keptFor(context);
      if (endpoint === 'quote.list') return query.status === undefined ? longer(wire, kept) : wire;
      const about = { quote_id: someId(kept.length), ...params, ...(requestBody as Json) };
      const isClosed = wire.status === 409 && (wire.body as Json).code === 'wrong_state';
      if (isClosed) kept.push({ ...about, submitted_at: written(now), status: 'REJECTED' });
      return wire;
    }),
  mutation('refused-acceptance-leaves-a-note', 'error.refusal-changes-nothing')
    .summary('A refused acceptance leaves a note in the memo of the order.')
    .together(
      note('quote.accept', ({ params }, { reply }) => reply?.ok === false && params.intent_id),
      setWhen('order.read', noted, { memo: 'acceptance refused' }),
    ),
  mutation('refused-dear-quote-costs-its-rivals', 'error.refusal-changes-nothing')
    .summary(
      'Rivals are rejected before the maximum is looked at, though the acceptance is refused.',
    )
    .together(
      outcomes('quote.accept', (outcome, { params, memory }) => {
        if (isAboveMaximum(outcome)) memory.set(`dear on ${params.intent_id}`, params.quote_id);
        return undefined;
      }),
      setWhen(everywhere, quoteIs('PENDING'), (_, { quote, memory }) => {
        const dear = memory.get(`dear on ${quote?.intentId}`);
        return dear !== undefined && dear !== quote?.id && { status: 'REJECTED' };
      }),
    ),
  mutation('refused-dear-quote-told-as-lost', 'error.refusal-sends-no-event')
    .summary('A maker is told that it lost when the acceptance of its quote is refused.')
    .tellMore('quote.accept', (outcome, { quote }) => {
      if (!quote || !isAboveMaximum(outcome)) return undefined;
      const { makerPartyId: to, intentId } = quote;
      return [{ to, event: 'quote_rejected', intentId, data: { intent_id: intentId } as never }];
    }),
  mutation('broken-quote-withdraws-the-last', 'error.refusal-changes-nothing')
    .summary('A maker whose new quote is refused has lost its last one on the request already.')
    .together(
      note('quote.submit', ({ caller, params }, { reply }) => {
        return reply?.ok === false && `broken ${caller.partyId} ${params.intent_id}`;
      }),
      setWhen(everywhere, quoteIs('PENDING'), (_, { quote, memory }) => {
        return (
          memory.has(`broken ${quote?.makerPartyId} ${quote?.intentId}`) && { status: 'EXPIRED' }
        );
      }),
    ),
  mutation('refused-cancel-by-stranger-cancels', 'error.refusal-changes-nothing')
    .also('order.cancel.foreign-institution-refused')
    .summary('A cancel by another institution is refused after it was carried out.')
    .together(
      asSender('order.cancel', 'institution', (order, { caller, memory }) => {
        const isDenied = isOpen(order) && order.senderPartyId !== caller.partyId;
        if (isDenied) memory.set('denied', order.id);
        return isDenied;
      }),
      replace('order.cancel', (_, { params, memory }) => {
        if (memory.get('denied') !== params.intent_id) return undefined;
        memory.delete('denied');
        return { status: 404, headers: {}, body: { code: 'not_found' } };
      }),
    ),
];
