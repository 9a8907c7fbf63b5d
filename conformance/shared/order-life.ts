import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  assertAllowed,
  awaitStatus,
  describeExchange,
  type PlacedOrder,
  type PlacedQuote,
  quotedOrder,
  readOrder,
  retryWhileRefused,
  paramsOf,
  succeeded,
  type TradeOptions,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { ownQuotesOf, quotesOf } from './listed-quotes.ts';
import { type Accepter, tryAccept } from './order-calls.ts';
import { settlementTimeoutMs } from './waits.ts';

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
export async function acceptQuote(
  t: CheckContext,
  { order, quote, acceptedBy: by }: Trade,
): Promise<Exchange> {
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
export async function followToSettlement(t: CheckContext, { order, quote }: Trade): Promise<void> {
  await readOrder(t, order, order.by);
  for (const states of [['EXECUTING', 'SETTLED'], ['SETTLED']] as const)
    await awaitStatus(t, order, states, settlementTimeoutMs, order.by);
  await quotesOf(t, order, order.by);
  await ownQuotesOf(t, order, quote.maker);
  await retryWhileRefused(t, () =>
    t.party(quote.maker).call('settlement.read', { params: paramsOf(order) }),
  );
}
