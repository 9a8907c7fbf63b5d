import { type Fields, textOf, succeeded, sameId, isRefusal } from '../../src/protocol/answers.ts';
import { awaitStatus, type ReachedState } from '../../src/suite/actions/await-state-or-event.ts';
import { type OrderRef, type PlacedOrder, readOrder } from '../../src/suite/actions/orders.ts';
import { targetTime, pollUntil } from '../../src/suite/actions/context.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { Exchange, Frame } from '../../src/history/records.ts';
import {
  acceptanceFields,
  type RequirementId,
  type CastName,
} from '../../src/spec/requirements/index.ts';
import { failureReasonIn, reasonFieldOf, reasonShown } from '../../src/protocol/failure-reason.ts';
import type { OrderState } from '../../src/spec/vocabulary.ts';
import { settlementTimeoutMs } from './waits.ts';
import { payloadOf, intentIdOf } from '../../src/protocol/event-payload.ts';
import type { EventStream, ListenOptions } from '../../src/client/contract.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';

export const stateOf = (data: Fields): string | undefined => textOf(data, 'status');

export const statusIsOneOf = (states: readonly string[], data: Fields): boolean =>
  states.includes(stateOf(data) ?? '');

/** A field that is there: absent and null both mean that it is not set (gap `order.unset_fields`). */
export const isSet = (data: Fields, name: string): boolean =>
  data[name] !== undefined && data[name] !== null;

/** Judges the failure reason of an order if it shows one, also an unknown word. Its presence and its field are open. */
export function assertReason(
  t: CheckContext,
  requirement: RequirementId,
  { data, exchange }: { readonly data: Fields; readonly exchange: Exchange },
  wanted: readonly string[],
): void {
  const field = t.target.answers.get('order.failure_reason_field');
  const reason = failureReasonIn(data) ?? reasonFieldOf(data, field);
  if (typeof reason !== 'string' || reason === '') return;
  t.assert(requirement, wanted.includes(reason), {
    message: `The order showed the failure reason ${reason}.`,
    ...reasonShown(data),
    must: { one_of: wanted },
    actual: reason,
    seen: [exchange],
  });
}

/** Judges the state that an order was read in. */
export function assertState(
  t: CheckContext,
  requirement: RequirementId,
  { data, exchange }: { readonly data: Fields; readonly exchange: Exchange },
  states: readonly OrderState[],
  when: string,
): boolean {
  return t.assert(requirement, statusIsOneOf(states, data), {
    message: `An order was ${stateOf(data) ?? 'in no state'} ${when}.`,
    must: { one_of: states },
    actual: stateOf(data) ?? null,
    seen: [exchange],
  });
}

/**
 * Judges that an order was still PENDING when it was read. On a slow target its own deadline may have passed before the
 * read: then nothing is judged, and the result is false.
 */
export function assertStillPending(
  t: CheckContext,
  requirement: RequirementId,
  { expiresAt }: Partial<Pick<PlacedOrder, 'expiresAt'>>,
  read: { readonly data: Fields; readonly exchange: Exchange },
  when: string,
): boolean {
  const latest = targetTime(t, read.exchange).latest;
  if (stateOf(read.data) === 'EXPIRED' && expiresAt !== undefined && latest >= expiresAt) {
    return false;
  }
  return assertState(t, requirement, read, ['PENDING'], when);
}

/** Waits for states and judges that one of them came. */
export async function assertReaches(
  t: CheckContext,
  requirement: RequirementId,
  order: OrderRef,
  states: readonly OrderState[],
  when: string,
): Promise<ReachedState | undefined> {
  const reached = await awaitStatus(t, order, states, settlementTimeoutMs);
  assertState(t, requirement, reached ?? (await readOrder(t, order)), states, when);
  return reached;
}

/**
 * Reads an order that no request touched and judges that it is unchanged: PENDING, and without fields of an acceptance.
 * Nothing is judged if its own deadline may have passed.
 */
export async function assertUntouched(
  t: CheckContext,
  requirement: RequirementId,
  order: PlacedOrder,
  after: string,
): Promise<void> {
  const { data, exchange } = await readOrder(t, order, order.by);
  const latest = exchange.received + t.target.clock.offset.most;
  if (order.expiresAt === undefined || latest >= order.expiresAt) return;
  const moved = acceptanceFields.filter((name) => isSet(data, name));
  t.assert(requirement, stateOf(data) === 'PENDING' && moved.length === 0, {
    message: `An order that nobody touched was ${stateOf(data) ?? 'in no state'} ${after}${moved.length > 0 ? `, with ${moved.join(', ')} set` : ''}.`,
    fields: [...moved, 'status'],
    must: { words: 'PENDING, without an accepted quote' },
    actual: data,
    seen: [exchange],
  });
}

/**
 * Judges the final state of an order after a race, by the answers to the requests: it shows an accepted quote only if
 * an acceptance succeeded. The rules judge which quote it is.
 */
export function assertRaceLeft(
  t: CheckContext,
  end: { readonly data: Fields; readonly exchange: Exchange },
  states: readonly OrderState[],
  answers: readonly Exchange[],
): void {
  const requirement = 'order.state.legal-under-race';
  const outcomes = answers.map((one) => `${one.endpoint} (${succeeded(one) ? 'ok' : 'refused'})`);
  assertState(t, requirement, end, states, `after ${outcomes.join(' and ')}`);
  if (answers.some((one) => one.endpoint === 'quote.accept' && succeeded(one))) return;
  const set = acceptanceFields.filter((name) => isSet(end.data, name));
  t.assert(requirement, set.length === 0, {
    message: `An order whose acceptance was refused showed ${set.join(', ')}.`,
    fields: set,
    seen: [...answers, end.exchange],
  });
}

/** State of an order in an `order_updated` frame; undefined if the frame is about something else. */
export function stateInUpdate(frame: Frame, { intentId }: OrderRef): string | undefined {
  if (frame.event !== 'order_updated') return undefined;
  const order = payloadOf(frame);
  return order && sameId(order, 'intent_id', intentId) ? stateOf(order) : undefined;
}

/** Waits for the first event, past or future, that shows the order in one of the states. */
export const awaitUpdate = (
  t: CheckContext,
  by: CastName,
  order: OrderRef & Partial<Pick<PlacedOrder, 'exchange'>>,
  states: readonly string[],
  withinMs: number,
): Promise<Frame | undefined> =>
  t
    .party(by)
    .events.find(
      (frame) => states.includes(stateInUpdate(frame, order) ?? ''),
      t.target.timeline.now() + withinMs,
      order.exchange?.sent,
    );

/** Maximum latency of an event (gap `event.latency`): an event is missing only if its stream stayed open that long. */
export const eventLatencyMs = 6_000;

const oneOnly = 'a party may have one stream only (gap stream.per_party)';

/** Ends the check if a party is known to have one stream only (gap `stream.per_party`). */
export function requireSeveralStreams(t: CheckContext): void {
  if (t.target.answers.get('stream.per_party') === 'one') t.outOfScope(oneOnly);
}

/**
 * Opens a stream beside the one that the party has open for the whole run. Ends the check if a party may have only one,
 * by a known answer or as found here.
 */
export async function openSecondStream(t: CheckContext, by: CastName, listen: ListenOptions = {}) {
  requireSeveralStreams(t);
  const { events } = t.party(by);
  const before = events.opened.id;
  const { intentId } = listen;
  const open = () => t.party(by).listen(listen);
  const stream =
    intentId === undefined
      ? await open()
      : await pollUntil(t, open, ({ opened }) => !isRefusal(opened));
  if (isRefusal(stream.opened) && succeeded(events.opened)) {
    // This read tells the rules if the order was active, so that they can judge the refusal.
    if (intentId !== undefined) {
      await t.party(by).call('order.read', { params: { intent_id: intentId } });
    }
    return t.outOfScope(oneOnly);
  }
  if (!succeeded(stream.opened)) t.notExercised('no stream was opened', [stream.opened]);
  if (!events.isOpen || events.opened.id !== before) return t.outOfScope(oneOnly);
  return stream;
}

/**
 * Delay after the start of a run, when all checks create orders. A stream that opens later carries little beside the
 * events of its own check.
 */
export const afterStartRushMs = 12_000;

/**
 * Ends the check if a stream did not last: events missing on it prove nothing, and its end is judged elsewhere. A
 * stream limited to an order may end with it (gap `stream.closing`).
 * @param since opening since which the stream must have lasted, for a stream that is reopened whenever it ends
 */
export function requireStreamLasted(t: CheckContext, stream: EventStream, since = stream.opened) {
  const hasAll =
    stream.opened.query['intent_id'] !== undefined &&
    stream.frames.some(
      (frame) => frame.event === 'order_updated' && isEnd(textOf(payloadOf(frame), 'status')),
    );
  if (stream.opened.id !== since.id || !(stream.isOpen || hasAll))
    t.notExercised('a stream ended before everything could come on it', [since]);
}

const isEnd = (status: string | undefined): boolean =>
  terminalOrderStates.some((state) => state === status);

/**
 * Waits for the events of an order. The read afterwards shows that the time has passed: an event that did not come
 * until then is missing.
 */
export async function awaitEvents(t: CheckContext, order: OrderRef, by: CastName = 'sender') {
  await t.target.timeline.sleep(eventLatencyMs);
  await readOrder(t, order, by);
}

/** Waits until an order has ended, and for its events. */
export async function awaitEndAndEvents(
  t: CheckContext,
  order: PlacedOrder,
  withinMs: number = settlementTimeoutMs,
  by: CastName = 'sender',
): Promise<ReachedState | undefined> {
  const ended = await awaitStatus(t, order, terminalOrderStates, withinMs, by);
  await awaitEvents(t, order, by);
  return ended;
}

/** Last event id of a stream; empty if no message had an id (gap `stream.resume`). */
export function resumePoint(stream: EventStream): { readonly lastEventId?: string } {
  const lastEventId = stream.frames.findLast(({ eventId }) => eventId !== undefined)?.eventId;
  return lastEventId === undefined ? {} : { lastEventId };
}

export const isEventOf =
  ({ intentId }: OrderRef, event: string) =>
  (frame: Frame): boolean =>
    frame.event === event &&
    intentIdOf(frame, payloadOf(frame))?.toLowerCase() === intentId.toLowerCase();
