import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  isRefusal,
  succeeded,
  matchesQuote,
  itemsOf,
  describeExchange,
} from '../../src/protocol/answers.ts';
import {
  orderBody,
  type PlacedOrder,
  placedOrder,
  cancelOptions,
  type OrderRef,
  paramsOf,
  readOrder,
  untilExpired,
} from '../../src/suite/actions/orders.ts';
import type { Exchange } from '../../src/history/records.ts';
import {
  type PlacedQuote,
  quotedOrder,
  type TradeOptions,
  placedQuote,
  quoteBody,
  type QuoteOptions,
} from '../../src/suite/actions/quotes.ts';
import { walkAllPages } from '../../src/suite/actions/page-walk.ts';
import { pollUntil, retryWhileRefused } from '../../src/suite/actions/context.ts';
import { paginationOf } from '../../src/protocol/pagination.ts';
import { assertAllowed } from '../../src/suite/actions/refusal-assertions.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { settlementTimeoutMs, expiryLagMs } from './waits.ts';

/** The currencies of an order and the size of its amounts. Yen have no minor unit. */
interface Money {
  readonly currencies: 'usual' | 'to-yen' | 'from-yen';
  readonly size: 'usual' | 'small' | 'large';
}

const amounts = {
  usual: { target_amount: '150000.00', source_amount_max: '300000.00' },
  small: { target_amount: '0.75', source_amount_max: '1.50' },
  large: { target_amount: '25000000.00', source_amount_max: '50000000.00' },
} as const;

const inYen = {
  usual: { target_amount: '150000', source_amount_max: '300000.00' },
  small: { target_amount: '75', source_amount_max: '150.00' },
  large: { target_amount: '25000000', source_amount_max: '50000000.00' },
} as const;

/** Fields of an order: whole amounts on the side of the yen. */
function moneyOf({ currencies, size }: Money): Fields {
  if (currencies === 'usual') return amounts[size];
  if (currencies === 'to-yen')
    return { ...inYen[size], source_currency: 'USD', target_currency: 'JPY' };
  const { target_amount, source_amount_max } = inYen[size];
  return {
    target_amount: `${target_amount}.00`,
    source_amount_max: source_amount_max.replace('.00', ''),
    source_currency: 'JPY',
    target_currency: 'EUR',
  };
}

interface Content {
  readonly creator: 'sender' | 'outsider';
  readonly money: Money;
  /** Fields that the order has in any case. */
  readonly fields?: Fields;
  readonly memo?: 'some' | 'none';
}

export interface Created {
  readonly order: PlacedOrder;
  /** The refusal of an order with this content, if the target takes it only with usual content. */
  readonly refused?: Exchange;
}

/** Creates an order with this content; with usual content if the target refuses it. */
export async function createWith(
  t: CheckContext,
  { creator, money, fields = {}, memo = 'some' }: Content,
): Promise<Created> {
  const body = orderBody(t, { ...moneyOf(money), ...fields }, creator);
  const { memo: _, ...bare } = body;
  const wanted = memo === 'none' ? bare : body;
  const first = await t.party(creator).call('order.create', { body: wanted });
  const plain = orderBody(t, fields, creator);
  const exchange = isRefusal(first)
    ? await t.party(creator).call('order.create', { body: plain })
    : first;
  const order = placedOrder(creator, exchange === first ? wanted : plain, exchange);
  if (!order) return t.notExercised('the order was not created', [first, exchange]);
  return { order, ...(exchange !== first && { refused: first }) };
}

/** The rules have judged that order's life; it was not the one of the title. */
export const otherContent = 'an order of these currencies, amounts and memo was refused';

/** Parties that accept quotes for the sender's side. */
export type Accepter = 'sender' | 'outsider' | 'sender_custodian';

/** One attempt to accept a quote. Judges nothing. */
export const tryAccept = (
  t: CheckContext,
  order: OrderRef,
  { quoteId }: Pick<PlacedQuote, 'quoteId'>,
  by: CastName = 'sender',
): Promise<Exchange> =>
  t.party(by).call('quote.accept', { params: { ...paramsOf(order), quote_id: quoteId } });

/** One attempt to quote. Judges nothing. */
export const tryQuote = (
  t: CheckContext,
  maker: CastName,
  order: PlacedOrder,
  options: QuoteOptions = {},
): Promise<Exchange> => {
  const body = quoteBody(t, order, options);
  return t.party(maker).call('quote.submit', { params: paramsOf(order), body });
};

/** Calls an endpoint of an order as a party, again while its backend may not know of the order. */
export const readAs = (t: CheckContext, by: CastName, endpoint: EndpointName, order: OrderRef) =>
  retryWhileRefused(t, () => t.party(by).call(endpoint, { params: paramsOf(order) }));

/** One attempt to cancel. Judges nothing. */
export const tryCancel = (t: CheckContext, order: OrderRef, by: CastName = 'sender') =>
  t.party(by).call('order.cancel', cancelOptions(t, order));

/**
 * Cancels an order that can be cancelled; with an empty object if the target wants a body (gap `cancel.request`). Reads
 * the order after a refusal, so that the rules can judge if there was a reason for it.
 */
export async function cancelOrder(t: CheckContext, order: OrderRef, by: CastName = 'sender') {
  const bare = await tryCancel(t, order, by);
  if (!isRefusal(bare)) return bare;
  const full = await t.party(by).call('order.cancel', { params: paramsOf(order), body: {} });
  if (succeeded(full)) return full;
  await t.party(by).call('order.read', { params: paramsOf(order) });
  return bare;
}

/** Sends calls at the same moment. */
export const simultaneously = (t: CheckContext, calls: readonly (() => Promise<Exchange>)[]) =>
  t.inOneMoment(() =>
    t.target.timeline.together(calls.map((call, index) => [`call ${index + 1}`, call])),
  );

interface ListedQuotes {
  readonly items: readonly Fields[];
  /** The first page of them. */
  readonly exchange: Exchange;
  /** True if these are all. False if the way to the pages after the first is unknown. */
  readonly whole: boolean;
}

/** Quotes of one call, and of further pages if they do not fit on the first. */
async function listed(
  t: CheckContext,
  by: CastName,
  endpoint: 'order.quotes' | 'rfq.quotes',
  order: OrderRef,
): Promise<ListedQuotes> {
  const [party, params] = [t.party(by), paramsOf(order)];
  const exchange = await party.call(endpoint, { params });
  const pages = paginationOf(exchange)?.total_pages ?? 1;
  if (pages <= 1) return { items: itemsOf(exchange), exchange, whole: true };
  const { items, ended } = await walkAllPages(t, party, endpoint, { params });
  return { items, exchange, whole: ended === 'whole' };
}

/** The quotes of an order as a party of its side lists them. */
export const quotesOf = (t: CheckContext, order: OrderRef, by: CastName = 'sender') =>
  listed(t, by, 'order.quotes', order);

/** A maker's own quotes on one request. */
export const ownQuotesOf = (t: CheckContext, order: OrderRef, maker: CastName) =>
  listed(t, maker, 'rfq.quotes', order);

export const findQuote = (items: readonly Fields[], placed: Pick<PlacedQuote, 'quoteId'>) =>
  items.find(matchesQuote(placed));

/** An order's quotes, after the taken ones have had time to be listed (gap `views.lag`). */
export const quotesOnceListed = (
  t: CheckContext,
  order: OrderRef,
  placed: readonly PlacedQuote[],
  by: CastName = 'sender',
): Promise<ListedQuotes> =>
  pollUntil(
    t,
    () => quotesOf(t, order, by),
    ({ items }) => placed.every((one) => findQuote(items, one) !== undefined),
  );

/** Requirements that the rules judge on every order that settles, whatever its circumstances. */
export const lifeRequirements = [
  'order.state.starts-pending',
  'quote.submit.order-stays-pending',
  'order.state.pending-to-quoted',
  'order.accepted.sets-quote-fields',
  'order.quote-id.names-accepted-quote',
  'order.market-maker-party-id.is-winner',
  'order.fx-rate.of-accepted-quote',
  'order.source-amount-actual.agrees-with-rate',
  'order.state.quoted-to-executing',
  'order.state.executing-to-settled',
  'order.settled.sets-hash',
  'limit.settlement-duration',
  'quote.state.accepted-stays-through-settlement',
  'settlement.read.returns-that-settlement',
  'service.order-to-settlement',
] as const satisfies readonly RequirementId[];

const acceptedBy = {
  sender: ['service.sender-accepts'],
  outsider: ['service.sender-accepts'],
  sender_custodian: ['service.sender-custodian-accepts', 'quote.accept.custodian-order-settles'],
} as const satisfies Record<Accepter, readonly RequirementId[]>;

export const lifeRequirementsOf = (by: Accepter = 'sender'): readonly RequirementId[] => [
  ...lifeRequirements,
  ...acceptedBy[by],
];

/** An order, the quote that is to be accepted, and the accepting party. */
export interface Trade {
  readonly order: PlacedOrder;
  readonly quote: PlacedQuote;
  readonly acceptedBy: Accepter;
}

export interface LifeOptions extends TradeOptions {
  readonly by?: 'sender' | 'outsider';
  readonly acceptedBy?: Accepter;
}

/** Creates, quotes, accepts and settles an order, with reads on its way: the rules judge them. */
export async function wholeLife(t: CheckContext, options: LifeOptions = {}): Promise<void> {
  const { by = 'sender' } = options;
  const quoted = await quotedOrder(t, options);
  await readOrder(t, quoted.order, by);
  await acceptAndSettle(t, { ...quoted, acceptedBy: options.acceptedBy ?? by });
}

/** Accepts a quote on an existing order and follows the order to its settlement. */
export async function acceptAndSettle(t: CheckContext, trade: Trade): Promise<Exchange> {
  const acceptance = await acceptQuote(t, trade);
  await followToSettlement(t, trade);
  return acceptance;
}

/** Accepts a quote that must be accepted: only the check knows that there is no reason for a refusal. */
export async function acceptQuote(t: CheckContext, { order, quote, acceptedBy: by }: Trade) {
  const acceptance = await retryWhileRefused(t, () => tryAccept(t, order, quote, by));
  const deadline = Math.min(quote.validUntil, order.expiresAt ?? Number.POSITIVE_INFINITY);
  if (!succeeded(acceptance) && acceptance.received + t.target.clock.offset.most >= deadline)
    t.notExercised('the acceptance came too late', [acceptance]);
  const what = `${by} accepting a valid quote of ${quote.maker}`;
  if (!assertAllowed(t, acceptedBy[by][0], acceptance, what)) {
    await readOrder(t, order, order.by);
    t.notExercised(`the quote was not accepted: ${describeExchange(acceptance)}`, [acceptance]);
  }
  return acceptance;
}

/** Follows an accepted order until it has settled, and looks at its quote and its settlement then. */
export async function followToSettlement(t: CheckContext, trade: Trade): Promise<void> {
  await followToSettled(t, trade);
  const { order } = trade;
  await quotesOf(t, order, order.by);
  await readSettlement(t, trade);
}

export const readSettlement = (t: CheckContext, { order, quote }: Trade): Promise<Exchange> =>
  readAs(t, quote.maker, 'settlement.read', order);

/** Follows an accepted order until it has settled. */
export async function followToSettled(
  t: CheckContext,
  { order, acceptedBy }: Trade,
): Promise<void> {
  // The answer to the creator's own acceptance was the order.
  if (acceptedBy !== order.by) await readOrder(t, order, order.by);
  // An open stream announces EXECUTING: without one, reads must find it.
  if (!t.party(order.by).events.isOpen)
    await awaitStatus(t, order, ['EXECUTING', 'SETTLED'], settlementTimeoutMs, order.by);
  await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs, order.by);
}

/** Waits until `beforeMs` before an order's own deadline; out of scope if that is longer than the admissible wait. */
export async function untilNear(t: CheckContext, order: PlacedOrder, beforeMs: number) {
  const { expiresAt } = order;
  if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
  const { timeline, clock } = t.target;
  const until = expiresAt - clock.offset.most - beforeMs;
  t.allowWait(until - timeline.now() + beforeMs, "this target's orders' life");
  await timeline.until(until);
  return expiresAt;
}

export const expiryRequirements = [
  'order.state.pending-to-expired',
  'order.state.pending-to-expired.not-early',
  'order.state.expired-absorbs',
  'order.quote-id.not-before-acceptance',
] as const satisfies readonly RequirementId[];

/** Reads an order just before its deadline, once the deadline must have taken effect, and a second later. */
export async function followToExpiry(t: CheckContext, order: PlacedOrder): Promise<void> {
  await untilNear(t, order, 600);
  await readOrder(t, order, order.by);
  await untilExpired(t, order);
  const expired = await awaitStatus(t, order, ['EXPIRED'], expiryLagMs, order.by);
  await untilExpired(t, order, expiryLagMs);
  if (!expired) await readOrder(t, order, order.by);
  await t.target.timeline.sleep(1_000);
  await readOrder(t, order, order.by);
}

/** A quote valid beyond its order's deadline; undefined if the target takes none (gap `quote.beyond_expiry`). */
export async function quoteBeyondExpiry(t: CheckContext, maker: CastName, order: PlacedOrder) {
  const { expiresAt } = order;
  if (expiresAt === undefined) return undefined;
  const body = quoteBody(t, order, { validUntil: expiresAt + 20_000 });
  const exchange = await retryWhileRefused(t, () =>
    t.party(maker).call('quote.submit', { params: paramsOf(order), body }),
  );
  const placed = placedQuote(maker, exchange);
  return placed && placed.validUntil > expiresAt ? placed : undefined;
}
