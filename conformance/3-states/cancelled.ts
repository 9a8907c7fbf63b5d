import type { Trial } from '../../src/conformance/check.ts';
import { type PlacedOrder, readOrder } from '../../src/conformance/moves/index.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { judgeReason, judgeState, mustReach } from './verdicts.ts';
import { unsettled } from './words.ts';

/** How soon a cancel that was answered must have taken effect (gap `cancel.response`). */
export const effectMs = 5_000;

export const endRequirements = [
  'order.state.cancel-ends-order',
  'order.failure-reason.user-cancelled',
  'order.state.failed-absorbs',
  'order.state.expired-absorbs',
] as const satisfies readonly RequirementId[];

/** Judges that a cancelled order ends unsettled, says so, and stays so. */
export async function judgeEnd(trial: Trial, order: PlacedOrder): Promise<void> {
  const { timeline } = trial.target;
  const requirement = 'order.state.cancel-ends-order';
  const ended = await mustReach(trial, requirement, order, unsettled, effectMs, 'after its cancel');
  if (!ended) return;
  judgeReason(trial, 'order.failure-reason.user-cancelled', ended, ['USER_CANCELLED']);
  await timeline.sleep(1_500);
  const later = await readOrder(trial, order);
  const stays =
    ended.status === 'FAILED' ? 'order.state.failed-absorbs' : 'order.state.expired-absorbs';
  judgeState(trial, stays, later, [ended.status], `after having been ${ended.status}`);
}
