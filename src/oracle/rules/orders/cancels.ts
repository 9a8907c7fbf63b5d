import { failureReasonIn } from '../../../protocol/failure-reason.ts';
import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { unsettledStates } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, letThrough, precedes, wronglyRefused } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import {
  effectiveCancels,
  isIn,
  isUnsettled,
  orderStateOf,
  type OrderTrace,
  possiblyEffective,
  seenBefore,
} from '../../trace/traces.ts';
import { wasPending } from '../quotes/must-be-granted.ts';

const cancelEndsOrder = defineRule({
  id: 'order.cancels',
  title: 'A cancelled order ends EXPIRED or FAILED, and never settles',
  requirements: ['order.state.cancel-ends-order', 'order.cancel.never-settles'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const [first] = effectiveCancels(trace);
      if (!first || seenBefore(trace, first, ['EXECUTING'])) continue;
      for (const seen of trace.snapshots) {
        const state = orderStateOf(seen);
        if (!state) continue;
        const hasEnded = unsettledStates.includes(state);
        // A cancel may be answered before it takes effect (gap `cancel.response`).
        const isLater = seen.from > first.exchange.received + tolerance.replicationLagMs;
        if (state === 'SETTLED') {
          findings.fail('order.cancel.never-settles', {
            message: 'a cancelled order was SETTLED',
            fields: ['status'],
            evidence: [first.id, seen.source],
          });
        } else if (isLater) findings.pass('order.cancel.never-settles', seen.source);
        if (!isLater && !(hasEnded && (precedes(first, seen) || seen.call === first))) continue;
        findings.assert('order.state.cancel-ends-order', hasEnded, seen.source, () => ({
          message: `a cancelled order was ${state}`,
          must: { one_of: ['EXPIRED', 'FAILED'] },
          actual: state,
          evidence: [first.id, seen.source],
        }));
      }
    }
  },
});

const bodyOf = ({ exchange }: Call): string => JSON.stringify(exchange.request.body) ?? 'none';

/** A cancel as its sender writes it: a target may want a body (gap `cancel.request`). */
export const manner = (call: Call): string => `${call.party} ${bodyOf(call)}`;

/** Checks that only set something up give up if a cancel is refused; this rule checks if there was a reason. */
const cancelsMustBeGranted = defineRule({
  id: 'cancels.due',
  title: 'A PENDING order that nobody accepted is cancelled when its sender asks for it',
  requirements: ['order.cancel.pending'],
  judge(view, findings) {
    const granted = new Set(
      view.endpoint('order.cancel').flatMap((call) => (call.ok ? [manner(call)] : [])),
    );
    for (const trace of view.orders.values()) {
      const taken = trace.cancels.find((call) => call.ok && call.own);
      if (taken && possiblyEffective(trace.acceptances).length === 0)
        findings.pass('order.cancel.pending', taken.id);
      const refused = trace.cancels.filter((call) => isDueRefusal(trace, call));
      const wrong = refused.find((call) => granted.has(manner(call)) || isTriedBothWays(refused));
      if (!wrong) continue;
      findings.fail('order.cancel.pending', {
        message: 'a PENDING order could not be cancelled by its sender',
        ...wronglyRefused(wrong),
        evidence: [trace.creation?.id ?? '', wrong.id],
      });
    }

    /** With an empty object and with no body at all: then it was not refused for its form. */
    function isTriedBothWays(refused: readonly Call[]): boolean {
      const bodies = new Set(refused.map(bodyOf));
      return bodies.has('{}') && bodies.has('none');
    }

    function isDueRefusal(trace: OrderTrace, call: Call): boolean {
      const { creation, cancels, acceptances, proposals } = trace;
      if (!creation || !isDenied(call) || view.disturbed(trace.id)) return false;
      // The effect of a selection or a proposal may be under way while the order still shows PENDING.
      if (possiblyEffective([...acceptances, ...proposals, ...cancels]).length > 0) return false;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      return (
        call.exchange.params.intent_id === textOf(creation.data, 'intent_id') &&
        relationOf(view, trace, call.party) === 'sender' &&
        expiry !== undefined &&
        view.clock.before(call, expiry) &&
        wasPending(trace, call)
      );
    }
  },
});

/** The same once a quote was accepted. The state lasts as long as the target likes: a read after the refusal shows it. */
const quotedCancelsMustBeGranted = defineRule({
  id: 'cancels.due-once-quoted',
  title:
    'An order that is QUOTED even after a refused cancel is cancelled when its sender asks for it',
  requirements: ['order.cancel.quoted'],
  judge(view, findings) {
    // Otherwise a state that is read may be outdated.
    if (view.context.answers('views.lag') !== 'at-once') return;
    const granted = new Set(
      view.endpoint('order.cancel').flatMap((call) => (call.ok ? [manner(call)] : [])),
    );
    for (const trace of view.orders.values()) {
      const accepted = trace.acceptances.find(({ ok }) => ok);
      if (!trace.creation || !accepted || view.disturbed(trace.id)) continue;
      if (possiblyEffective(trace.cancels).length > 0) continue;
      for (const call of trace.cancels) {
        const isDue = isDenied(call) && precedes(accepted, call) && granted.has(manner(call));
        if (!isDue || relationOf(view, trace, call.party) !== 'sender') continue;
        const still = trace.snapshots.find(
          (seen) => !seen.frame && precedes(call, seen) && orderStateOf(seen) === 'QUOTED',
        );
        if (!still) continue;
        findings.fail('order.cancel.quoted', {
          message: 'an order could not be cancelled by its sender, and was QUOTED still',
          ...wronglyRefused(call),
          evidence: [accepted.id, call.id, still.source],
        });
      }
    }
  },
});

const tooLate = [
  ['SETTLED', 'order.cancel.settled-refused'],
  ['EXECUTING', 'order.cancel.executing-refused'],
] as const;

const cancelTooLate = defineRule({
  id: 'order.cancels-too-late',
  title: 'A cancel is refused once its order is EXECUTING or SETTLED',
  requirements: ['order.cancel.executing-refused', 'order.cancel.settled-refused'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const call of trace.cancels) {
        if (call.status === undefined) continue;
        for (const [state, requirement] of tooLate) {
          const known = seenBefore(trace, call, [state]);
          if (!known || (state === 'EXECUTING' && mayHaveFailedSince(trace))) continue;
          findings.assert(requirement, !call.ok, call.id, () => ({
            message: `a cancel succeeded on an order that was ${state}`,
            ...letThrough(call),
            evidence: [known.source, call.id],
          }));
          break;
        }
      }
    }

    /** True if an EXECUTING order may have failed by then, or was cancelled before it was EXECUTING. */
    function mayHaveFailedSince(trace: OrderTrace): boolean {
      return (
        view.disturbed(trace.id) ||
        trace.cancels.some((call) => call.ok && !seenBefore(trace, call, ['EXECUTING']))
      );
    }
  },
});

/** Reasons may show in whole orders that were read, and not in events, or the other way round. */
const placeOf = ({ whole, frame }: Snapshot): 'read' | 'event' | undefined =>
  whole ? 'read' : frame && 'event';

const requirement = 'order.failure-reason.user-cancelled';

const showsReason = ({ value }: Snapshot): boolean => failureReasonIn(value) !== undefined;

/**
 * It is open which field shows a reason, and if any does. If other ended orders show theirs, the cancelled ones are
 * expected to. That is a warning, since the document does not say so, until other cancelled orders of this target have
 * shown theirs in the same place.
 */
const cancelShowsReason = defineRule({
  id: 'order.cancel-reasons-shown',
  title: 'Where orders show why they ended, those that were cancelled do',
  requirements: [requirement],
  judge(view, findings) {
    const endings = [...view.orders.values()].map((trace) => ({
      trace,
      cancel: effectiveCancels(trace)[0],
      ended: trace.snapshots.filter(isUnsettled),
    }));
    const showing = new Map(
      endings
        .filter(({ cancel }) => !cancel)
        .flatMap(({ ended }) => ended)
        .filter(showsReason)
        .map((seen) => [placeOf(seen), seen]),
    );
    for (const { trace, cancel, ended } of endings) {
      if (!cancel || view.disturbed(trace.id) || wasUnderWay(trace)) continue;
      if (mayHaveExpired(view, trace, cancel)) continue;
      const isShown = ended.some(showsReason);
      for (const place of ['read', 'event'] as const) {
        const there = ended.filter((seen) => placeOf(seen) === place && precedes(cancel, seen));
        const shown = there.find(showsReason);
        const [silent] = there;
        const other = showing.get(place);
        if (shown) findings.pass(requirement, shown.source, 1, place);
        // No more of an order is promised of events than its state: a reason that is read answers for them.
        else if (silent && other && !(isShown && place === 'event'))
          findings.warn(requirement, {
            departure: 'reason-not-shown',
            circumstances: place,
            message: 'a cancelled order showed no reason where others show theirs',
            expected: 'USER_CANCELLED',
            actual: silent.value,
            evidence: [cancel.id, silent.source, other.source],
          });
      }
    }
  },
});

/** True if something else may have ended the order as it was cancelled. */
const wasUnderWay = ({ snapshots }: OrderTrace): boolean => snapshots.some(isIn('EXECUTING'));

/** True if the order may have expired before the cancel took effect (gap `cancel.response`). */
function mayHaveExpired(
  { context: { offset } }: HistoryView,
  { snapshots }: OrderTrace,
  { exchange }: Call,
): boolean {
  const expiry = timestampIn(snapshots, 'expires_at');
  if (expiry === undefined) return false;
  const earliest = expiry - offset.most;
  return (
    earliest <= exchange.received + tolerance.replicationLagMs &&
    !snapshots.some((seen) => isUnsettled(seen) && seen.to < earliest)
  );
}

export const cancelRules = [
  cancelShowsReason,
  cancelEndsOrder,
  cancelTooLate,
  cancelsMustBeGranted,
  quotedCancelsMustBeGranted,
];
