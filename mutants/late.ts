import type { Order } from '../src/reference/core/index.ts';
import type { AdmissionContext, TamperContext } from '../src/reference/http/index.ts';
import { parseTimestamp } from '../src/spec/forms.ts';
import { isPending } from './defects/conditions.ts';
import { byReceiverCustodian, isByCustodian } from './defects/stored.ts';
import type { Asking } from './defects/context.ts';
import { part, quotesOn } from './defects/reading.ts';
import type { Json } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

/** True if a PENDING order expires within `ms` milliseconds. */
const isPendingFor = (order: Order | undefined, now: number, ms: number): boolean =>
  order !== undefined && isPending(order) && order.expiresAt - now <= ms;

const lifeOf = ({ createdAt, expiresAt }: Order): number => expiresAt - createdAt;

const minutesSinceSettled = ({ order, now }: Asking): number =>
  order?.settled ? (now - order.settled.at) / 60_000 : 0;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Since the service was first asked for something. */
function minutesUp({ memory, now }: TamperContext): number {
  const since = memory.get('first asked') as number | undefined;
  if (since === undefined) memory.set('first asked', now);
  return (now - (since ?? now)) / minuteMs;
}

const dayOf = (instant: number): number => Math.floor(instant / dayMs);

/** Milliseconds since the token of a request expired; negative: it has not. */
function msExpired({ authorization, now }: AdmissionContext): number {
  const exp = part(authorization, 1)?.exp;
  return typeof exp === 'number' ? now - exp * 1_000 : Number.NaN;
}

/** Mistakes that show late, or at some distance from a deadline. */
export const lateMutations: readonly Written[] = [
  // Mistakes that show late: in the last part of an order's life, and long after its end.
  mutation('half-a-life-for-quotes', 'access.quote.submit.market-maker-allowed')
    .summary('A request is quoted in the first half of its life only.')
    .ignored(
      'quote.submit',
      ({ order, now }) => order && now - order.createdAt > lifeOf(order) / 2,
    ),
  mutation('no-quotes-at-last', 'access.quote.submit.market-maker-allowed')
    .summary('A request that expires within ten seconds is not quoted any more.')
    .ignored('quote.submit', ({ order, now }) => order && order.expiresAt - now < 10_000),
  mutation('quote-that-ends-with-its-order-refused', 'access.quote.submit.market-maker-allowed')
    .summary('A quote is refused if it ends with its order; later and earlier ends are taken.')
    .ignored('quote.submit', ({ order, body }) => {
      const { valid_until } = (body ?? {}) as Json;
      return order !== undefined && parseTimestamp(valid_until) === order.expiresAt;
    }),
  mutation('quote-that-ends-with-its-order-not-accepted', 'order.expires-at.acceptable-until')
    .summary('A quote that ends with its order is taken, and its acceptance is refused.')
    .ignored('quote.accept', ({ order, quote }) => order && quote?.validUntil === order.expiresAt),
  mutation('no-cancel-at-last', 'order.cancel.pending-with-quotes')
    .summary('A PENDING order that expires within ten seconds is not cancelled any more.')
    .ignored('order.cancel', ({ order, now }) => isPendingFor(order, now, 9_999)),
  mutation('settled-order-unreadable-after-an-hour', 'order.read.returns-that-order')
    .also('order.read.by-sender-custodian')
    .summary('An hour after it settled an order can be read no more.')
    .ignored('order.read', (context) => minutesSinceSettled(context) > 60),
  mutation('settlement-unreadable-after-an-hour', 'settlement.read.returns-that-settlement')
    .summary('An hour after it settled a settlement can be read no more, though it is listed.')
    .ignored('settlement.read', (context) => minutesSinceSettled(context) > 60),
  mutation('quotes-gone-after-half-an-hour', 'order.quotes.complete')
    .also('order.quotes.by-sender-custodian')
    .summary('Half an hour after it settled an order has no quotes any more.')
    .ignored('order.quotes', (context) => minutesSinceSettled(context) > 30),
  // Mistakes of a service that has run for a while, or has seen a day end.
  mutation('quotes-lapse-in-the-first-minutes-only', 'quote.state.pending-to-expired')
    .summary('Three minutes after the start quotes do not expire any more where another stands.')
    .deadline((deadline, context) => {
      const isRivalled = quotesOn(context, deadline.intentId).length > 1;
      const isLost = minutesUp(context) > 3 && deadline.kind === 'quote-expiry' && isRivalled;
      return isLost ? undefined : deadline;
    }),
  mutation('no-custodian-acceptance-after-an-hour', 'service.sender-custodian-accepts')
    .summary('An hour after the start custodians can accept no quote any more.')
    .ignored('quote.accept', (context) => minutesUp(context) > 60 && isByCustodian(context)),
  mutation('filtered-list-of-the-day', 'order.list.status-filter.complete')
    .summary('Filtered by a status the list of orders holds those of the present day only.')
    .hideOrders(
      ({ createdAt }, { now }) => dayOf(createdAt) !== dayOf(now),
      ({ query }) => query.status !== undefined,
    ),
  mutation('no-orders-in-a-second-quarter', 'access.order.create.institution-allowed')
    .summary('From ten minutes after the start until half an hour later no order is taken.')
    .ignored('order.create', (context) => minutesUp(context) > 10 && minutesUp(context) < 40),
  mutation('no-orders-after-an-hour', 'access.order.create.institution-allowed')
    .summary('An hour after the start no order is taken any more.')
    .ignored('order.create', (context) => minutesUp(context) > 60),
  mutation('receiver-custodian-reads-for-five-minutes', 'order.read.by-receiver-custodian')
    .summary("Five minutes after an order's creation the receiver's custodian can read it no more.")
    .ignored('order.read', (asked) => {
      const { order, now } = asked;
      return byReceiverCustodian(asked, asked) && order && now - order.createdAt > 5 * minuteMs;
    }),
  // Mistakes that show at some distance from a deadline alone, or at one place of a token or an id.
  mutation('no-acceptance-in-the-last-ten-milliseconds', 'quote.state.usable-until-deadline')
    .summary('A quote cannot be accepted in the last ten milliseconds of its validity.')
    .lost('quote.accept', ({ quote, now }) => quote && quote.validUntil - now <= 10),
  mutation(
    'no-acceptance-by-custodians-in-the-last-milliseconds',
    'quote.state.usable-until-deadline',
  )
    .summary('A custodian cannot accept a quote in the last 50 milliseconds of its validity.')
    .ignored('quote.accept', (asked) => {
      const leftMs = (asked.quote?.validUntil ?? Infinity) - asked.now;
      return isByCustodian(asked) && leftMs > 0 && leftMs <= 50;
    }),
  mutation('quotes-to-a-whole-second-end-early', 'quote.state.usable-until-deadline')
    .summary('A quote that ends on a whole second cannot be accepted in the second before.')
    .lost('quote.accept', ({ quote, now }) => {
      return quote && quote.validUntil % 1_000 === 0 && quote.validUntil - now < 1_000;
    }),
  mutation('quotes-good-for-ten-milliseconds-more', 'order.accept.expired-quote-refused')
    .summary('Deadlines take effect ten milliseconds late.')
    .rule('time', ({ passed, end }) => ({
      passed: (now, deadline) => passed(now - 10, deadline),
      end: (deadline) => end(deadline) + 10,
    })),
  mutation('no-cancel-of-quoted-upon-in-the-last-milliseconds', 'order.cancel.pending-with-quotes')
    .summary(
      'An order that has quotes cannot be cancelled in the last 300 milliseconds of its life.',
    )
    .ignored('order.cancel', ({ order, quotes, now }) => {
      return quotes.length > 0 && isPendingFor(order, now, 300);
    }),
  mutation('no-late-acceptance-of-longer-quotes-by-custodians', 'order.expires-at.acceptable-until')
    .summary(
      'A custodian cannot accept a quote that outlives its order in the last 300 ms of that.',
    )
    .ignored('quote.accept', (asked) => {
      const { order, quote, now } = asked;
      const isLonger = quote && order && quote.validUntil > order.expiresAt;
      return isByCustodian(asked) && isLonger && isPendingFor(order, now, 300);
    }),
  mutation('no-cancel-in-the-last-ten-milliseconds', 'order.cancel.pending')
    .summary('An order cannot be cancelled in the last ten milliseconds of its life.')
    .ignored('order.cancel', ({ order, now }) => isPendingFor(order, now, 10)),
  mutation('expired-tokens-are-forgotten-for-some-minutes', 'auth.expired-token-401')
    .summary('From half a minute to five minutes after its end a token is good.')
    .pass('token_expired', (context) => {
      const ms = msExpired(context);
      return ms > 30_000 && ms < 300_000;
    }),
  mutation('end-of-signature-not-compared', 'auth.forged-signature-refused')
    .summary('Of a token that was good before the last eighth of the signature may be another.')
    .gate((decided, { authorization = '', memory }) => {
      const known = `token ${authorization.slice(0, -10)}`;
      if (decided === 'admitted') memory.set(known, true);
      return decided === 'token_invalid' && memory.has(known) ? true : undefined;
    }),
  mutation('ids-read-up-to-their-length', 'error.refusal-is-4xx')
    .summary('Of a longer text in the place of an id the first 36 characters are looked up.')
    .setParams(['settlement.read', 'proposal.accept'], ({ params }) => {
      const { intent_id: id = '' } = params;
      return id.length > 36 && { intent_id: id.slice(0, 36) };
    }),
];
