import { orderOf } from '../../src/reference/core/index.ts';
import type { FrameContext } from '../../src/reference/http/index.ts';
import { mutation } from '../mutation.ts';
import { type Canary, canary } from './canary.ts';

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

/** Defects on a stream that is not the first one, not the only one, or was interrupted. */
export const streamCanaries: readonly Canary[] = [
  canary(
    mutation('fourth-stream-is-silent', 'event.every-open-stream')
      .summary('The fourth stream of a party has heartbeats and nothing else.')
      .frame((text, context) => {
        const isSilent = placeAmongOwn(context) === 4 && context.event !== 'heartbeat';
        return isSilent && context.event !== 'connected' ? undefined : text;
      }),
    'four streams of one party that had a message each',
  ),
  canary(
    mutation('resumed-stream-misses-its-first', 'event.order-updated.sent')
      .summary('A resumed stream begins with the second message that was missed.')
      .frame((text, context) => {
        const isBeat = context.event === 'heartbeat' || context.event === 'connected';
        return context.resumed && !isBeat && isFirstOf(context, 'resumed') ? undefined : text;
      }),
    'a stream that breaks off',
    'something that happens before it is resumed',
  ),
  canary(
    mutation('resumed-stream-misses-ends', 'event.order-updated.sent')
      .summary('A resumed stream leaves out how orders ended.')
      .frame((text, { event, resumed }) => {
        return resumed && event === 'order_updated' && isEnd(text) ? undefined : text;
      }),
    'a stream that breaks off and is resumed',
    'an order that ends meanwhile or after it',
  ),
  canary(
    mutation('resumed-after-a-heartbeat-misses-that-moment', 'event.order-updated.sent')
      .summary('What happens in the second of a heartbeat is left out for who resumes later.')
      .frame((text, { event, resumed, now, memory, intentId, state }) => {
        if (event === 'heartbeat') memory.set('beat', now);
        const ended = orderOf(state, intentId ?? '');
        const near = Number(memory.get('beat') ?? Number.NEGATIVE_INFINITY);
        const isLost = resumed && event === 'order_updated' && ended && now - near < 1_000;
        return isLost ? undefined : text;
      }),
    'a stream that is resumed',
    'a heartbeat within a second before',
    'an order that changes',
  ),
  canary(
    mutation('told-twice-after-a-resume', 'event.order-updated.once')
      .summary('The first message of a resumed stream is sent twice.')
      .frame((text, context) => {
        const isOwn = context.event === 'order_updated' && context.resumed;
        return isOwn && isFirstOf(context, 'twice') ? `${text}${text}` : text;
      }),
    'a stream that is resumed',
    'an order of its party that changes',
  ),
  canary(
    mutation('filtered-stream-not-told-of-settlement', 'event.order-updated.on-settled')
      .summary('A stream that is limited to one order is not told that it settled.')
      .frame((text, { event, filter }) => {
        const isEndOf = event === 'order_updated' && statusIn(text) === 'SETTLED';
        return filter !== undefined && isEndOf ? undefined : text;
      }),
    'a stream that is limited to an order',
    'that order settles',
  ),
  canary(
    mutation('heartbeat-displaces-an-event', 'event.order-updated.sent')
      .summary('An event within a millisecond after a heartbeat of the same stream is dropped.')
      .frame((text, { event, now, stream, memory }) => {
        if (event === 'heartbeat') memory.set(`beat ${stream}`, now);
        const beat = Number(memory.get(`beat ${stream}`) ?? Number.NEGATIVE_INFINITY);
        return event !== 'heartbeat' && event !== 'connected' && now - beat <= 1 ? undefined : text;
      }),
    'a heartbeat',
    'an event in the same millisecond',
  ),
  canary(
    mutation('loser-untold-where-it-quoted-twice', 'event.quote-rejected.to-every-loser')
      .summary('A maker that quoted twice is not told that it lost.')
      .unsent('quote_rejected', ({ quotes, to }) => {
        return quotes.filter(({ makerPartyId }) => makerPartyId === to).length >= 2;
      }),
    'a maker that quotes an order twice',
    'a rival that wins',
    'an open stream',
  ),
  canary(
    mutation('slow-event-overtaken', 'event.in-order')
      .summary('Of every third order of a party the start of its settlement is told after its end.')
      .eventDelay((event, context) => {
        const data = event.data as { readonly status?: unknown };
        const isStart = event.event === 'order_updated' && data.status === 'EXECUTING';
        return isStart && context.count(`starts ${event.to}`) % 3 === 0 ? 4_500 : 0;
      }),
    'three orders that a party is told of',
    'an open stream',
  ),
];
