import { failureReasonIn, failureReasonPath } from '../../../protocol/failure-reason.ts';
import { isTerminal } from '../../../spec/states.ts';
import { failureReasons, isMisspeltReason, type OrderState } from '../../../spec/vocabulary.ts';
import { effectiveCancels } from './cancel-refused-while-executing.ts';
import { isObject, isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';

const unsettled: readonly OrderState[] = ['EXPIRED', 'FAILED'];

/** Wherever a target puts it: a failure reason is told by its value (gap `order.failure_reason_field`). */
export const failureReasonFits = defineRule({
  id: 'order.failure-reasons',
  title:
    'A failure reason stands only on an order that ended unsettled, and fits what happened to it',
  requirements: [
    'order.failure-reason.admissible',
    'order.failure-reason.only-when-ended',
    'order.failure-reason.not-when-settled',
    'order.failure-reason.views-agree',
    'order.failure-reason.no-quote',
    'order.failure-reason.user-cancelled',
    'order.cancel.only-that-order',
  ],
  judge(view, findings) {
    const shows = view.snapshotsOf('order').find((seen) => {
      const state = orderStateOf(seen);
      return state !== undefined && unsettled.includes(state) && failureReasonPath(seen.value);
    });
    const path = shows && failureReasonPath(shows.value);
    for (const trace of view.orders.values()) {
      let first: Snapshot | undefined;
      for (const snapshot of trace.snapshots) {
        const reason = failureReasonIn(snapshot.value);
        const state = orderStateOf(snapshot);
        if (reason === undefined && state && unsettled.includes(state)) judgeUnknown(snapshot);
        if (state === 'SETTLED' && snapshot.whole) judgeSettled(snapshot);
        if (reason === undefined || !state) continue;
        const evidence = [snapshot.source];
        const ended = isTerminal(state) && state !== 'SETTLED';
        findings.assert('order.failure-reason.only-when-ended', ended, snapshot.source, () => ({
          message: `an order in ${state} carried the failure reason ${reason}`,
          actual: reason,
          evidence,
        }));
        if (ended) findings.pass('order.failure-reason.admissible', snapshot.source);
        if (ended && trace.creation) judgeReason(trace, snapshot, reason);
        if (ended && failureReasonPath(snapshot.value)?.join() === path?.join()) {
          if (first) judgeUnchanged(first, snapshot);
          first ??= snapshot;
        }
      }
    }

    /** Nothing befalls an order that has ended: the reason that it was first shown with is its reason. */
    function judgeUnchanged(first: Snapshot, { value, source, via }: Snapshot): void {
      const [shownReason, reason] = [failureReasonIn(first.value), failureReasonIn(value)];
      findings.assert('order.failure-reason.views-agree', shownReason === reason, source, () => ({
        message: `an order showed the failure reason ${shownReason} (${first.via}) and ${reason} (${via})`,
        expected: shownReason,
        actual: reason,
        evidence: [first.source, source],
      }));
    }

    /** Such a word may mean something else elsewhere: what counts is where this target has its reasons. */
    function judgeSettled({ value, source }: Snapshot): void {
      if (!path) return;
      const isShown = failureReasonPath(value)?.join() === path.join();
      findings.assert('order.failure-reason.not-when-settled', !isShown, source, () => ({
        message: `an order that settled carried the failure reason ${failureReasonIn(value)}`,
        actual: failureReasonIn(value),
        evidence: [source],
      }));
    }

    /** Once a target has shown where its reasons stand, whatever else stands there is one of the six or nothing. */
    function judgeUnknown({ value, source }: Snapshot): void {
      const shown = path?.reduce<unknown>(
        (at, name) => (isObject(at) ? at[name] : undefined),
        value,
      );
      if (!isSet(shown)) return;
      const violation = {
        message: 'the failure reason of an order was none of the six values',
        expected: failureReasons.join(', '),
        actual: shown,
        evidence: [source],
      };
      if (isMisspeltReason(shown)) findings.fail('order.failure-reason.admissible', violation);
      else findings.warn('order.failure-reason.admissible', violation);
    }

    function judgeReason(trace: OrderTrace, snapshot: Snapshot, reason: string): void {
      const evidence = [snapshot.source];
      const cancelled = possiblyEffective(trace.cancels).length > 0;
      if (reason === 'USER_CANCELLED') {
        findings.assert('order.cancel.only-that-order', cancelled, snapshot.source, () => ({
          message: 'an order that nobody cancelled carried the reason USER_CANCELLED',
          actual: reason,
          evidence,
        }));
      }
      // The other reasons of an order that nobody accepted are those of an expiry, which may have come first.
      const surelyCancelled =
        effectiveCancels(trace).some((call) => call.close < snapshot.open) &&
        reason !== 'NO_QUOTE' &&
        reason !== 'SLIPPAGE';
      if (
        surelyCancelled &&
        possiblyEffective(trace.acceptances).length === 0 &&
        !view.disturbed(trace.id)
      ) {
        findings.assert(
          'order.failure-reason.user-cancelled',
          reason === 'USER_CANCELLED',
          snapshot.source,
          () => ({
            message: 'a cancelled order carried another failure reason',
            expected: 'USER_CANCELLED',
            actual: reason,
            evidence: [trace.cancels[0]?.id ?? '', snapshot.source],
          }),
        );
      }
      if (reason !== 'NO_QUOTE') return;
      const quoted = trace.submissions.some((call) => call.ok && call.close < snapshot.open);
      findings.assert('order.failure-reason.no-quote', !quoted, snapshot.source, () => ({
        message: 'an order that had been quoted carried the reason NO_QUOTE',
        actual: reason,
        evidence,
      }));
    }
  },
});
