import type { Trial } from '../../src/conformance/check.ts';
import {
  type Fields,
  isFields,
  type OrderRef,
  type PlacedOrder,
  textOf,
} from '../../src/conformance/moves/index.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { stateOf } from './words.ts';

/** The object in a frame that names an order: the payload itself, or one within it (gap `event.wrapping`). */
function orderIn(data: unknown, depth = 2): Fields | undefined {
  if (!isFields(data)) return undefined;
  if (textOf(data, 'intent_id') !== undefined && textOf(data, 'status') !== undefined) return data;
  if (depth === 0) return undefined;
  for (const inner of Object.values(data)) {
    const found = orderIn(inner, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/** The state that a frame tells of an order; undefined where it tells of something else. */
export function stateTold(frame: Frame, { intentId }: OrderRef): string | undefined {
  if (frame.event !== 'order_updated') return undefined;
  const order = orderIn(frame.data);
  return order && textOf(order, 'intent_id') === intentId ? stateOf(order) : undefined;
}

/** The first event, past or to come, that tells an order in one of some states. */
export const awaitTold = (
  trial: Trial,
  by: CastName,
  order: OrderRef & Partial<Pick<PlacedOrder, 'exchange'>>,
  states: readonly string[],
  withinMs: number,
): Promise<Frame | undefined> =>
  trial
    .party(by)
    .events.find(
      (frame) => states.includes(stateTold(frame, order) ?? ''),
      trial.target.timeline.now() + withinMs,
      order.exchange?.sent,
    );
