import type { Party } from '../../client/contract.ts';
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
  /** The order as it was read right after. It may have moved on, where the state is a passing one. */
  readonly data: Fields;
  readonly exchange: Exchange;
  /** The event that told, where one did. */
  readonly frame?: Frame;
}

const firstPauseMs = 250;
const longestPauseMs = 5_000;
/** What lasts cannot be missed between two looks. */
const growth = { lasting: 4, passing: 2 } as const;
/** An order may live for a day: so many looks at it are enough, in however long. */
const mostLooks = 1_000;

const asState = (text: string | undefined): OrderState | undefined =>
  orderStates.find((state) => state === text);

/**
 * Waits until an order is in one of some states, as a party sees it: told by its stream, and else found by reading
 * every now and then. It is read once told, so that a state which the stream tells costs one call. Undefined where the
 * time passes first, or the order ends otherwise. Judges nothing.
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
  const tells = (frame: Frame): boolean =>
    frame.event === 'order_updated' &&
    sameId(frame.data, 'intent_id', order.intentId) &&
    states.includes(textOf(frame.data, 'status') as OrderState);
  let told: Frame | undefined;
  const grows = growth[lasting ? 'lasting' : 'passing'];
  const longest = Math.max(longestPauseMs, withinMs / mostLooks);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * grows, longest)) {
    const until = Math.ceil(Math.min(end, timeline.now() + pauseMs));
    // Told, but not readable yet: look again later. Not told: the stream may have ended, so the time is waited out.
    const before = told;
    told ??= await party.events.find(tells, until, order.exchange?.sent);
    if ((before || !told) && timeline.now() < until) await timeline.until(until);
    const exchange = await party.call('order.read', { params: paramsOf(order) });
    const data = fieldsOf(exchange);
    const read = asState(textOf(data, 'status'));
    const isThere = read !== undefined && states.includes(read);
    // A passing state may be over before it can be read: then the event alone tells of it, though it be while the
    // read waits for its turn.
    const frame =
      lasting || told ? told : await party.events.find(tells, timeline.now(), order.exchange?.sent);
    const status = isThere ? read : lasting ? undefined : asState(textOf(frame?.data, 'status'));
    // What is read may follow a while after what is told (gap `views.lag`).
    const isBehind =
      status !== undefined && frame !== undefined && !isThere && (!read || reaches(read, status));
    const latest = Math.min(end, (frame?.received ?? 0) + tolerance.replicationLagMs);
    const caughtUp = !isBehind || timeline.now() >= latest;
    if (status && caughtUp) return { status, data, exchange, ...(frame && { frame }) };
    const over = read !== undefined && isTerminal(read) && told === undefined;
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
 * Listens for an event that must not come. `listened` is false where the stream was not open all the time: then that
 * none came shows nothing.
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
