import type { WireAnswer } from '../src/reference/http/index.ts';
import { orderIs } from './defects/conditions.ts';
import { orderReads } from './defects/reading.ts';
import { type Json, momentOf, whole, written } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const hasCode =
  (code: string) =>
  ({ body }: WireAnswer): boolean =>
    (body as Json | undefined)?.code === code;

const isDecimal = (value: unknown): boolean => /^\d+(\.\d+)?$/.test(String(value));

export const isNoId = (text: string | undefined): boolean => !/^[0-9a-f-]{36}$/i.test(text ?? '');

/** Refusals (part 7), and the limits (part 8). */
export const errorMutations: readonly Written[] = [
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
];
