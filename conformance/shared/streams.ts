import type { EventStream, ListenOptions } from '../../src/client/contract.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  awaitStatus,
  isRefusal,
  type OrderRef,
  type PlacedOrder,
  pollUntil,
  type ReachedState,
  readOrder,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import { intentIdOf, payloadOf } from '../../src/protocol/event-payload.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { settlementTimeoutMs } from './waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';

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
export async function openSecondStream(
  t: CheckContext,
  by: CastName,
  listen: ListenOptions = {},
): Promise<EventStream> {
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
