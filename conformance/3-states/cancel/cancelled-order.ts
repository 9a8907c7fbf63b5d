import type { CheckContext } from '../../../src/suite/engine/check.ts';
import { type PlacedOrder, readOrder } from '../../../src/suite/actions/index.ts';
import type { RequirementId } from '../../../src/spec/requirements/index.ts';
import { assertReason, assertState, assertReaches } from '../../shared/order-assertions.ts';
import { unsettledStates } from '../../shared/order-calls.ts';

/** How soon a cancel that was answered must have taken effect (gap `cancel.response`). */
export const cancelEffectMs = 5_000;

export const cancelRequirements = [
  'order.state.cancel-ends-order',
  'order.failure-reason.user-cancelled',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** Judges that a cancelled order ends unsettled, says so, and stays so. */
export async function assertCancelledForGood(t: CheckContext, order: PlacedOrder): Promise<void> {
  const { timeline } = t.target;
  const requirement = 'order.state.cancel-ends-order';
  const ended = await assertReaches(
    t,
    requirement,
    order,
    unsettledStates,
    cancelEffectMs,
    'after its cancel',
  );
  if (!ended) return;
  assertReason(t, 'order.failure-reason.user-cancelled', ended, ['USER_CANCELLED']);
  await timeline.sleep(1_500);
  const later = await readOrder(t, order);
  const stays =
    ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
  assertState(t, stays, later, [ended.status], `after having been ${ended.status}`);
}
