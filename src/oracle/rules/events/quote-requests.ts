import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import {
  type Cause,
  causedBy,
  framesOn,
  makersOf,
  mustDeliver,
  relationOf,
} from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { TraceFrame } from '../../trace/streams.ts';
import {
  isIn,
  type OrderTrace,
  possiblyEffective,
  showsTerminal,
  touchesOf,
} from '../../trace/traces.ts';
import { assertDelivered, assertDeliveredOnce, firstOn, framesOf, streamsDue } from './delivery.ts';

const requestsAnnounced = defineRule({
  id: 'event.quote-request-new',
  title: 'Every new request is announced to every market maker, once',
  requirements: [
    'event.quote-request-new.sent',
    'event.quote-request-new.to-every-maker',
    'event.quote-request-new.once',
    'event.after-cause',
    'event.live',
    'event.every-open-stream',
  ],
  judge(view, findings) {
    const makers = view.once(makersOf);
    for (const trace of view.orders.values()) {
      const frames = framesOf(trace, 'quote_request_new');
      assertDeliveredOnce(findings, 'event.quote-request-new.once', frames);
      const { creation } = trace;
      if (!creation) continue;
      for (const { seen } of frames) {
        findings.assert('event.after-cause', seen.at > creation.open, seen.id, () => ({
          message: 'quote_request_new came before the order was created',
          evidence: [seen.id, creation.id],
        }));
      }
      const cause = availability(view, trace, creation);
      if (!cause) continue;
      const due = streamsDue(view, trace, 'quote_request_new', makers, cause);
      const several = new Set(due.map(({ party }) => party)).size > 1;
      assertDelivered(findings, {
        trace,
        event: 'quote_request_new',
        about: 'of a request',
        cause,
        due,
        frameOn: firstOn(trace, 'quote_request_new'),
        requirements: () => [
          'event.quote-request-new.sent',
          several && 'event.quote-request-new.to-every-maker',
        ],
      });
    }
  },
});

/**
 * The cause from which on a request was certainly there for makers. An order may wait for its proposal to be accepted
 * first (gap `proposal.effect`), or end before its request has come to makers: then somebody must have seen the
 * request.
 */
function availability(view: HistoryView, trace: OrderTrace, creation: Call): Cause | undefined {
  const effect = view.context.answers('proposal.effect');
  if (effect !== undefined && effect !== 'opens-quoting' && !wasBrief(trace, creation)) {
    return causedBy(creation);
  }
  const seen = trace.rfqs.find(({ frame }) => !frame);
  const quoted = trace.submissions.find((call) => call.ok);
  const proof = seen && (!quoted || seen.close < quoted.close) ? seen.call : quoted;
  return proof && { ...causedBy(proof), since: creation.open };
}

/** True if the order ended sooner than its request must have been on its way to makers (gap `event.latency`). */
function wasBrief(trace: OrderTrace, { exchange }: Call): boolean {
  const by = exchange.received + tolerance.eventDeliveryMs;
  return (
    possiblyEffective(trace.cancels).some((call) => call.exchange.sent < by) ||
    trace.snapshots.some((seen) => showsTerminal(seen) && seen.to < by)
  );
}

const requestExpiryAnnounced = defineRule({
  id: 'event.quote-request-expired',
  title: 'quote_request_expired comes once, of a request that can no longer be quoted',
  requirements: [
    'event.quote-request-expired.sent',
    'event.quote-request-expired.not-while-open',
    'event.quote-request-expired.once',
  ],
  judge(view, findings) {
    const makers = view.once(makersOf);
    for (const trace of view.orders.values()) {
      const frames = framesOf(trace, 'quote_request_expired');
      assertDeliveredOnce(findings, 'event.quote-request-expired.once', frames);
      // A withdrawn order may have ended EXPIRED without having expired (gap `withdrawn.state`).
      if (!trace.creation || view.disturbed(trace.id)) continue;
      for (const { seen } of frames) judgeClosed(trace, seen);
      judgeSent(trace, frames.length);
    }

    function judgeClosed(trace: OrderTrace, seen: TraceFrame): void {
      const acts = touchesOf(trace);
      const failed = trace.snapshots.some(isIn('FAILED'));
      const expiry = timestampIn([...trace.snapshots, ...trace.rfqs], 'expires_at');
      if (failed || expiry === undefined || acts.some((call) => call.open < seen.at)) return;
      const open = view.clock.before(
        { from: seen.frame.received, to: seen.frame.received },
        expiry,
      );
      findings.assert('event.quote-request-expired.not-while-open', !open, seen.id, () => ({
        message: 'quote_request_expired came while the request could still be quoted',
        must: { at_least: new Date(expiry).toISOString() },
        actual: new Date(seen.frame.received).toISOString(),
      }));
    }

    /** It is open if the event goes to makers that quoted or to those that did not, but it goes to some of them. */
    function judgeSent(trace: OrderTrace, delivered: number): void {
      if (touchesOf(trace).length > 0) return;
      const expired = trace.snapshots.find(isIn('EXPIRED'));
      if (!expired || trace.rfqs.length === 0) return;
      const due = streamsDue(view, trace, 'quote_request_expired', makers, {
        since: trace.creation?.open ?? Number.NEGATIVE_INFINITY,
        byMs: expired.to,
        by: expired.close,
        source: expired.source,
      });
      const quoters = due.filter(({ party }) =>
        trace.submissions.some((call) => call.ok && call.party === party),
      );
      if (quoters.length === 0 || quoters.length === due.length) return;
      // The document names no field for it: if an event names no order, the request that it is about cannot be known.
      const nameless = due.some(({ frames }) =>
        frames.some(({ frame, intentId }) => frame.event === 'quote_request_expired' && !intentId),
      );
      if (nameless) return;
      findings.assert('event.quote-request-expired.sent', delivered > 0, expired.source, () => ({
        message: 'no market maker got quote_request_expired of a request that had expired',
        evidence: [expired.source, ...due.map(({ id }) => id)],
      }));
    }
  },
});

/** Numbers of announced and silent creations on a party's streams, of orders that it has the same part in. */
interface AnnouncementHabit {
  silent: number;
  /** Orders whose PENDING came before anything else had happened to them, and soon. */
  announced: number;
  /** PENDING that came later, with the request that went before it. */
  readonly late: { readonly frame: TraceFrame; readonly cause: Call }[];
}

/** Number of orders without a PENDING that shows that a target does not announce creations. */
const minOrders = 3;

/**
 * It is open if creation is a change of status (gap `event.creation`), so the first PENDING of an order may announce
 * its creation. It does not if no other order has one and this one comes with a quote, or long after the creation.
 */
const creationsAnnounced = defineRule({
  id: 'event.creations-told',
  title: 'Where creations are not announced, an order is not announced as PENDING later',
  requirements: ['event.order-updated.only-on-change'],
  judge(view, findings) {
    const habits = new Map<string, AnnouncementHabit>();
    for (const trace of view.orders.values()) {
      const { creation, proposals, submissions } = trace;
      if (!creation || possiblyEffective(proposals).length > 0) continue;
      for (const stream of view.streams) {
        if (stream.kind !== 'order' || stream.resumed || stream.filter !== undefined) continue;
        if (!mustDeliver(stream, causedBy(creation))) continue;
        const relation = relationOf(view, trace, stream.party);
        if (relation === 'stranger' || relation === 'unknown') continue;
        const key = `${stream.party} ${relation}`;
        const habit = habits.get(key) ?? { silent: 0, announced: 0, late: [] };
        habits.set(key, habit);
        const frame = framesOn(trace, stream, 'order_updated').find(
          ({ payload }) => textOf(payload, 'status') === 'PENDING',
        );
        const cause = frame && lateCause(trace, creation, frame);
        const quoted = submissions.find((call) => call.ok && mustDeliver(stream, causedBy(call)));
        if (!frame && quoted) findings.pass('event.order-updated.only-on-change', quoted.id);
        if (!frame) habit.silent += 1;
        else if (cause) habit.late.push({ frame, cause });
        else habit.announced += 1;
      }
    }
    for (const { silent, announced, late } of habits.values()) {
      if (silent < minOrders || announced > 0) continue;
      for (const { frame, cause } of late) {
        findings.fail('event.order-updated.only-on-change', {
          message:
            'order_updated showed an order as PENDING after its creation, and no other order',
          fields: ['status'],
          evidence: [cause.id, frame.id],
        });
      }
    }
  },
});

/** The quote that a PENDING came after, or the creation if that was long before. */
function lateCause({ submissions }: OrderTrace, creation: Call, frame: TraceFrame) {
  const sentMs = frame.frame.after ?? frame.frame.received;
  const isLate = sentMs > creation.exchange.received + tolerance.eventDeliveryMs;
  return submissions.find(({ ok, close }) => ok && close < frame.at) ?? (isLate && creation);
}

export const quoteRequestRules = [creationsAnnounced, requestsAnnounced, requestExpiryAnnounced];
