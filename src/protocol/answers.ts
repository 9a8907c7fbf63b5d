import { type JsonObject as Fields, isObject as isFields } from '../history/json.ts';
import type { Exchange } from '../history/records.ts';

export { type JsonObject as Fields, isObject as isFields } from '../history/json.ts';

/** Small readings of answers. They say what was there, never what it means. */

const statusOf = (exchange: Exchange): number => exchange.response?.status ?? 0;

export const succeeded = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 200 && statusOf(exchange) < 300;

/** Any 4xx is a refusal, save the one that speaks of the pace of asking and not of what was asked. */
export const isRefusal = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500 && statusOf(exchange) !== 429;

/** `data` of a successful answer, whatever it is. */
export function dataOf(exchange: Exchange): unknown {
  const body = exchange.response?.body;
  return succeeded(exchange) && isFields(body) ? body['data'] : undefined;
}

/** `data` of a successful answer where it is an object; else one without fields. */
export function fieldsOf(exchange: Exchange): Fields {
  const data = dataOf(exchange);
  return isFields(data) ? data : {};
}

/** The objects in `data` of a successful list. */
export function itemsOf(exchange: Exchange): readonly Fields[] {
  const data = dataOf(exchange);
  return Array.isArray(data) ? data.filter(isFields) : [];
}

/** A string field; undefined for anything else. */
export function textOf(fields: unknown, name: string): string | undefined {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Whether a field names something: the digits of an identifier mean the same in either case. */
export const sameId = (fields: unknown, name: 'intent_id' | 'quote_id', id: string): boolean =>
  textOf(fields, name)?.toLowerCase() === id.toLowerCase();

/** Tells of what a list holds whether it is a certain order, or something of it. */
export const matchesOrder =
  ({ intentId }: { readonly intentId: string }) =>
  (item: unknown): boolean =>
    sameId(item, 'intent_id', intentId);
/** Tells of what a list holds whether it is a certain quote. */
export const matchesQuote =
  ({ quoteId }: { readonly quoteId: string }) =>
  (item: unknown): boolean =>
    sameId(item, 'quote_id', quoteId);

/** What came of a call, for a sentence: "POST /api/v1/orders answered 422". */
export function describeExchange(exchange: Exchange): string {
  const { method, path } = exchange.request;
  const came = exchange.response
    ? `answered ${exchange.response.status}`
    : `had no answer (${exchange.error?.code ?? 'nothing came'})`;
  return `${method} ${path} ${came}`;
}

/** What came of a call, for the "actual" of a failure. */
export const answerEvidence = (exchange: Exchange): unknown =>
  exchange.response
    ? {
        status: exchange.response.status,
        ...(exchange.response.body !== undefined && { body: exchange.response.body }),
      }
    : { error: exchange.error?.code ?? 'no answer' };
