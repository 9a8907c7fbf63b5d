import { type Order, orderOf } from '../../src/reference/core/index.ts';
import type { FrameContext } from '../../src/reference/http/index.ts';
import { ordersBy, part } from '../defects/reading.ts';
import type { Json } from '../defects/values.ts';
import { type Written, mutation } from '../mutation.ts';

const statusIn = (text: string): string | undefined => /"status":"([A-Z]+)"/.exec(text)?.[1];
const isEnd = (text: string): boolean =>
  ['SETTLED', 'FAILED', 'EXPIRED'].includes(statusIn(text) ?? '');

/** Position of a stream among those of its party, by their first frames, from 1. */
function placeAmongOwn({ party, stream, memory }: FrameContext): number {
  const key = `streams of ${party?.partyId}`;
  const own = (memory.get(key) as readonly number[] | undefined) ?? [];
  const known = own.includes(stream) ? own : [...own, stream];
  memory.set(key, known);
  return known.indexOf(stream) + 1;
}

const isFirstOf = ({ stream, memory }: FrameContext, what: string): boolean => {
  const key = `${what} ${stream}`;
  const isFirst = !memory.has(key);
  memory.set(key, true);
  return isFirst;
};

const dayMs = 86_400_000;
const dayOf = (moment: number): number => Math.floor(moment / dayMs);
const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();
const monthOf = (moment: number): number => new Date(moment).getUTCMonth();

/** Every text of a resource that is a moment on the leap day is one of the day after. */
const withoutLeapDay = (item: Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/^(\d{4})-02-29T/, '$1-03-01T') : value,
    ]),
  );

const isAcrossMidnight = ({ createdAt }: Order, now: number): boolean =>
  dayOf(createdAt) !== dayOf(now);

/** Defects of growth, of streams, and of the calendar. */
export const streamCanaries: readonly Written[] = [
  // Defects that need many items, or an earlier event.
  mutation('twentieth-order-not-listed', 'order.list.complete')
    .summary('The twentieth order of a party is forgotten in its lists.')
    .listOrders(({ ownOrders, fits }) => {
      const forgotten = ownOrders.toReversed()[19];
      return forgotten && ownOrders.filter((one) => fits(one) && one !== forgotten);
    }),
  mutation('twelfth-order-never-settles', 'order.state.executing-to-settled')
    .summary('The twelfth order of a sender, and each after it, executes for ever.')
    .unplanned('settlement-leg', (context) => {
      const { order } = context;
      const place = ordersBy(context, order?.senderPartyId).findIndex(({ id }) => id === order?.id);
      return place >= 11;
    }),
  mutation('after-a-failure-nobody-hears-of-settlements', 'event.order-updated.on-settled')
    .summary('A sender of which an order has failed is not told any more that one settled.')
    .unsent('order_updated', (context) => {
      const { order, status, toSender } = context;
      const own = ordersBy(context, order?.senderPartyId);
      const hasFailed = own.some((one) => one.status === 'FAILED' && one.accepted);
      return toSender && status === 'SETTLED' && hasFailed;
    }),
  mutation('sixth-quote-of-an-order-untold', 'event.quote-received.every-quote')
    .summary('From the fourth quote on an order on, nobody is told.')
    .unsent('quote_received', ({ quotes }) => quotes.length >= 4),
  mutation('fifth-settlement-of-a-maker-not-listed', 'settlement.list.holds-won')
    .summary('A maker with three settlements finds the first two of them alone.')
    .envelopes('settlement.list', (envelope) => {
      const { data, pagination } = envelope;
      const isCut = Array.isArray(data) && data.length >= 3;
      return isCut && pagination ? { ...envelope, data: data.slice(-2) } : envelope;
    }),
  mutation('many-requests-at-once-break-a-list', 'order.list.complete')
    .summary('Of more than five reads of a party in one millisecond the last fail.')
    .setAnswer(['order.list', 'rfq.list'], (_, context) => {
      const { now, party } = context;
      return context.count(`${party?.partyId} ${now}`) > 5 && { status: 500, body: undefined };
    }),
  mutation('token-of-its-last-second-refused', 'auth.token-lasts-until-expiry')
    .summary('A token is refused within its last second.')
    .bar(({ authorization, now }) => {
      const { exp } = part(authorization, 1) ?? {};
      return typeof exp === 'number' && exp * 1_000 - now <= 1_000;
    }),
  // Defects on a stream that is not the first one, not the only one, or was interrupted.
  mutation('fourth-stream-is-silent', 'event.every-open-stream')
    .summary('The fourth stream of a party has heartbeats and nothing else.')
    .frame((text, context) => {
      const isSilent = placeAmongOwn(context) === 4 && context.event !== 'heartbeat';
      return isSilent && context.event !== 'connected' ? undefined : text;
    }),
  mutation('resumed-stream-misses-its-first', 'event.order-updated.sent')
    .summary('A resumed stream begins with the second message that was missed.')
    .frame((text, context) => {
      const isBeat = context.event === 'heartbeat' || context.event === 'connected';
      return context.resumed && !isBeat && isFirstOf(context, 'resumed') ? undefined : text;
    }),
  mutation('resumed-stream-misses-ends', 'event.order-updated.sent')
    .summary('A resumed stream leaves out how orders ended.')
    .frame((text, { event, resumed }) => {
      return resumed && event === 'order_updated' && isEnd(text) ? undefined : text;
    }),
  mutation('resumed-after-a-heartbeat-misses-that-moment', 'event.order-updated.sent')
    .summary('What happens in the second of a heartbeat is left out for who resumes later.')
    .frame((text, { event, resumed, now, memory, intentId, state }) => {
      if (event === 'heartbeat') memory.set('beat', now);
      const ended = orderOf(state, intentId ?? '');
      const near = Number(memory.get('beat') ?? Number.NEGATIVE_INFINITY);
      const isLost = resumed && event === 'order_updated' && ended && now - near < 1_000;
      return isLost ? undefined : text;
    }),
  mutation('told-twice-after-a-resume', 'event.order-updated.once')
    .summary('The first message of a resumed stream is sent twice.')
    .frame((text, context) => {
      const isOwn = context.event === 'order_updated' && context.resumed;
      return isOwn && isFirstOf(context, 'twice') ? `${text}${text}` : text;
    }),
  mutation('filtered-stream-not-told-of-settlement', 'event.order-updated.on-settled')
    .summary('A stream that is limited to one order is not told that it settled.')
    .frame((text, { event, filter }) => {
      const isEndOf = event === 'order_updated' && statusIn(text) === 'SETTLED';
      return filter !== undefined && isEndOf ? undefined : text;
    }),
  mutation('heartbeat-displaces-an-event', 'event.order-updated.sent')
    .summary('An event within a millisecond after a heartbeat of the same stream is dropped.')
    .frame((text, { event, now, stream, memory }) => {
      if (event === 'heartbeat') memory.set(`beat ${stream}`, now);
      const beat = Number(memory.get(`beat ${stream}`) ?? Number.NEGATIVE_INFINITY);
      return event !== 'heartbeat' && event !== 'connected' && now - beat <= 1 ? undefined : text;
    }),
  mutation('loser-untold-where-it-quoted-twice', 'event.quote-rejected.to-every-loser')
    .summary('A maker that quoted twice is not told that it lost.')
    .unsent('quote_rejected', ({ quotes, to }) => {
      return quotes.filter(({ makerPartyId }) => makerPartyId === to).length >= 2;
    }),
  mutation('slow-event-overtaken', 'event.in-order')
    .summary('Of every third order of a party the start of its settlement is told after its end.')
    .eventDelay((event, context) => {
      const data = event.data as { readonly status?: unknown };
      const isStart = event.event === 'order_updated' && data.status === 'EXECUTING';
      return isStart && context.count(`starts ${event.to}`) % 3 === 0 ? 4_500 : 0;
    }),
  // Defects that need a turn of the day, month or year while something else is under way.
  mutation('settlement-over-midnight-a-day-late', 'order.state.executing-to-settled')
    .summary('An order accepted just before midnight UTC settles a day late.')
    .delayed('settlement-leg', dayMs, ({ deadline: { at }, order }) => {
      return dayOf(order?.accepted?.acceptedAt ?? at) !== dayOf(at);
    }),
  mutation('no-leap-day', 'order.created-at.at-creation')
    .summary('The moments of orders on 29 February are written as of 1 March.')
    .set(['order.read', 'order.list', 'order.create'], withoutLeapDay),
  mutation('order-over-new-year-expires-in-the-old-year', 'order.expires-at.after-creation')
    .summary(
      'An order that is created in one year and expires in the next is shown to expire a year earlier.',
    )
    .showOrders(({ createdAt, expiresAt }) => {
      const isTurn = yearOf(createdAt) !== yearOf(expiresAt);
      return isTurn && { expiresAt: expiresAt - 365 * dayMs };
    }),
  mutation('orders-of-last-month-not-counted-by-filters', 'order.list.status-filter.complete')
    .summary('Lists of orders that are filtered by a status begin with the month.')
    .hideOrders(
      ({ createdAt }, { now }) => monthOf(createdAt) !== monthOf(now),
      ({ query }) => query.status !== undefined,
    ),
  mutation('expiry-after-midnight-untold', 'event.order-updated.on-expired')
    .summary('Who created an order yesterday is not told that it expired today.')
    .unsent('order_updated', ({ order, status, now, toSender }) => {
      return order && toSender && status === 'EXPIRED' && isAcrossMidnight(order, now);
    }),
  mutation('cancel-after-midnight-forgets-its-reason', 'order.failure-reason.user-cancelled')
    .summary('An order of yesterday that is cancelled today has no reason.')
    .storeOrder((order, before, { now }) => {
      const isEnd = order.failureReason === 'USER_CANCELLED' && before !== undefined;
      return isEnd && isAcrossMidnight(order, now) && { failureReason: undefined };
    }),
];
