import type { EventStream, ListenOptions } from '../../src/client/contract.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  isFields,
  isRefusal,
  pollUntil,
  type OrderRef,
  succeeded,
  textOf,
} from '../../src/suite/actions/index.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
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
 * Into a run it is calmer than at its start, when everybody creates orders: a stream that opens then hears what its
 * check does and little else.
 */
export const afterStartRushMs = 12_000;

/**
 * Ends the check where a stream did not last: what it missed shows nothing, and its end is judged by itself. One limited
 * to an order may end with it, having told all (gap `stream.closing`).
 * @param since the opening that it must have lasted since, of one that is opened again whenever it ends
 */
export function requireStreamLasted(
  t: CheckContext,
  stream: EventStream,
  since = stream.opened,
): void {
  if (stream.opened.id !== since.id)
    t.notExercised('the stream was opened anew meanwhile', [since]);
  if (!stream.isOpen && !hasToldAll(stream))
    t.notExercised('the stream ended before it could be told', [stream.opened]);
}

/** Every object of a payload, the payload first, since an event's fields may stand within (gap `event.wrapping`). */
function objectsIn(data: unknown, depth = 2): readonly Fields[] {
  if (!isFields(data)) return [];
  const inner = depth === 0 ? [] : Object.values(data).flatMap((one) => objectsIn(one, depth - 1));
  return [data, ...inner];
}

/** A text that a payload carries under a name, wherever it wraps it. */
export const textInFrame = (frame: Frame, name: string): string | undefined =>
  objectsIn(frame.data)
    .map((one) => textOf(one, name))
    .find((text) => text !== undefined);

/** Every check that asks what a party heard asks it of every frame of a long stream. */
const orders = new WeakMap<Frame, string>();

const hasToldAll = ({ opened, frames }: EventStream): boolean =>
  opened.query['intent_id'] !== undefined &&
  frames.some((frame) => frame.event === 'order_updated' && isEnd(textInFrame(frame, 'status')));

const isEnd = (status: string | undefined): boolean =>
  terminalOrderStates.some((state) => state === status);

/** The order that a frame names; undefined where its payload has only what is named for it (gap `event.payload`). */
export function orderIdIn(frame: Frame): string | undefined {
  const known = orders.get(frame);
  if (known !== undefined) return known || undefined;
  const found = textInFrame(frame, 'intent_id')?.toLowerCase();
  orders.set(frame, found ?? '');
  return found;
}

export const isEventOf =
  ({ intentId }: OrderRef, event?: string) =>
  (frame: Frame): boolean =>
    (event === undefined || frame.event === event) && orderIdIn(frame) === intentId.toLowerCase();

export const isHeartbeat = ({ event }: Frame): boolean => event === 'heartbeat';
