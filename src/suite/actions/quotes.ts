import type { Exchange } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { CastName } from '../../spec/requirements/index.ts';
import type { CheckContext } from '../engine/check.ts';
import { type ActionContext, retryWhileRefused, targetNow } from './context.ts';
import {
  type Fields,
  fieldsOf,
  isRefusal,
  describeExchange,
  sentBody,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { awaitStatus, type ReachedState } from './await-state-or-event.ts';
import { quoteBody as quoteBodyOf, wholeAmount } from '../../protocol/quote-body.ts';
import { drawRate } from './drawn-terms.ts';
import { createOrder, type CreateOptions, paramsOf, type PlacedOrder } from './orders.ts';

/** A quote that the target took. */
export interface PlacedQuote {
  readonly quoteId: string;
  readonly maker: CastName;
  readonly sent: Fields;
  /** `data` of the answer. */
  readonly data: Fields;
  readonly exchange: Exchange;
  /** The granted deadline, on the target's clock. */
  readonly validUntil: number;
}

export interface QuoteOptions {
  /** "1" with the order's own amount is valid under every reading of rates and amounts. */
  readonly rate?: string;
  readonly amount?: string;
  /** At least, from now on the target's clock; cut to the order's own life. */
  readonly validForMs?: number;
  /** Exact deadline, in place of `validForMs`. */
  readonly validUntil?: number;
}

const usualValidityMs = 45_000;
/** Should be within any target's limit on the validity of quotes. */
export const modestValidityMs = 10_000;
const beforeExpiryMs = 1_000;
/** A quote that lasts no longer may expire before anything can be done with it. */
const tooShortMs = 5_000;

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Maximum validity of a quote on this target (gap `quote.max_validity`); Infinity if no limit is known. */
function boundMs({ target }: ActionContext): number {
  const known = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(target.answers.get('quote.max_validity') ?? '');
  return known ? Number(known[1]) * (unitsMs[known[2] ?? ''] ?? 0) * 0.95 : Infinity;
}

/** The body of a quote; its deadline lies within the order's remaining life unless it is given exactly. */
export function quoteBody(
  t: ActionContext,
  order: PlacedOrder,
  options: QuoteOptions = {},
): Fields {
  const { latest } = targetNow(t);
  const wanted = latest + (options.validForMs ?? Math.min(usualValidityMs, boundMs(t)));
  const last = order.expiresAt === undefined ? wanted : order.expiresAt - beforeExpiryMs;
  const validUntil = options.validUntil ?? Math.min(wanted, Math.max(last, latest + 1));
  const rate = options.rate ?? '1';
  const amount = options.amount ?? wholeAmount(order.sent['target_amount'], rate, t.target.answers);
  return quoteBodyOf(rate, amount, validUntil);
}

/**
 * Deadline of a quote that was taken: as requested, or earlier if the target cut it to its order's life
 * (gap `quote.beyond_expiry`).
 */
export function grantedUntil(exchange: Exchange): number {
  const asked = parseTimestamp(textOf(exchange.request.body, 'valid_until'));
  const granted = parseTimestamp(fieldsOf(exchange)['valid_until']);
  return Math.min(asked ?? Infinity, granted ?? Infinity);
}

/** The quote that an answer shows; undefined if it shows none. */
export function placedQuote(maker: CastName, exchange: Exchange): PlacedQuote | undefined {
  const data = fieldsOf(exchange);
  const quoteId = textOf(data, 'quote_id');
  if (quoteId === undefined) return undefined;
  const validUntil = grantedUntil(exchange);
  return { quoteId, maker, sent: sentBody(exchange), data, exchange, validUntil };
}

/** Decimals of a rate beyond the usual four. */
const tooFine = /(?<=\.\d{4})\d+$/;

/**
 * Other options to try if a quote is refused. The admissible validity is open, so a long or a short one may be the
 * reason; and so is the number of decimals of a rate.
 */
function milderOptions({ rate = '1', validForMs }: QuoteOptions, free: boolean) {
  const brief = (validForMs ?? Infinity) < modestValidityMs;
  const modest = free || brief ? [{ validForMs: modestValidityMs }] : [];
  const coarse = { rate: rate.replace(tooFine, '') };
  // A very small rate may be cut to zero, which is no rate.
  if (coarse.rate === rate || Number(coarse.rate) === 0) return modest;
  return [...modest, coarse, ...modest.map((one) => ({ ...one, ...coarse }))];
}

/** A drawn rate for a quote whose check leaves it open, if this target's meaning of a quote's amount is known. */
function drawnRateOf(t: ActionContext, order: PlacedOrder, { amount }: QuoteOptions) {
  const { answers } = t.target;
  const means = answers.get('quote.target_amount');
  const known = means === 'target' || (means === 'source' && answers.get('quote.rate_orientation'));
  if (!t.draws || amount !== undefined || !known) return order.rate;
  return order.rate ?? drawRate(t.random, order.sent);
}

/** Quotes on an order; gives up if the target takes no quote. `sent` of the result is the body that was taken. */
export async function quote(
  t: ActionContext,
  maker: CastName,
  order: PlacedOrder,
  options: QuoteOptions = {},
): Promise<PlacedQuote> {
  const party = t.party(maker);
  const rate = options.rate ?? drawnRateOf(t, order, options);
  const wanted = rate === undefined ? options : { ...options, rate };
  const submit = (more: QuoteOptions) => async (): Promise<Exchange> =>
    party.call('quote.submit', {
      params: paramsOf(order),
      body: quoteBody(t, order, { ...wanted, ...more }),
    });
  const free = options.validForMs === undefined && options.validUntil === undefined;
  if (free && boundMs(t) < tooShortMs) {
    t.notExercised('quotes of this target are over too soon to do anything with them');
  }
  let exchange = await retryWhileRefused(t, submit({}));
  const plain = wanted.rate !== options.rate && order.rate === undefined ? [{ rate: '1' }] : [];
  for (const more of [...milderOptions(wanted, free), ...plain]) {
    if (!isRefusal(exchange)) break;
    exchange = await submit(more)();
  }
  const placed = placedQuote(maker, exchange);
  if (placed) return placed;
  await readAfterRefusal(t, order);
  return t.notExercised(`no quote was taken: ${describeExchange(exchange)}`, [exchange]);
}

/** Accepts a quote, by default as the creator of the order; gives up if that is refused. */
export async function accept(
  t: ActionContext,
  order: PlacedOrder,
  { quoteId }: Pick<PlacedQuote, 'quoteId'>,
  by: CastName = order.by,
): Promise<{ readonly data: Fields; readonly exchange: Exchange }> {
  const params = { ...paramsOf(order), quote_id: quoteId };
  const party = t.party(by);
  const exchange = await retryWhileRefused(t, () => party.call('quote.accept', { params }));
  if (!succeeded(exchange)) {
    await readAfterRefusal(t, order);
    t.notExercised(`the quote could not be accepted: ${describeExchange(exchange)}`, [exchange]);
  }
  return { data: fieldsOf(exchange), exchange };
}

/** Puts the order into the history after a refusal, so that the rules can see if there was a reason for it. */
const readAfterRefusal = (t: ActionContext, order: PlacedOrder): Promise<Exchange> =>
  t.party(order.by).call('order.read', { params: paramsOf(order) });

export interface TradeOptions extends QuoteOptions, Pick<CreateOptions, 'by'> {
  readonly maker?: CastName;
  /** The accepting party; the creator by default. */
  readonly acceptedBy?: CastName;
  /** Fields of the order. */
  readonly order?: Fields;
}

export interface QuotedOrder {
  readonly order: PlacedOrder;
  readonly quote: PlacedQuote;
}

/** An order with one quote. */
export async function quotedOrder(
  t: CheckContext,
  options: TradeOptions = {},
): Promise<QuotedOrder> {
  const isOpen = options.rate === undefined && options.amount === undefined;
  const order = await createOrder(t, options.order, {
    ...(options.by && { by: options.by }),
    ...(isOpen && { terms: 'exact' }),
  });
  return { order, quote: await quote(t, options.maker ?? 'maker_a', order, options) };
}

export interface AcceptedOrder extends QuotedOrder {
  readonly acceptance: { readonly data: Fields; readonly exchange: Exchange };
}

/** An order whose only quote was accepted. */
export async function acceptedOrder(
  t: CheckContext,
  options: TradeOptions = {},
): Promise<AcceptedOrder> {
  const quoted = await quotedOrder(t, options);
  const by = options.acceptedBy ?? quoted.order.by;
  return { ...quoted, acceptance: await accept(t, quoted.order, quoted.quote, by) };
}

export interface SettledOrder extends AcceptedOrder {
  readonly settled: ReachedState;
}

/** An order that has settled; gives up if it does not settle within 15 s. */
export async function settledOrder(
  t: CheckContext,
  options: TradeOptions = {},
): Promise<SettledOrder> {
  const accepted = await acceptedOrder(t, options);
  const { order } = accepted;
  const settled = await awaitStatus(t, order, ['SETTLED'], tolerance.settlement, order.by);
  if (!settled) t.notExercised('the order did not settle', [accepted.acceptance.exchange]);
  return { ...accepted, settled };
}
