import type { CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  describeExchange,
  type PlacedOrder,
  readOrder,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import type { RequirementId } from '../../../src/spec/requirements/index.ts';
import { unsettledStates } from '../../../src/spec/states.ts';
import { cancelOrder } from '../../shared/order-calls.ts';

/** Maximum delay from the answer to a cancel until it takes effect (gap `cancel.response`). */
export const cancelEffectMs = 5_000;

export const cancelRequirements = [
  'order.state.cancel-ends-order',
  'order.failure-reason.user-cancelled',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** Follows a cancelled order to its end, and reads it again later: it must stay ended. */
export async function followCancelled(t: CheckContext, order: PlacedOrder): Promise<void> {
  await awaitStatus(t, order, unsettledStates, cancelEffectMs);
  await t.target.timeline.sleep(1_500);
  await readOrder(t, order);
}

/** Cancels an order and follows it to its end. Ends the check if the cancel is refused: the rules judge that. */
export async function cancelAndFollow(t: CheckContext, order: PlacedOrder): Promise<void> {
  const exchange = await cancelOrder(t, order);
  if (!succeeded(exchange))
    t.notExercised(`the order could not be cancelled: ${describeExchange(exchange)}`, [exchange]);
  await followCancelled(t, order);
}
