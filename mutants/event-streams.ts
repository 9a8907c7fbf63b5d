import { orderOf, ordersOf } from '../src/reference/core/index.ts';
import type { FrameContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { events, ordersBy } from './tools.ts';

interface Sent {
  readonly text: string;
  readonly intentId: string;
  readonly to: string;
}

/** A resumed stream begins with the latest message, to whomever, that a condition takes for one it has missed. */
const replaying =
  (isMissed: (sent: Sent, context: FrameContext) => boolean): Written['tamper'] =>
  () => ({
    frame: (text, context) => {
      const { memory, party, intentId, resumed, stream } = context;
      const latest = (memory.get('sent') as readonly Sent[] | undefined) ?? [];
      if (party && intentId !== undefined && !resumed) {
        memory.set('sent', [{ text, intentId, to: party.partyId }, ...latest].slice(0, 500));
      }
      if (!resumed || memory.has(`replayed ${stream}`)) return text;
      memory.set(`replayed ${stream}`, true);
      const missed = latest.find((sent) => isMissed(sent, context));
      return missed ? `${missed.text}${text}` : text;
    },
  });

/** Streams as such, and their heartbeats (parts 6 and 8). */
export const streamMutations: readonly Written[] = [
  {
    id: 'heartbeat-names-the-last-sender',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'Heartbeats tell market makers whose order was the last.',
    tamper: () => ({
      frame: (text, { event, party, state }) => {
        const last = ordersOf(state).at(-1);
        return event === 'heartbeat' && party?.role === 'market-maker' && last
          ? text.replace(/^data:.*$/m, `data: ${JSON.stringify({ active: last.senderPartyId })}`)
          : text;
      },
    }),
  },
  {
    id: 'comment-names-the-sender',
    breaks: ['maker.sees-no-sender-identity'],
    summary: 'A comment, left over from a search for a fault, says whose order a message is about.',
    tamper: () => ({
      frame: (text, { event, party, state, intentId }) => {
        const order = event === 'quote_rejected' ? orderOf(state, intentId ?? '') : undefined;
        return order && party?.role === 'market-maker' ? `: ${order.senderPartyId}\n${text}` : text;
      },
    }),
  },
  {
    id: 'heartbeat-every-45-seconds',
    breaks: ['limit.heartbeat-interval.order-stream', 'limit.heartbeat-interval.maker-stream'],
    summary: 'Heartbeats come every 45 seconds.',
    tamper: () => ({ heartbeatMs: 45_000 }),
  },
  {
    id: 'heartbeat-every-20-seconds',
    breaks: ['limit.heartbeat-interval.order-stream', 'limit.heartbeat-interval.maker-stream'],
    summary: 'Heartbeats come every 20 seconds.',
    tamper: () => ({ heartbeatMs: 20_000 }),
  },
  {
    id: 'no-heartbeat-for-makers',
    breaks: ['event.heartbeat.maker-stream', 'limit.heartbeat-interval.maker-stream'],
    summary: 'The stream of market makers has no heartbeat.',
    tamper: () => ({
      frame: (text, { event, party }) =>
        event === 'heartbeat' && party?.role === 'market-maker' ? undefined : text,
    }),
  },
  {
    id: 'no-heartbeat-for-custodians',
    breaks: ['event.heartbeat.order-stream'],
    summary: 'The streams of custodians have no heartbeat.',
    tamper: () => ({
      frame: (text, { event, party }) =>
        event === 'heartbeat' && party?.role === 'custodian' ? undefined : text,
    }),
  },
  {
    id: 'no-heartbeat-on-filtered-streams',
    breaks: ['event.heartbeat.order-stream'],
    summary: 'A stream that is limited to one order has no heartbeat.',
    tamper: () => ({
      frame: (text, { event, filter }) =>
        event === 'heartbeat' && filter !== undefined ? undefined : text,
    }),
  },
  {
    id: 'heartbeat-as-comment',
    breaks: ['event.heartbeat.order-stream', 'event.heartbeat.maker-stream'],
    summary: 'Heartbeats are comments and no events.',
    tamper: () => ({
      frame: (text, { event }) => (event === 'heartbeat' ? ': heartbeat\n\n' : text),
    }),
  },
  {
    id: 'every-second-heartbeat-lost',
    breaks: ['limit.heartbeat-interval.order-stream'],
    summary: 'Every second heartbeat of an institution is lost.',
    tamper: () => ({
      frame: (text, context) =>
        context.event === 'heartbeat' &&
        context.party?.role === 'institution' &&
        context.count(`beat ${context.party.partyId} ${context.stream}`) % 2 === 0
          ? undefined
          : text,
    }),
  },
  {
    id: 'messages-without-name',
    breaks: ['event.has-name'],
    summary: 'settlement_completed is a message without a name.',
    tamper: () => ({
      frame: (text, { event }) =>
        event === 'settlement_completed' ? text.replace(/^event: .*\n/m, '') : text,
    }),
  },
  {
    id: 'payload-as-javascript',
    breaks: ['event.payload-json'],
    summary: 'quote_rejected is written with single quotes, which is no JSON.',
    tamper: () => ({
      frame: (text, { event }) => (event === 'quote_rejected' ? text.replaceAll('"', "'") : text),
    }),
  },
  {
    id: 'events-go-to-streams-of-newest-order',
    breaks: ['stream.intent-filter.only-that-order'],
    summary:
      'quote_received is filed under the newest order of its sender, so limited streams get quotes of others.',
    tamper: events('quote_received', (event, context) => {
      const order = orderOf(context.state, event.intentId);
      const newest = ordersBy(context, order?.senderPartyId ?? '').findLast(
        ({ status }) => status === 'PENDING',
      );
      return newest ? [{ ...event, intentId: newest.id }] : [event];
    }),
  },
  {
    id: 'filtered-stream-without-quotes',
    breaks: ['stream.intent-filter.all-of-that-order'],
    summary: 'A stream limited to one order carries no quote_received.',
    tamper: () => ({
      frame: (text, { event, filter }) =>
        event === 'quote_received' && filter !== undefined ? undefined : text,
    }),
  },
  {
    id: 'filtered-stream-ends-with-execution',
    breaks: ['stream.intent-filter.all-of-that-order'],
    summary: 'A stream limited to one order says nothing once the order executes.',
    tamper: () => ({
      frame: (text, { event, filter, state }) => {
        const status = filter === undefined ? undefined : orderOf(state, filter)?.status;
        return event === 'order_updated' && (status === 'SETTLED' || status === 'EXECUTING')
          ? undefined
          : text;
      },
    }),
  },
  {
    id: 'custodian-filter-silences',
    breaks: ['stream.intent-filter.for-custodian'],
    summary: 'A custodian that limits its stream gets nothing but heartbeats.',
    tamper: () => ({
      frame: (text, { event, filter, party }) =>
        event !== 'heartbeat' && filter !== undefined && party?.role === 'custodian'
          ? undefined
          : text,
    }),
  },
  {
    id: 'second-stream-gets-nothing',
    breaks: ['event.every-open-stream'],
    summary: 'Only one of the streams of a party gets an event: they take turns.',
    tamper: () => ({
      frame: (text, { event, filter, stream, memory, party, intentId, now }) => {
        if (event === 'heartbeat' || filter !== undefined) return text;
        const key = `${party?.partyId ?? ''} ${event} ${intentId ?? ''} ${now}`;
        const first = (memory.get(key) as number | undefined) ?? stream;
        memory.set(key, first);
        return first === stream ? text : undefined;
      },
    }),
  },
  {
    id: 'unfiltered-loses-filtered-order',
    breaks: ['stream.unfiltered-has-all', 'event.every-open-stream'],
    summary: 'Events of an order that another stream is limited to come on that stream only.',
    tamper: () => ({
      frame: (text, { event, filter, memory, intentId, party }) => {
        const key = `limited ${party?.partyId ?? ''} ${intentId ?? ''}`;
        if (filter !== undefined && intentId !== undefined) memory.set(key, true);
        return filter === undefined && event !== 'heartbeat' && memory.has(key) ? undefined : text;
      },
    }),
  },
  {
    id: 'resumed-stream-forgets-its-limit',
    breaks: ['stream.intent-filter.only-that-order'],
    summary: 'What a stream missed is sent without a look at the order that it is limited to.',
    tamper: replaying(
      ({ to, intentId }, { filter, party }) =>
        to === party?.partyId && filter !== undefined && intentId !== filter,
    ),
  },
  {
    id: 'resumed-stream-replays-other-institutions',
    breaks: ['event.order-updated.not-to-strangers'],
    summary: 'What a stream missed is taken from one buffer that all institutions share.',
    tamper: replaying(({ to, text }, { party, parties }) => {
      const addressee = parties.find(({ partyId }) => partyId === to);
      const isForeign = to !== party?.partyId && addressee?.role === party?.role;
      return party?.role === 'institution' && isForeign && text.includes('order_updated');
    }),
  },
  {
    id: 'resumed-stream-tells-twice',
    breaks: ['event.order-updated.once', 'event.quote-request-new.once'],
    summary: 'A stream that was resumed tells every event twice.',
    tamper: () => ({
      frame: (text, { intentId, resumed }) =>
        resumed && intentId !== undefined ? `${text}${text}` : text,
    }),
  },
  {
    id: 'no-heartbeat-on-resumed-streams',
    breaks: ['event.heartbeat.order-stream', 'limit.heartbeat-interval.order-stream'],
    summary: 'A stream that was resumed has no heartbeat.',
    tamper: () => ({
      frame: (text, { event, resumed }) => (event === 'heartbeat' && resumed ? undefined : text),
    }),
  },
  {
    id: 'no-beat-under-traffic',
    breaks: ['event.heartbeat.during-traffic'],
    summary: 'A stream that carried an event in the last half minute skips its heartbeat.',
    tamper: () => ({
      frame: (text, { event, memory, stream, party, now }) => {
        const key = `last ${party?.partyId ?? ''} ${stream}`;
        if (event !== 'heartbeat') memory.set(key, now);
        const last = memory.get(key) as number | undefined;
        return event === 'heartbeat' && last !== undefined && now - last < 30_000
          ? undefined
          : text;
      },
    }),
  },
  {
    id: 'long-payloads-cut',
    breaks: ['event.payload-json'],
    summary: 'A message is cut after a thousand characters.',
    tamper: () => ({
      frame: (text, { event }) =>
        event === 'order_updated' && text.length > 1_000
          ? `${text.slice(0, 1_000).trimEnd()}\n\n`
          : text,
    }),
  },
];
