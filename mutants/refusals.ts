import type { StepOutcome } from '../src/reference/core/index.ts';
import type { ResponseContext, WireAnswer } from '../src/reference/http/index.ts';
import { replace, setWhen } from './defects/answers.ts';
import { noted, orderIs, quoteIs } from './defects/conditions.ts';
import { isOpen } from './defects/stored.ts';
import { note, outcomes } from './defects/outcomes.ts';
import { everyList, orderReads } from './defects/reading.ts';
import { asSender, ignored } from './defects/requests.ts';
import { type Json, momentOf, whole, written } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const hasCode =
  (code: string) =>
  ({ body }: WireAnswer): boolean =>
    (body as Json | undefined)?.code === code;

const isDecimal = (value: unknown): boolean => /^\d+(\.\d+)?$/.test(String(value));

export const isNoId = (text: string | undefined): boolean => !/^[0-9a-f-]{36}$/i.test(text ?? '');

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

/** Refusals, and limits (parts 7 and 8). */
export const refusalMutations: readonly Written[] = [
  // Refusals (part 7), and the limits (part 8).
  mutation('refused-cancel-is-500', 'error.refusal-is-4xx')
    .summary('Cancelling an order that has ended is a fault of the server.')
    .fault('order.cancel', ({ status }) => status === 409),
  mutation('refused-accept-is-200', 'error.refusal-is-4xx', 'order.accept.second-quote-refused')
    .summary('A refused acceptance is answered with 200 and the problem as its body.')
    .setAnswer('quote.accept', ({ status }) => status === 409 && { status: 200 }),
  mutation('broken-id-is-500', 'error.refusal-is-4xx')
    .summary('An id that is no UUID is a fault of the server.')
    .fault(['order.read', 'rfq.read', 'settlement.read'], ({ status }, { params }) => {
      return status === 404 && isNoId(params.intent_id);
    }),
  mutation('broken-filter-is-500', 'error.refusal-is-4xx')
    .summary('A stream limited to what is no id is a fault of the server.')
    .fault('order.events', (_, { query }) => 'intent_id' in query && isNoId(query.intent_id)),
  mutation('page-zero-is-500', 'error.refusal-is-4xx')
    .summary('The page before the first is a fault of the server.')
    .fault(['order.list', 'rfq.list', 'quote.list'], (_, { query }) => query.page === '0'),
  mutation('page-zero-of-quotes-is-500', 'error.refusal-is-4xx')
    .summary('The page before the first of the quotes of an order is a fault of the server.')
    .fault(['order.quotes', 'rfq.quotes'], (_, { query }) => query.page === '0'),
  mutation('huge-page-size-is-500', 'error.refusal-is-4xx')
    .summary('A page size that does not fit into 32 bits is a fault of the server.')
    .fault(everyList, (_, { query }) => Number(query.page_size) >= 2 ** 31),
  mutation('nul-in-a-filter-is-500', 'error.refusal-is-4xx')
    .summary('A filter with a NUL in it, which the store refuses, is a fault of the server.')
    .fault(['order.list', 'quote.list'], (_, { query }) => query.status?.includes('\0') === true),
  mutation('rate-of-zero-is-500', 'error.refusal-is-4xx')
    .summary('A rate of zero, by which nothing can be divided, is a fault of the server.')
    .fault('quote.submit', (_, { requestBody }) => {
      return (requestBody as Json | undefined)?.fx_rate === '0';
    }),
  mutation('number-for-a-receiver-is-500', 'error.refusal-is-4xx')
    .summary('A receiver that is a number, which cannot be split, is a fault of the server.')
    .fault('order.create', (_, { requestBody }) => {
      return typeof (requestBody as Json | undefined)?.receiver_party_id === 'number';
    }),
  mutation('list-of-one-rate-is-the-rate', 'quote.submit.malformed-rate-refused')
    .summary('A list of one text is read as that text in a quote.')
    .setBody('quote.submit', ({ fx_rate: rate }) => {
      return Array.isArray(rate) && rate.length === 1 && { fx_rate: rate[0] as unknown };
    }),
  mutation('page-past-the-settlements-is-500', 'error.refusal-is-4xx')
    .summary('A page of settlements past the last is a fault of the server.')
    .fault('settlement.list', (_, { query }) => Number(query.page ?? 1) > 500),
  mutation('number-for-a-deadline-is-500', 'error.refusal-is-4xx')
    .summary('A deadline that is a number is a fault of the server.')
    .fault('quote.submit', (_, { requestBody }) => {
      return typeof (requestBody as Json | undefined)?.valid_until === 'number';
    }),
  mutation('not-json-is-500', 'error.refusal-is-4xx', 'order.create.not-json-refused')
    .summary('A body that is not JSON is a fault of the server.')
    .fault(['order.create', 'quote.submit'], hasCode('not_json')),
  mutation('wrong-role-redirects', 'error.refusal-is-4xx')
    .summary('Whoever has the wrong role is redirected to whoami.')
    .response((wire) =>
      wire.status === 403 ? { status: 302, headers: { location: '/api/v1/whoami' } } : wire,
    ),
  mutation('user-cancelled-as-error-code', 'error.reasons-are-outcomes')
    .summary('A second cancel is refused with the code USER_CANCELLED.')
    .setAnswer('order.cancel', ({ status, body }) => {
      return status === 409 && { body: { ...(body as Json), code: 'USER_CANCELLED' } };
    }),
  mutation('slippage-as-error-code', 'error.reasons-are-outcomes')
    .summary('Accepting a quote above the maximum is refused with the code SLIPPAGE.')
    .setAnswer('quote.accept', (wire) => {
      const body = { ...(wire.body as Json), code: 'SLIPPAGE' };
      return hasCode('above_maximum')(wire) && { body };
    }),
  mutation('rate-read-up-to-the-first-letter', 'quote.submit.malformed-rate-refused')
    .summary('Of a rate that begins as a number the rest is ignored.')
    .setBody('quote.submit', ({ fx_rate: rate }) => {
      const begin = /^(\d+(?:\.\d+)?)[^\d.eE+-]/.exec(String(rate));
      return begin && { fx_rate: begin[1] };
    }),
  mutation('bad-rate-means-one', 'quote.submit.malformed-rate-refused')
    .also('quote.submit.missing-rate-refused')
    .summary('A rate that is missing or cannot be read means one.')
    .setBody('quote.submit', (body) => !isDecimal(body.fx_rate) && { fx_rate: '1' }),
  mutation('bad-deadline-means-half-a-minute', 'quote.submit.malformed-deadline-refused')
    .also('quote.submit.missing-deadline-refused')
    .summary('A deadline that is missing or cannot be read means half a minute.')
    .setBody('quote.submit', ({ valid_until: until }, { now }) => {
      return Number.isNaN(momentOf(until)) && { valid_until: written(now + 30_000) };
    }),
  mutation('no-json-quotes-at-one', 'quote.submit.not-json-refused')
    .summary('A quote body that is not JSON quotes the order at one.')
    .replace('quote.submit', (wire, { now, params: { intent_id: id } }) => {
      const terms = { quote_id: id, intent_id: id, fx_rate: '1', target_amount: '1' };
      const times = { submitted_at: written(now), valid_until: written(now + 30_000) };
      const data = { ...terms, ...times, status: 'PENDING' };
      const meta = { request_id: `q-${now}`, timestamp: written(now) };
      return hasCode('not_json')(wire) && { status: 201, headers: {}, body: { data, meta } };
    }),
  mutation('negative-amounts-lose-their-sign', 'order.create.negative-amount-refused')
    .summary('The sign of a negative amount is dropped.')
    .setBody('order.create', (body) => {
      const amount = String(body.target_amount);
      return amount.startsWith('-') && { target_amount: amount.slice(1) };
    }),
  mutation('parties-of-any-shape', 'order.create.malformed-party-refused')
    .summary('The receiver of an order may be any text.')
    .setBody('order.create', ({ receiver_party_id: party }) => {
      const isOther = typeof party === 'string' && !/^.+::[0-9a-f]+$/i.test(party);
      return isOther && { receiver_party_id: 'Receiver::00' };
    }),
  mutation('contracts-of-any-shape', 'order.create.malformed-contract-refused')
    .summary('The source contract of an order may be any text.')
    .setBody('order.create', ({ source_contract_id: contract }) => {
      const isOther = typeof contract === 'string' && !/^[0-9a-f]+#\d+$/i.test(contract);
      return isOther && { source_contract_id: '00#0' };
    }),
  mutation('contract-without-index-is-the-first', 'order.create.malformed-contract-refused')
    .summary('A source contract without an index is taken for the first of its transaction.')
    .setBody('order.create', (body) => {
      const contract = String(body.source_contract_id);
      return /^[0-9a-f]+$/i.test(contract) && { source_contract_id: `${contract}#0` };
    }),
  mutation('settlement-takes-ten-seconds', 'limit.settlement-duration')
    .summary('A settlement takes ten seconds.')
    .rule('settlement', () => ({ durationMs: 10_000 })),
  mutation('amount-rounded-while-executing', 'order.target-amount.unchanged')
    .summary('An order in execution shows its target amount in whole units.')
    .when(orderIs('EXECUTING'))
    .change(orderReads, 'target_amount', whole),
  // Defects in refusals: requests that are refused but still have an effect (part 7).
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
  mutation('locked-out-after-three-refusals', 'service.sender-custodian-accepts')
    .summary('Who was refused three acceptances on an order is refused any other on it.')
    .together(
      note('quote.accept', (context, { reply }) => {
        const key = `${context.caller.partyId} ${context.order?.id}`;
        return reply?.ok === false && context.count(key) >= 3 && key;
      }),
      ignored('quote.accept', ({ caller, memory, order }) => {
        return order?.status === 'PENDING' && memory.has(`${caller.partyId} ${order.id}`);
      }),
    ),
  mutation('second-acceptance-shown-as-quoted', 'order.state.listed-transitions-only')
    .summary('An executing order is read as QUOTED once its quote is accepted a second time.')
    .together(
      note('quote.accept', ({ order }) => order?.status === 'EXECUTING' && order.id),
      setWhen(orderReads, (...of) => noted(...of) && orderIs('EXECUTING')(...of), {
        status: 'QUOTED',
      }),
    ),
];
