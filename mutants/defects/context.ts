import type { Command, Order, Quote } from '../../src/reference/core/index.ts';
import { orderOf, quoteOf, quotesOf } from '../../src/reference/core/index.ts';
import type { ResponseContext, Tamper, TamperContext } from '../../src/reference/http/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { Json } from './values.ts';

/** Context of a defect: that of its message, with the order and the quote that the message is about. */

/** Makes a tamper: each world gets a fresh one. */
export type Make = () => Tamper;
export type Where = EndpointName | readonly EndpointName[];

/** Results of a change that leaves a message unchanged. */
export type Nothing = false | null | undefined;

export const covers = (where: Where, endpoint: EndpointName | undefined): boolean =>
  typeof where === 'string'
    ? where === endpoint
    : endpoint !== undefined && where.includes(endpoint);

/** Order and quotes that a message is about, for the conditions of a defect. */
export interface Subject {
  readonly order: Order | undefined;
  readonly quote: Quote | undefined;
  /** On that order, oldest first. */
  readonly quotes: readonly Quote[];
}

export type About<C extends TamperContext = TamperContext> = C & Subject;

/** Adds the order and the quotes that the ids name to a context. */
export const about = <C extends TamperContext>(
  context: C,
  { intent_id: intentId, quote_id: quoteId }: Json,
): About<C> => ({
  ...context,
  get order() {
    return typeof intentId === 'string' ? orderOf(context.state, intentId) : undefined;
  },
  get quote() {
    return typeof quoteId === 'string' ? quoteOf(context.state, quoteId) : undefined;
  },
  get quotes() {
    return quotesOf(context.state, String(intentId));
  },
});

/** The context of an answer, with the order and the quote in the path of its request. */
export type Answering = About<ResponseContext>;

export type Request = Extract<Command, { readonly type: 'request' }>;

/** The context of a request, with the order and the quote in its path. */
export type Asking = About & Pick<Request, 'caller' | 'params' | 'query' | 'body'>;

export const asking = (request: Request, context: TamperContext): Asking => {
  const { caller, params, query, body } = request;
  return about({ ...context, caller, params, query, body }, { ...params });
};
