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

/** How long an event may travel (gap `event.latency`), and a stream must have gone on for one to be missed. */
export const eventLatencyMs = 6_000;

const oneOnly = 'a party may have one stream only (gap stream.per_party)';

/** Ends the check where a party is known to have one stream only (gap `stream.per_party`). */
export function requireSeveralStreams(t: CheckContext): void {
  if (t.target.answers.get('stream.per_party') === 'one') t.outOfScope(oneOnly);
}

/**
 * A stream beside the one that the party has open for the whole run. Where a party may have one only, known or found
 * here, the check ends.
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
    // The rules say whether that can be the reason, where the order is known to have been under way.
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
 * Into a run it is calmer than at its start, when everybody creates orders: a stream that opens then carries what its
 * check does and little else.
 */
export const afterStartRushMs = 12_000;

/**
 * Ends the check where a stream did not last: what it missed shows nothing, and its end is judged by itself. One limited
 * to an order may end with it (gap `stream.closing`).
 * @param since the opening that it must have lasted since, of one that is opened again whenever it ends
 */
export function requireStreamLasted(
  t: CheckContext,
  stream: EventStream,
  since = stream.opened,
): void {
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
 * Waits for the events of an order. The read after them shows that the time has passed: streams that carried nothing
 * until then left something out.
 */
export async function awaitEvents(
  t: CheckContext,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<void> {
  await t.target.timeline.sleep(eventLatencyMs);
  await readOrder(t, order, by);
}

/** Waits until an order has ended, and for what streams carry of that. */
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

/** Where a stream left off: at the last of its messages that had an id, if any had (gap `stream.resume`). */
export function resumePoint(stream: EventStream): { readonly lastEventId?: string } {
  const lastEventId = stream.frames.findLast(({ eventId }) => eventId !== undefined)?.eventId;
  return lastEventId === undefined ? {} : { lastEventId };
}

export const isEventOf =
  ({ intentId }: OrderRef, event: string) =>
  (frame: Frame): boolean =>
    frame.event === event &&
    intentIdOf(frame, payloadOf(frame))?.toLowerCase() === intentId.toLowerCase();
