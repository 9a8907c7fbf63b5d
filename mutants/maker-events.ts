import {
  type OutgoingEvent,
  type StepOutcome,
  orderOf,
  ordersOf,
} from '../src/reference/core/index.ts';
import type { FrameContext, Tamper } from '../src/reference/http/index.ts';
import { statusIs } from './defects/conditions.ts';
import { quotesBy } from './defects/stored.ts';
import type { Asking } from './defects/context.ts';
import type { Telling } from './defects/events.ts';
import { makersIn, ordersBy, quotesOn } from './defects/reading.ts';
import { type Json, hashLike, written } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

/** Events that tell the other makers of a request once more, after it was quoted. */
function toOtherMakers(
  event: 'quote_request_new' | 'quote_request_expired',
  { reply, state }: StepOutcome,
  { order, caller, ...context }: Asking,
): readonly OutgoingEvent[] {
  if (!order || reply?.ok !== true) return [];
  const data = state.world.policy.views.rfqItem(order);
  const others = makersIn(context).filter((maker) => maker !== caller.partyId);
  return others.map((to) => ({ to, event, intentId: order.id, data }));
}

const hasRivals = ({ bidders }: Telling): boolean => bidders.length > 1;

const hasTwoQuotes = ({ quotes, to }: Telling): boolean => quotesBy(to, quotes).length > 1;

/** Makers that have not quoted. */
const bystanders = ({ makers, bidders }: Telling): readonly string[] =>
  makers.filter((maker) => !bidders.includes(maker));

/** Drops one kind of event if the caller is a custodian. */
const silentForCustodian =
  (name: OutgoingEvent['event']) =>
  ({ events }: StepOutcome, { caller }: Asking): Partial<StepOutcome> | false =>
    caller.role === 'custodian' && { events: events.filter(({ event }) => event !== name) };

type Sent = Readonly<Record<'text' | 'intentId' | 'to', string>>;

/** A resumed stream begins with the latest message, to whomever, that a condition takes for one it has missed. */
const replaying =
  (isMissed: (sent: Sent, context: FrameContext) => boolean): NonNullable<Tamper['frame']> =>
  (text, context) => {
    const { memory, party, intentId, resumed, stream } = context;
    const latest = (memory.get('sent') as readonly Sent[] | undefined) ?? [];
    if (party && intentId !== undefined && !resumed) {
      memory.set('sent', [{ text, intentId, to: party.partyId }, ...latest].slice(0, 500));
    }
    if (!resumed || memory.has(`replayed ${stream}`)) return text;
    memory.set(`replayed ${stream}`, true);
    return `${latest.find((sent) => isMissed(sent, context))?.text ?? ''}${text}`;
  };

/** Events to market makers, and streams (parts 6 and 8). */
export const makerEventMutations: readonly Written[] = [
  // Defects in the events to market makers: requests, selections and settlements (part 6).
  mutation('third-maker-not-told-of-requests', 'event.quote-request-new.to-every-maker')
    .summary('New requests are told to the first two makers.')
    .rule('events', () => ({ announcedTo: (makers) => makers.slice(0, 2) })),
  mutation('second-open-request-not-told', 'event.quote-request-new.sent')
    .summary('A request of a sender that has another open is not told.')
    .unsent('quote_request_new', (context) => {
      const own = ordersBy(context, context.order?.senderPartyId);
      return own.filter(statusIs('PENDING')).length > 1;
    }),
  mutation('requests-told-of-one-currency', 'event.quote-request-new.sent')
    .summary('Only requests that pay in dollars are told.')
    .unsent('quote_request_new', ({ order }) => order?.sourceCurrency !== 'USD'),
  mutation('busy-makers-not-told-of-requests', 'event.quote-request-new.sent')
    .also('event.quote-request-new.to-every-maker')
    .summary('A maker with a quote still pending elsewhere is not told of new requests.')
    .unsent('quote_request_new', (context) => {
      const open = ordersBy(context, context.order?.senderPartyId).filter(statusIs('PENDING'));
      const quotes = open.flatMap(({ id }) => quotesOn(context, id));
      return quotes.some(({ makerPartyId }) => makerPartyId === context.to);
    }),
  mutation('request-told-twice', 'event.quote-request-new.once')
    .summary('A request is told to the last maker twice.')
    .repeated('quote_request_new', ({ to, makers }) => to === makers.at(-1)),
  mutation('request-told-again-once-quoted', 'event.quote-request-new.once')
    .summary('A quote makes its request new again for the other makers.')
    .tellMore('quote.submit', (...of) => toOtherMakers('quote_request_new', ...of)),
  mutation('request-told-by-number', 'event.quote-request-new.names-request')
    .summary('quote_request_new does not name the request.')
    .dropPayload('quote_request_new', 'intent_id'),
  mutation('request-told-with-maximum', 'event.quote-request-new.agrees-with-read')
    .summary('quote_request_new gives the maximum of the sender as the amount.')
    .setPayload('quote_request_new', (_, { order }) => ({ target_amount: order?.sourceAmountMax })),
  mutation('no-event-on-expired-request', 'event.quote-request-expired.sent')
    .summary('The expiry of a request is not told where somebody has quoted it.')
    .unsent('quote_request_expired', ({ bidders }) => bidders.length > 0),
  mutation('request-expired-told-on-first-quote', 'event.quote-request-expired.not-while-open')
    .summary('A quote sends quote_request_expired to the other makers, who may still quote.')
    .tellMore('quote.submit', (...of) => toOtherMakers('quote_request_expired', ...of)),
  mutation('request-expired-told-twice', 'event.quote-request-expired.once')
    .summary('A maker that has quoted is told of the expiry twice: as all are, and for its quote.')
    .repeated('quote_request_expired', ({ bidders, to }) => bidders.includes(to)),
  mutation('request-told-before-it-is-looked-at', 'error.refusal-sends-no-event')
    .summary('Makers are told of a request before the maximum of its order is looked at.')
    .tellMore('order.create', ({ reply }, context) => {
      const { source_currency, target_amount, target_currency } = (context.body ?? {}) as Json;
      if (reply?.ok !== false || typeof target_amount !== 'string') return undefined;
      const intentId = '00000000-0000-4000-8000-0000000000ff';
      const now = written(context.now);
      const about = { intent_id: intentId, created_at: now, expires_at: now };
      const data = { ...about, source_currency, target_amount, target_currency } as never;
      return makersIn(context).map((to) => ({ to, event: 'quote_request_new', intentId, data }));
    }),
  mutation('winner-not-told-among-rivals', 'event.quote-accepted.sent')
    .summary('Where several makers have quoted, the winner is not told.')
    .unsent('quote_accepted', hasRivals),
  mutation('winner-not-told-when-custodian-accepts', 'event.quote-accepted.on-custodian-acceptance')
    .summary('An acceptance by the custodian sends no quote_accepted.')
    .outcomes('quote.accept', silentForCustodian('quote_accepted')),
  mutation('losers-told-of-acceptance-too', 'event.quote-accepted.not-to-others')
    .summary('quote_accepted goes to every maker that has quoted.')
    .addressed('quote_accepted', ({ bidders }) => bidders),
  mutation('bystanders-told-of-acceptance', 'event.quote-accepted.not-to-others')
    .summary('quote_accepted goes to makers that have not quoted, as market information.')
    .alsoTo('quote_accepted', bystanders),
  mutation('acceptance-told-for-each-own-quote', 'event.quote-accepted.once')
    .summary('A winner with two quotes on the order is told twice.')
    .repeated('quote_accepted', hasTwoQuotes),
  mutation('acceptance-told-again-on-settlement', 'event.quote-accepted.once')
    .summary('quote_accepted comes again when the settlement starts.')
    .tellMoreWhenDue('settlement-start', (_, { order }) => {
      if (order?.status !== 'EXECUTING' || !order.accepted) return undefined;
      const { rate, makerPartyId: to } = order.accepted;
      const data = { intent_id: order.id, fx_rate: rate };
      return [{ to, event: 'quote_accepted', intentId: order.id, data }];
    }),
  mutation('acceptance-names-quote-only', 'event.quote-accepted.has-intent-id')
    .summary('quote_accepted names the quote and not the order.')
    .dropPayload('quote_accepted', 'intent_id'),
  mutation('acceptance-without-rate-to-makers', 'event.quote-accepted.has-fx-rate')
    .summary('quote_accepted carries no rate where there were rivals.')
    .dropPayloadWhen('quote_accepted', hasRivals, 'fx_rate'),
  mutation('acceptance-with-rate-of-a-rival', 'event.quote-accepted.agrees-with-quote')
    .summary('quote_accepted carries the rate of the first quote on the order.')
    .setPayload('quote_accepted', (_, { quotes }) => ({ fx_rate: quotes[0]?.rate })),
  mutation('acceptance-names-the-first-quote', 'event.quote-accepted.agrees-with-quote')
    .summary('quote_accepted names the first quote on the order, whichever was selected.')
    .setPayload('quote_accepted', (_, { quotes }) => ({ quote_id: quotes[0]?.id })),
  mutation('losers-not-told', 'event.quote-rejected.sent')
    .summary('Nobody is told that its quote lost.')
    .unsent('quote_rejected', () => true),
  mutation('second-loser-not-told', 'event.quote-rejected.to-every-loser')
    .summary('Of two losers the later one is not told.')
    .unsent('quote_rejected', ({ order, bidders, to }) => {
      return bidders.filter((one) => one !== order?.accepted?.makerPartyId)[0] !== to;
    }),
  mutation('selection-told-after-settlement', 'event.in-order')
    .summary('The winner is told of its selection after it was told that the trade settled.')
    .eventDelay((event) => (event.event === 'quote_accepted' ? 4_100 : 0)),
  mutation('losers-with-two-quotes-not-told', 'event.quote-rejected.sent')
    .summary('A maker that quoted twice is not told that it lost.')
    .unsent('quote_rejected', hasTwoQuotes),
  mutation('losers-with-a-lapsed-quote-not-told', 'event.quote-rejected.sent')
    .summary('A maker that has a lapsed quote as well is not told that its other one lost.')
    .unsent('quote_rejected', ({ quotes, to }) => quotesBy(to, quotes).some(statusIs('EXPIRED'))),
  mutation('losers-not-told-when-custodian-accepts', 'event.quote-rejected.on-custodian-acceptance')
    .summary('An acceptance by the custodian sends no quote_rejected.')
    .outcomes('quote.accept', silentForCustodian('quote_rejected')),
  mutation('winner-told-that-it-lost', 'event.quote-rejected.not-to-winner')
    .summary('quote_rejected goes to all makers that have quoted, the winner among them.')
    .alsoTo('quote_rejected', (context) => {
      const { id = '', accepted } = context.order ?? {};
      return context.count(id) === 1 && accepted?.makerPartyId;
    }),
  mutation('bystander-told-that-it-lost', 'event.quote-rejected.not-to-uninvolved')
    .summary('quote_rejected goes to makers that have not quoted, as the request is gone.')
    .events('quote_accepted', (event, context) => {
      const lost = { event: 'quote_rejected', data: { intent_id: event.intentId } };
      return [event, ...bystanders(context).map((to) => ({ ...event, ...lost, to }))];
    }),
  mutation('loss-told-twice', 'event.quote-rejected.once')
    .summary('With two losers each is told twice.')
    .repeated('quote_rejected', ({ bidders }) => bidders.length > 2),
  mutation('loss-names-no-order', 'event.quote-rejected.has-intent-id')
    .summary('quote_rejected names the quote and not the order.')
    .dropPayload('quote_rejected', 'intent_id'),
  mutation('loss-names-the-winner', 'event.quote-rejected.keeps-winner-secret')
    .summary('quote_rejected tells who won.')
    .setPayload('quote_rejected', (_, { order }) => ({ won_by: order?.accepted?.makerPartyId })),
  mutation('settlement-not-told-among-rivals', 'event.settlement-completed.sent')
    .summary('Where there were rivals settlement_completed is not sent.')
    .unsent('settlement_completed', hasRivals),
  mutation('settlement-told-to-losers', 'event.settlement-completed.not-to-others')
    .summary('settlement_completed goes to every maker that has quoted.')
    .addressed('settlement_completed', ({ bidders }) => bidders),
  mutation('settlement-told-twice', 'event.settlement-completed.once')
    .summary('settlement_completed is sent twice.')
    .repeated('settlement_completed'),
  mutation('settlement-told-for-reverted', 'event.settlement-completed.only-settled')
    .summary('settlement_completed is sent for a settlement that was reverted.')
    .tellMoreWhenDue('settlement-leg', (_, { order }) => {
      if (order?.failureReason !== 'REVERT' || !order.accepted) return undefined;
      const data = { intent_id: order.id, transaction_hash: '0a'.repeat(32) };
      const { makerPartyId: to } = order.accepted;
      return [{ to, event: 'settlement_completed', intentId: order.id, data }];
    }),
  mutation('settlement-told-without-hash', 'event.settlement-completed.has-transaction-hash')
    .summary('settlement_completed has no transaction hash.')
    .dropPayload('settlement_completed', 'transaction_hash'),
  mutation('settlement-told-with-other-hash', 'event.settlement-completed.agrees-with-read')
    .summary('settlement_completed carries another hash than the settlement.')
    .setPayload('settlement_completed', (data) => ({ transaction_hash: hashLike(data.intent_id) })),
  mutation('order-updates-to-winner', 'event.own-stream-only')
    .summary('The winner hears order_updated on its stream, without the sender.')
    .events('order_updated', (event, { order, to }) => {
      const data = { intent_id: event.intentId, status: order?.status };
      return order?.accepted && to === order.senderPartyId
        ? [event, { ...event, to: order.accepted.makerPartyId, data }]
        : [event];
    }),
  // Streams as such, and their heartbeats (parts 6 and 8).
  mutation('heartbeat-names-the-last-sender', 'maker.sees-no-sender-identity')
    .summary('Heartbeats tell market makers whose order was the last.')
    .frame((text, { event, party, state }) => {
      const last = ordersOf(state).at(-1);
      const isTold = event === 'heartbeat' && party?.role === 'market-maker' && last;
      const data = JSON.stringify({ active: last?.senderPartyId });
      return isTold ? text.replace(/^data:.*$/m, `data: ${data}`) : text;
    }),
  mutation('comment-names-the-sender', 'maker.sees-no-sender-identity')
    .summary('A comment, left over from a search for a fault, says whose order a message is about.')
    .frame((text, { event, party, state, intentId }) => {
      const order = event === 'quote_rejected' ? orderOf(state, intentId ?? '') : undefined;
      return order && party?.role === 'market-maker' ? `: ${order.senderPartyId}\n${text}` : text;
    }),
  mutation('heartbeat-every-45-seconds', 'limit.heartbeat-interval.order-stream')
    .also('limit.heartbeat-interval.maker-stream')
    .summary('Heartbeats come every 45 seconds.')
    .tamper(() => ({ heartbeatMs: 45_000 })),
  mutation('heartbeat-every-20-seconds', 'limit.heartbeat-interval.order-stream')
    .also('limit.heartbeat-interval.maker-stream')
    .summary('Heartbeats come every 20 seconds.')
    .tamper(() => ({ heartbeatMs: 20_000 })),
  mutation('no-heartbeat-for-makers', 'event.heartbeat.maker-stream')
    .also('limit.heartbeat-interval.maker-stream')
    .summary('The stream of market makers has no heartbeat.')
    .dropHeartbeat(({ party }) => party?.role === 'market-maker'),
  mutation('no-heartbeat-for-custodians', 'event.heartbeat.order-stream')
    .summary('The streams of custodians have no heartbeat.')
    .dropHeartbeat(({ party }) => party?.role === 'custodian'),
  mutation('no-heartbeat-on-filtered-streams', 'event.heartbeat.order-stream')
    .summary('A stream that is limited to one order has no heartbeat.')
    .dropHeartbeat(({ filter }) => filter !== undefined),
  mutation('heartbeat-as-comment', 'event.heartbeat.order-stream', 'event.heartbeat.maker-stream')
    .summary('Heartbeats are comments and no events.')
    .setFrame('heartbeat', () => ': heartbeat\n\n'),
  mutation('every-second-heartbeat-lost', 'limit.heartbeat-interval.order-stream')
    .summary('Every second heartbeat of an institution is lost.')
    .dropHeartbeat((context) => {
      const { party, stream } = context;
      const isSecond = context.count(`beat ${party?.partyId} ${stream}`) % 2 === 0;
      return party?.role === 'institution' && isSecond;
    }),
  mutation('messages-without-name', 'event.has-name')
    .summary('settlement_completed is a message without a name.')
    .setFrame('settlement_completed', (text) => text.replace(/^event: .*\n/m, '')),
  mutation('payload-as-javascript', 'event.payload-json')
    .summary('quote_rejected is written with single quotes, which is no JSON.')
    .setFrame('quote_rejected', (text) => text.replaceAll('"', "'")),
  mutation('events-go-to-streams-of-newest-order', 'stream.intent-filter.only-that-order')
    .summary('quote_received is sent to streams limited to the newest order of its sender.')
    .events('quote_received', (event, context) => {
      const own = ordersBy(context, context.order?.senderPartyId);
      const newest = own.findLast(statusIs('PENDING'));
      return newest ? [{ ...event, intentId: newest.id }] : [event];
    }),
  mutation('filtered-stream-without-quotes', 'stream.intent-filter.all-of-that-order')
    .summary('A stream limited to one order carries no quote_received.')
    .setFrame('quote_received', (text, { filter }) => (filter === undefined ? text : undefined)),
  mutation('filtered-stream-ends-with-execution', 'stream.intent-filter.all-of-that-order')
    .summary('A stream limited to one order says nothing once the order executes.')
    .setFrame('order_updated', (text, { filter, state }) => {
      const order = filter === undefined ? undefined : orderOf(state, filter);
      return order && statusIs('SETTLED', 'EXECUTING')(order) ? undefined : text;
    }),
  mutation('streams-limited-late-carry-nothing', 'stream.intent-filter.all-of-that-order')
    .summary('A stream that is limited to an order carries nothing if that was accepted before.')
    .frame((text, { event, filter, intentId = '', memory, now, resumed, state, stream }) => {
      const opened = memory.get(`opened ${stream}`) ?? now;
      memory.set(`opened ${stream}`, opened);
      const isLate = Number(opened) > (orderOf(state, intentId)?.accepted?.acceptedAt ?? Infinity);
      return filter && isLate && !resumed && event !== 'heartbeat' ? undefined : text;
    }),
  mutation('custodian-filter-silences', 'stream.intent-filter.for-custodian')
    .summary('A custodian that limits its stream gets nothing but heartbeats.')
    .frame((text, { event, filter, party }) => {
      const isLimited = filter !== undefined && party?.role === 'custodian';
      return event !== 'heartbeat' && isLimited ? undefined : text;
    }),
  mutation('second-stream-gets-nothing', 'event.every-open-stream')
    .summary('Only one of the streams of a party gets an event: they take turns.')
    .frame((text, { event, filter, stream, memory, party, intentId, now }) => {
      if (event === 'heartbeat' || filter !== undefined) return text;
      const key = `${party?.partyId} ${event} ${intentId} ${now}`;
      const first = (memory.get(key) as number | undefined) ?? stream;
      memory.set(key, first);
      return first === stream ? text : undefined;
    }),
  mutation('second-stream-of-one-limit-gets-nothing', 'event.every-open-stream')
    .summary('Of the streams of a party that are limited to one order the first alone gets events.')
    .frame((text, { event, filter, stream, memory, party }) => {
      if (event === 'heartbeat' || filter === undefined) return text;
      const key = `first ${party?.partyId} ${filter}`;
      const first = (memory.get(key) as number | undefined) ?? stream;
      memory.set(key, first);
      return first === stream ? text : undefined;
    }),
  mutation('unfiltered-loses-filtered-order', 'stream.unfiltered-has-all')
    .also('event.every-open-stream')
    .summary('Events of an order that another stream is limited to come on that stream only.')
    .frame((text, { event, filter, memory, intentId, party }) => {
      const key = `limited ${party?.partyId ?? ''} ${intentId ?? ''}`;
      if (filter !== undefined && intentId !== undefined) memory.set(key, true);
      return filter === undefined && event !== 'heartbeat' && memory.has(key) ? undefined : text;
    }),
  mutation('resumed-stream-forgets-its-limit', 'stream.intent-filter.only-that-order')
    .summary('What a stream missed is sent without a look at the order that it is limited to.')
    .frame(
      replaying(({ to, intentId }, { filter, party }) => {
        return to === party?.partyId && filter !== undefined && intentId !== filter;
      }),
    ),
  mutation('resumed-stream-replays-other-institutions', 'event.order-updated.not-to-strangers')
    .summary('What a stream missed is taken from one buffer that all institutions share.')
    .frame(
      replaying(({ to, text }, { party, parties }) => {
        const addressee = parties.find(({ partyId }) => partyId === to);
        const isForeign = to !== party?.partyId && addressee?.role === party?.role;
        return party?.role === 'institution' && isForeign && text.includes('order_updated');
      }),
    ),
  mutation('resumed-stream-tells-twice', 'event.order-updated.once')
    .also('event.quote-request-new.once')
    .summary('A stream that was resumed tells every event twice.')
    .frame((text, { intentId, resumed }) => text.repeat(resumed && intentId !== undefined ? 2 : 1)),
  mutation('no-heartbeat-on-resumed-streams', 'event.heartbeat.order-stream')
    .also('limit.heartbeat-interval.order-stream')
    .summary('A stream that was resumed has no heartbeat.')
    .dropHeartbeat(({ resumed }) => resumed),
  mutation('no-beat-under-traffic', 'event.heartbeat.during-traffic')
    .summary('A stream that carried an event in the last half minute skips its heartbeat.')
    .frame((text, { event, memory, stream, party, now }) => {
      const key = `last ${party?.partyId ?? ''} ${stream}`;
      if (event !== 'heartbeat') memory.set(key, now);
      const last = memory.get(key) as number | undefined;
      return event === 'heartbeat' && last !== undefined && now - last < 30_000 ? undefined : text;
    }),
  mutation('long-payloads-cut', 'event.payload-json')
    .summary('A message is cut after a thousand characters.')
    .setFrame('order_updated', (text) => {
      return text.length > 1_000 ? `${text.slice(0, 1_000).trimEnd()}\n\n` : text;
    }),
];
