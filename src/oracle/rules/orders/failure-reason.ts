import { compare, equalNumbers, parseDecimal } from '../../../protocol/decimal.ts';
import {
  failureReasonIn,
  failureReasonPath,
  reasonShown,
  valueAt,
} from '../../../protocol/failure-reason.ts';
import { isSet } from '../../../protocol/json.ts';
import { isAnswered } from '../../../results/findings.ts';
import { acceptanceFields } from '../../../spec/requirements/index.ts';
import { acceptedStates } from '../../../spec/states.ts';
import { type FailureReason, failureReasons, isMisspeltReason } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection } from '../../trace/selections.ts';
import { type Snapshot, timestampIn } from '../../trace/snapshots.ts';
import {
  effectiveCancels,
  isIn,
  isUnsettled,
  orderStateOf,
  type OrderTrace,
  possiblyEffective,
} from '../../trace/traces.ts';

/** True if a party outside the cast quotes the orders of this history. */
const strangersQuote = (view: HistoryView): boolean =>
  [...view.quotes.values()].some(
    ({ maker, intentId }) => maker === undefined && view.order(intentId)?.creation,
  );

/** The failure reasons that orders of this history showed once they had ended. */
function* reasonsOf(view: HistoryView): Generator<readonly [OrderTrace, Snapshot, string]> {
  for (const trace of view.orders.values()) {
    for (const snapshot of trace.creation ? trace.snapshots.filter(isUnsettled) : []) {
      const reason = failureReasonIn(snapshot.value);
      if (reason !== undefined) yield [trace, snapshot, reason];
    }
  }
}

/** Path at which this target shows its failure reasons (gap `order.failure_reason_field`), found by its values. */
const reasonPathOf = (view: HistoryView): readonly string[] | undefined =>
  [...view.orders.values()]
    .flatMap(({ snapshots }) => snapshots.filter(isUnsettled))
    .map(({ value }) => failureReasonPath(value))
    .find(isSet);

const failureReasonShown = defineRule({
  id: 'order.failure-reasons',
  title: 'A failure reason is one of the six, and stands only on an order that ended unsettled',
  requirements: [
    'order.failure-reason.admissible',
    'order.failure-reason.only-when-ended',
    'order.failure-reason.not-when-settled',
    'order.failure-reason.views-agree',
  ],
  judge(view, findings) {
    const path = reasonPathOf(view);
    const standsThere = ({ value }: Snapshot): boolean =>
      path !== undefined && failureReasonPath(value)?.join() === path.join();
    for (const trace of view.orders.values()) {
      let first: Snapshot | undefined;
      for (const snapshot of trace.snapshots) {
        const reason = failureReasonIn(snapshot.value);
        const state = orderStateOf(snapshot);
        if (state === 'SETTLED' && snapshot.whole && path) judgeSettled(snapshot);
        if (!state) continue;
        const ended = isUnsettled(snapshot);
        if (reason === undefined) {
          if (ended) judgeUnknown(snapshot);
          continue;
        }
        findings.assert('order.failure-reason.only-when-ended', ended, snapshot.source, () => ({
          message: `an order in ${state} carried the failure reason ${reason}`,
          ...reasonShown(snapshot.value),
        }));
        if (!ended) continue;
        findings.pass('order.failure-reason.admissible', snapshot.source);
        if (!standsThere(snapshot)) continue;
        if (first) judgeUnchanged(first, snapshot);
        first ??= snapshot;
      }
    }

    /** An order that has ended does not change: the first reason that it showed is its reason. */
    function judgeUnchanged(first: Snapshot, { value, source, via }: Snapshot): void {
      const [shownReason, reason] = [failureReasonIn(first.value), failureReasonIn(value)];
      findings.assert('order.failure-reason.views-agree', shownReason === reason, source, () => ({
        message: `an order showed the failure reason ${shownReason} (${first.via}) and ${reason} (${via})`,
        expected: shownReason,
        ...reasonShown(value),
        evidence: [first.source, source],
      }));
    }

    /** A reason word may mean something else in another field: only the path of this target's reasons counts. */
    function judgeSettled(snapshot: Snapshot): void {
      const { value, source } = snapshot;
      findings.assert(
        'order.failure-reason.not-when-settled',
        !standsThere(snapshot),
        source,
        () => ({
          message: `an order that settled carried the failure reason ${failureReasonIn(value)}`,
          ...reasonShown(value),
        }),
      );
    }

    /** Once a target has shown the path of its reasons, any value there is one of the six, or an empty text, or nothing. */
    function judgeUnknown({ value, source }: Snapshot): void {
      const shown = path && valueAt(value, path);
      if (!isSet(shown) || shown === '') return;
      findings[isMisspeltReason(shown) ? 'fail' : 'warn']('order.failure-reason.admissible', {
        departure: 'reason-of-its-own',
        message: 'the failure reason of an order was none of the six values',
        fields: path?.slice(-1) ?? [],
        must: { one_of: failureReasons },
        actual: shown,
        evidence: [source],
      });
    }
  },
});

const failureReasonFits = defineRule({
  id: 'order.failure-reason-fits',
  title: 'A failure reason fits what happened to its order',
  requirements: [
    'order.failure-reason.no-quote',
    'order.failure-reason.user-cancelled',
    'order.failure-reason.slippage',
    'order.cancel.only-that-order',
  ],
  judge(view, findings) {
    for (const [trace, snapshot, reason] of reasonsOf(view)) {
      judgeUncancelled(trace, snapshot, reason);
      judgeCancelled(trace, snapshot, reason);
      judgeUnquoted(trace, snapshot, reason);
      judgeTooDear(trace, snapshot, reason);
    }
    judgeSilent();

    /** An expired order may show a reason or none (gap `expiry.reason`); a target that does both has not answered the gap. */
    function judgeSilent(): void {
      const expired = [...view.orders.values()].flatMap((trace) => {
        const seen = trace.snapshots.findLast(
          (one) => one.whole && orderStateOf(one) === 'EXPIRED',
        );
        if (!trace.creation || !seen || !isUnquoted(trace)) return [];
        const isShown = trace.snapshots.some(({ value }) => failureReasonIn(value) !== undefined);
        return [{ seen, isShown }];
      });
      const showing = expired.filter(({ isShown }) => isShown);
      const silent = expired.filter(({ isShown }) => !isShown);
      if (showing.length <= silent.length) return;
      const isClosed = isAnswered(showing.length, silent.length);
      for (const { seen } of silent) {
        findings[isClosed ? 'fail' : 'warn']('order.failure-reason.no-quote', {
          departure: 'vague',
          message: 'an order that expired without a quote showed no reason, as others do',
          expected: 'NO_QUOTE',
          actual: seen.value,
          evidence: [showing[0]?.seen.source ?? '', seen.source],
          ...(isClosed && { closed: true }),
        });
      }
    }

    function judgeUncancelled(trace: OrderTrace, seen: Snapshot, reason: string): void {
      if (reason !== 'USER_CANCELLED') return;
      const cancelled = possiblyEffective(trace.cancels).length > 0;
      findings.assert('order.cancel.only-that-order', cancelled, seen.source, () => ({
        message: 'an order that nobody cancelled carried the reason USER_CANCELLED',
        ...reasonShown(seen.value),
      }));
    }

    function judgeCancelled(trace: OrderTrace, snapshot: Snapshot, reason: string): void {
      const cancel = effectiveCancels(trace).find((call) => call.close < snapshot.open);
      if (!cancel || view.disturbed(trace.id) || mayHaveEndedBefore(trace, cancel, reason)) return;
      const holds = reason === 'USER_CANCELLED';
      findings.assert('order.failure-reason.user-cancelled', holds, snapshot.source, () => ({
        message: 'a cancelled order carried another failure reason',
        expected: 'USER_CANCELLED',
        ...reasonShown(snapshot.value),
        evidence: [cancel.id, snapshot.source],
      }));
    }

    /** True if something else may already have ended the order, with this reason, when it was cancelled. */
    function mayHaveEndedBefore(trace: OrderTrace, cancel: Call, reason: string): boolean {
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      const inTime = (instant: number | undefined): boolean =>
        instant !== undefined && view.clock.before(cancel, instant);
      if (possiblyEffective(trace.acceptances).length === 0)
        return (reason === 'NO_QUOTE' || reason === 'SLIPPAGE') && !inTime(expiry);
      const [, quote] = certainSelection(view, trace) ?? [];
      const wasExecuted = trace.snapshots.some(isIn('EXECUTING'));
      return !quote || wasExecuted || !inTime(timestampIn(quote.snapshots, 'valid_until'));
    }

    function judgeUnquoted(trace: OrderTrace, snapshot: Snapshot, reason: string): void {
      const { value, source } = snapshot;
      const quoted = trace.submissions.some((call) => call.ok && call.close < snapshot.open);
      const expiredUnquoted =
        orderStateOf(snapshot) === 'EXPIRED' &&
        reason !== 'OPERATOR_WITHDRAWN' &&
        isUnquoted(trace);
      if (reason !== 'NO_QUOTE' && !expiredUnquoted) return;
      const message = quoted
        ? 'an order that had been quoted carried the reason NO_QUOTE'
        : `an order that expired without a quote carried the reason ${reason}`;
      const holds = quoted ? reason !== 'NO_QUOTE' : reason === 'NO_QUOTE';
      findings.assert('order.failure-reason.no-quote', holds, source, () => ({
        message,
        ...reasonShown(value),
        // No answer to the open question gives it to an order that was quoted within its maximum.
        ...(quoted && !trace.submissions.some(isTooDear(trace)) && { closed: true }),
      }));
    }

    /** A quote that was refused may still be why none was good enough; what an operator withdraws is its own affair. */
    function isUnquoted(trace: OrderTrace): boolean {
      const { submissions, quotes, cancels, acceptances, id } = trace;
      const touched = submissions.length + quotes.length + cancels.length + acceptances.length;
      return touched === 0 && !view.disturbed(id) && !view.once(strangersQuote);
    }

    /** 7.2: a reason has its meaning. Too dear a quote can fail its order, or leave it to expire, for that alone. */
    function judgeTooDear(trace: OrderTrace, snapshot: Snapshot, reason: string): void {
      if (view.disturbed(trace.id) || reason === 'OPERATOR_WITHDRAWN') return;
      if (trace.cancels.length > 0 || view.once(strangersQuote)) return;
      if (trace.submissions.length === 0 || !trace.submissions.every(isTooDear(trace))) return;
      const hasExpired = orderStateOf(snapshot) === 'EXPIRED';
      if (!hasExpired && trace.acceptances.length === 0) return;
      const admissible = hasExpired ? ['SLIPPAGE', 'NO_QUOTE', 'TIMEOUT'] : ['SLIPPAGE'];
      const holds = admissible.includes(reason);
      findings.assert('order.failure-reason.slippage', holds, snapshot.source, () => ({
        message: `an order whose quotes were all above its maximum carried the reason ${reason}`,
        must: { one_of: admissible },
        ...reasonShown(snapshot.value),
      }));
    }
  },
});

/** True for a quote at rate one, which costs its own amount, if that is above the maximum of its order. */
const isTooDear =
  ({ sent: order }: OrderTrace) =>
  ({ sent }: Call): boolean => {
    const [price, most] = [
      parseDecimal(sent?.['target_amount']),
      parseDecimal(order?.['source_amount_max']),
    ];
    const isRateOne = equalNumbers(sent?.['fx_rate'], '1') === true;
    return isRateOne && price !== undefined && most !== undefined && compare(price, most) > 0;
  };

/** True if a quote may have been accepted, by anybody. */
const mayBeAccepted = ({ acceptances, snapshots }: OrderTrace): boolean =>
  possiblyEffective(acceptances).length > 0 ||
  snapshots.some(
    (seen) =>
      acceptedStates.some((state) => state === orderStateOf(seen)) ||
      acceptanceFields.some((field) => isSet(seen.value[field])),
  );

/** A quote that was refused may still be why none was good enough. */
const mayBeQuoted = (view: HistoryView, { submissions, quotes }: OrderTrace): boolean =>
  submissions.length + quotes.length > 0 || view.once(strangersQuote);

/** 3.1: a settlement that reverts fails its order. Only one whose quote had lapsed by then may have expired instead. */
function hasExpiredByRevert(view: HistoryView, trace: OrderTrace, seen: Snapshot): boolean {
  const [, quote] = certainSelection(view, trace) ?? [];
  const validUntil = quote && timestampIn(quote.snapshots, 'valid_until');
  const isReverted = failureReasonIn(seen.value) === 'REVERT' && orderStateOf(seen) === 'EXPIRED';
  return isReverted && validUntil !== undefined && view.clock.before(seen, validUntil);
}

interface Objection {
  /** Why an order cannot have ended for its reason. */
  readonly why: string;
  readonly barred: readonly FailureReason[];
}

/** Undefined if the order may have ended for its reason. */
function objection(view: HistoryView, trace: OrderTrace, seen: Snapshot): Objection | undefined {
  const reason = failureReasonIn(seen.value);
  if (hasExpiredByRevert(view, trace, seen))
    return { why: 'that expired before its quote lapsed', barred: ['REVERT'] };
  // A fault that was asked for explains any reason, but no wrong end.
  if (view.disturbed(trace.id)) return undefined;
  const isOfSettlement = reason === 'TIMEOUT' || reason === 'REVERT';
  if (isOfSettlement && !mayBeAccepted(trace))
    return { why: 'of which no quote was accepted', barred: ['TIMEOUT', 'REVERT'] };
  if (reason === 'SLIPPAGE' && !mayBeQuoted(view, trace))
    return { why: 'that nobody quoted', barred: ['SLIPPAGE'] };
  return undefined;
}

/** 2.2, 7.2: each reason has its meaning. Reasons of cancelled orders are judged with the cancels. */
const failureReasonApplies = defineRule({
  id: 'order.failure-reason-applies',
  title: 'No order ends for a reason that it cannot have',
  requirements: ['order.failure-reason.applies'],
  judge(view, findings) {
    for (const [trace, snapshot, reason] of reasonsOf(view)) {
      if (possiblyEffective(trace.cancels).length > 0) continue;
      const { value, source } = snapshot;
      const against = objection(view, trace, snapshot);
      findings.assert('order.failure-reason.applies', !against, source, () => ({
        message: `an order ${against?.why} ended with the reason ${reason}`,
        must: { one_of: failureReasons.filter((one) => !against?.barred.includes(one)) },
        ...reasonShown(value),
        evidence: [trace.creation?.id ?? '', source],
      }));
    }
  },
});

export const failureReasonRules = [failureReasonShown, failureReasonFits, failureReasonApplies];
