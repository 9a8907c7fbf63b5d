import type { CheckContext } from '../../src/suite/engine/check.ts';
import { type OrderRef, type PlacedOrder, sameId } from '../../src/suite/actions/index.ts';
import { payloadOf } from '../../src/protocol/event-payload.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { stateOf } from './order-fields.ts';

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
