import { orderOf, ordersOf } from '../src/reference/core/index.ts';
import type { FrameContext, Tamper } from '../src/reference/http/index.ts';
import { statusIs } from './defects/conditions.ts';
import { ordersBy } from './defects/reading.ts';
import { mutation, type Written } from './mutation.ts';

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

/** Streams as such, and their heartbeats (parts 6 and 8). */
export const streamMutations: readonly Written[] = [
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
