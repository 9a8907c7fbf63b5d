import { orderOf } from '../src/reference/core/index.ts';
import type { Written } from './mutation.ts';
import { isObject, type Json, requests } from './tools.ts';

const hex = /^(0x)?[0-9a-f]+$/i;
const decimal = /^\d+(\.\d+)?$/;

/** Bodies that are none, made sense of (part 7). */
export const lenientBodies: readonly Written[] = [
  {
    id: 'signatures-of-any-shape',
    breaks: ['order.create.malformed-signature-refused'],
    summary: 'The signature of an order may be any text.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      const signature = body?.intent_signature;
      return typeof signature === 'string' && !hex.test(signature)
        ? { ...request, body: { ...body, intent_signature: '00' } }
        : undefined;
    }),
  },
  {
    id: 'memo-of-any-type',
    breaks: ['order.create.other-type-refused'],
    summary: 'A memo that is an object is kept as its JSON.',
    tamper: requests('order.create', (request) => {
      const body = request.body as Json | undefined;
      return isObject(body?.memo)
        ? { ...request, body: { ...body, memo: JSON.stringify(body.memo) } }
        : undefined;
    }),
  },
  {
    id: 'unreadable-quote-amount-is-the-order-s',
    breaks: ['quote.submit.malformed-amount-refused'],
    summary: "A quote whose amount cannot be read is for the order's.",
    tamper: requests('quote.submit', (request, { state }) => {
      const body = request.body as Json | undefined;
      const sent = body?.target_amount;
      const order = orderOf(state, request.params.intent_id ?? '');
      return order && typeof sent === 'string' && !decimal.test(sent)
        ? { ...request, body: { ...body, target_amount: order.targetAmount } }
        : undefined;
    }),
  },
  {
    id: 'empty-rate-means-one',
    breaks: ['quote.submit.missing-rate-refused'],
    summary: 'A rate that is an empty text means one.',
    tamper: requests('quote.submit', (request) => {
      const body = request.body as Json | undefined;
      return body?.fx_rate === '' ? { ...request, body: { ...body, fx_rate: '1' } } : undefined;
    }),
  },
];
