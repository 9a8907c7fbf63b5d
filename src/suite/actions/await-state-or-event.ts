import type { Party, Target } from '../../client/contract.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { reaches } from '../../spec/states.ts';
import { isTerminal } from '../../spec/states.ts';
import { type OrderState, orderStates } from '../../spec/vocabulary.ts';
import type { CastName } from '../../spec/requirements/index.ts';
import type { CheckContext } from '../engine/check.ts';
import { type Fields, fieldsOf, sameId, textOf } from '../../protocol/answers.ts';
import { type OrderRef, paramsOf, type PlacedOrder } from './orders.ts';

/** An order that has come to a state. */
export interface ReachedState {
  readonly status: OrderState;
  /** The order as it was read right after. If the state is a passing one, the order may have moved on. */
  readonly data: Fields;
  readonly exchange: Exchange;
  /** The event that announced it; absent if none did. */
  readonly frame?: Frame;
}

/**
 * Polling pauses. A lasting state cannot be missed between two reads, so it is polled less often;
 * each state least often if an open stream announces it.
 */
const pauses = {
  lasting: {
    announced: { firstMs: 5_000, growth: 2, longestMs: 20_000 },
    unannounced: { firstMs: 1_000, growth: 4, longestMs: 5_000 },
  },
  passing: {
    announced: { firstMs: 1_000, growth: 2, longestMs: 5_000 },
    unannounced: { firstMs: 250, growth: 2, longestMs: 5_000 },
  },
} as const;
/** Maximum number of reads of one order in any time, since an order may live for a day. */
const mostReads = 1_000;

/** Offset of polls, so that none is on or near a full second, where deadlines often are. */
const phaseMs = 90;

/**
 * Next moment to poll, about `pauseMs` from now. On a moved clock, pollers with the same pause share the same moments,
 * because each moment costs the answers of a slow target.
 */
function nextLook(timeline: Pick<Target['timeline'], 'kind' | 'now'>, pauseMs: number): number {
  const moment = timeline.now() + pauseMs;
  if (timeline.kind === 'system') return Math.ceil(moment);
  return Math.ceil(Math.round((moment - phaseMs) / pauseMs) * pauseMs + phaseMs);
}

const asState = (text: string | undefined): OrderState | undefined =>
  orderStates.find((state) => state === text);

/**
 * Waits until an order is in one of some states, as a party sees it: announced by its stream, or else found by polling
 * with backoff. It is read as soon as its stream announces the state, which then costs one call. Undefined if the
 * time passes first, or the order ends in another state. Asserts nothing.
 */
export async function awaitStatus(
  t: CheckContext,
  order: OrderRef & Partial<Pick<PlacedOrder, 'exchange'>>,
  states: readonly OrderState[],
  withinMs: number,
  by: CastName = 'sender',
): Promise<ReachedState | undefined> {
  const { timeline } = t.target;
  const party = t.party(by);
  const end = timeline.now() + withinMs;
  const lasting = states.every(isTerminal);
  const announces = (frame: Frame): boolean =>
    frame.event === 'order_updated' &&
    sameId(frame.data, 'intent_id', order.intentId) &&
    states.includes(textOf(frame.data, 'status') as OrderState);
  let announced: Frame | undefined;
  const { firstMs, growth, longestMs } =
    pauses[lasting ? 'lasting' : 'passing'][party.events.isOpen ? 'announced' : 'unannounced'];
  const longest = Math.max(longestMs, withinMs / mostReads);
  for (let pauseMs: number = firstMs; ; pauseMs = Math.min(pauseMs * growth, longest)) {
    const until = Math.min(Math.ceil(end), nextLook(timeline, pauseMs));
    // Announced, but not readable yet: read again later. Not announced: the stream may have ended, so wait and read.
    const before = announced;
    announced ??= await party.events.find(announces, until, order.exchange?.sent);
    if ((before || !announced) && timeline.now() < until) await timeline.until(until);
    const exchange = await party.call('order.read', { params: paramsOf(order) });
    const data = fieldsOf(exchange);
    const read = asState(textOf(data, 'status'));
    const isThere = read !== undefined && states.includes(read);
    // A passing state may be over before it can be read: then only the event shows it, even one that comes while the
    // read waits for its turn.
    const frame =
      lasting || announced
        ? announced
        : await party.events.find(announces, timeline.now(), order.exchange?.sent);
    const status = isThere ? read : lasting ? undefined : asState(textOf(frame?.data, 'status'));
    // Reads may lag behind events (gap `views.lag`).
    const isBehind =
      status !== undefined && frame !== undefined && !isThere && (!read || reaches(read, status));
    const latest = Math.min(end, (frame?.received ?? 0) + tolerance.replicationLagMs);
    const caughtUp = !isBehind || timeline.now() >= latest;
    if (status && caughtUp) return { status, data, exchange, ...(frame && { frame }) };
    const over = read !== undefined && isTerminal(read) && announced === undefined;
    if (over || timeline.now() >= end) return undefined;
  }
}

/** The first event of a name on a party's shared stream, past or to come, that matches; undefined: none in time. */
export function awaitEvent(
  t: CheckContext,
  party: Party,
  name: string,
  match: (data: Fields, frame: Frame) => boolean,
  withinMs: number,
): Promise<Frame | undefined> {
  return party.events.find(matching(name, match), t.target.timeline.now() + withinMs);
}

const matching =
  (name: string, match: (data: Fields, frame: Frame) => boolean) =>
  (frame: Frame): boolean =>
    frame.event === name && match((frame.data ?? {}) as Fields, frame);

/**
 * Listens for an event that must not come. `listened` is false if the stream was not open all the time: then the
 * absence of the event shows nothing.
 */
export async function awaitNoEvent(
  t: CheckContext,
  party: Party,
  name: string,
  match: (data: Fields, frame: Frame) => boolean,
  withinMs: number,
): Promise<{ readonly frame: Frame | undefined; readonly listened: boolean }> {
  const { timeline } = t.target;
  const end = timeline.now() + withinMs;
  const { opened, isOpen } = party.events;
  const frame = await party.events.find(matching(name, match), end);
  if (!frame && timeline.now() < end) await timeline.until(end);
  const late = frame ?? party.events.frames.find(matching(name, match));
  const listened = isOpen && party.events.isOpen && party.events.opened.id === opened.id;
  return { frame: late, listened };
}
