import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { PlacedOrder } from '../../src/suite/actions/index.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateInUpdate } from './order-updates.ts';
import { isEventOf, textInFrame } from './streams.ts';

export const makers = ['maker_a', 'maker_b', 'maker_c'] as const;

/**
 * Whether a party's stream was open all the while, so that what it did not tell was not sent. Where time stands still,
 * one that was opened again at that very moment may have been so too late.
 */
export const wasListeningSince = (t: CheckContext, by: CastName, moment: number): boolean => {
  const { isOpen, opened } = t.party(by).events;
  if (!isOpen || opened.received > moment) return false;
  if (opened.received < moment) return true;
  return !t.target.history.records.some((one) => one.kind === 'end' && one.by === opened.by);
};

interface ExpectedEvent {
  readonly by: CastName;
  readonly requirement: RequirementId;
  readonly event: string;
  readonly match?: (frame: Frame) => boolean;
}

/** Judges that a party was told of an order, once what was sent has had its time to arrive. */
export function assertDelivered(
  t: CheckContext,
  order: PlacedOrder,
  { by, requirement, event, match }: ExpectedEvent,
): void {
  if (!wasListeningSince(t, by, order.exchange.sent)) return;
  const { events } = t.party(by);
  const frame = events.frames.find((one) => isEventOf(order, event)(one) && (match?.(one) ?? true));
  t.assert(requirement, frame !== undefined, {
    message: `${by} was not told ${event}.`,
    expected: { event, intent_id: order.intentId },
    seen: [order.exchange, events.opened],
  });
}

/** Judges that a party was not told of an order. */
export function assertNotDelivered(
  t: CheckContext,
  order: PlacedOrder,
  { by, requirement, event, match }: ExpectedEvent,
): void {
  if (!wasListeningSince(t, by, order.exchange.sent)) return;
  const frame = t
    .party(by)
    .events.frames.find((one) => isEventOf(order, event)(one) && (match?.(one) ?? true));
  t.assert(requirement, frame === undefined, {
    message: `${by} was told ${event} of an order, and must not be.`,
    expected: 'no such event',
    actual: frame?.data,
    seen: frame ? [order.exchange, frame] : [order.exchange],
  });
}

/** A payload may have the named fields only: then no event of a quote names its order (gap `event.payload`). */
export const namesOrders = (t: CheckContext, among: readonly CastName[], event: string): boolean =>
  among.some((by) =>
    t
      .party(by)
      .events.frames.some(
        (frame) => frame.event === event && textInFrame(frame, 'intent_id') !== undefined,
      ),
  );

export const showsState =
  (order: PlacedOrder, ...states: readonly string[]) =>
  (frame: Frame): boolean =>
    states.includes(stateInUpdate(frame, order) ?? '');

/** Frames of one event of one order on the shared stream of a party. */
export const framesOf = (
  t: CheckContext,
  by: CastName,
  order: PlacedOrder,
  event: string,
): readonly Frame[] => t.party(by).events.frames.filter(isEventOf(order, event));
