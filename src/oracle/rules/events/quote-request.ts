import { parseTimestamp } from '../../../spec/forms.ts';
import {
  type Cause,
  causedBy,
  framesOn,
  mustDeliver,
  isDeliveredLate,
  streamsByParty,
} from '../../trace/event-delivery.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import {
  possiblyEffective,
  type OrderTrace,
  showsTerminal,
  orderStateOf,
} from '../../trace/traces.ts';
import { type TraceFrame, type StreamTrace, earlierDelivery } from '../../trace/streams.ts';

import { makersOf } from '../../trace/event-delivery.ts';

export const requestsAnnounced = defineRule({
  id: 'event.quote-request-new',
  title: 'Every new request is told to every market maker, once',
  requirements: [
    'event.quote-request-new.sent',
    'event.quote-request-new.to-every-maker',
    'event.quote-request-new.once',
    'event.after-cause',
    'event.live',
  ],
  judge(view, findings) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const trace of view.orders.values()) {
      judgeFrames(trace);
      const cause = availability(trace);
      if (!cause) continue;
      const due = makers.flatMap((maker) =>
        streamsOf(maker).filter((stream) => mustDeliver(stream, cause)),
      );
      const got = due.map((stream) => framesOn(trace, stream, 'quote_request_new')[0]);
      const several = new Set(due.map(({ party }) => party)).size > 1;
      due.forEach((stream, index) => {
        const frame = got[index];
        for (const requirement of [
          'event.quote-request-new.sent',
          ...(several ? (['event.quote-request-new.to-every-maker'] as const) : []),
        ] as const) {
          findings.assert(requirement, frame !== undefined, frame?.id ?? cause.source, () => ({
            message: `no quote_request_new told ${stream.party} of a request`,
            expected: { event: 'quote_request_new', intent_id: trace.id },
            evidence: [stream.id, cause.source],
          }));
        }
        if (!frame) return;
        if (!isDeliveredLate(frame, cause)) findings.pass('event.live', frame.id);
        else
          findings.warn('event.live', {
            message: 'quote_request_new came late',
            evidence: [frame.id],
          });
      });
    }

    /**
     * When a request was surely there for makers. An order may wait for its proposal to be accepted first (gap
     * `proposal.effect`), or end before its request has come to makers: then somebody must have seen the request.
     */
    function availability(trace: OrderTrace): Cause | undefined {
      const { creation } = trace;
      if (!creation) return undefined;
      const effect = view.context.answers('proposal.effect');
      if (effect !== undefined && effect !== 'opens-quoting' && !wasBrief(trace, creation)) {
        return causedBy(creation);
      }
      const seen = trace.rfqs.find(({ frame }) => !frame);
      const quoted = trace.submissions.find((call) => call.ok);
      if (!seen && !quoted) return undefined;
      const proof = seen && (!quoted || seen.close < quoted.close) ? seen.call : quoted;
      return proof && { ...causedBy(proof), since: creation.open };
    }

    function judgeFrames(trace: OrderTrace): void {
      const seenOn = new Map<StreamTrace, TraceFrame>();
      for (const { stream, seen } of trace.frames) {
        if (seen.frame.event !== 'quote_request_new') continue;
        const { creation } = trace;
        if (creation) {
          findings.assert('event.after-cause', seen.at > creation.open, seen.id, () => ({
            message: 'quote_request_new came before the order was created',
            evidence: [seen.id, creation.id],
          }));
        }
        const before = earlierDelivery(stream, seenOn.get(stream));
        seenOn.set(stream, seen);
        findings.assert('event.quote-request-new.once', !before, seen.id, () => ({
          message: 'one request was told twice on one stream',
          actual: trace.id,
          evidence: [before?.id ?? '', seen.id],
        }));
      }
    }
  },
});

export const requestExpiryAnnounced = defineRule({
  id: 'event.quote-request-expired',
  title: 'quote_request_expired is told once, of a request that can no longer be quoted',
  requirements: [
    'event.quote-request-expired.sent',
    'event.quote-request-expired.not-while-open',
    'event.quote-request-expired.once',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const trace of view.orders.values()) {
      const delivered = trace.frames.filter(
        ({ seen }) => seen.frame.event === 'quote_request_expired',
      );
      const counted = new Map<StreamTrace, TraceFrame>();
      for (const { stream, seen } of delivered) {
        const before = earlierDelivery(stream, counted.get(stream));
        counted.set(stream, seen);
        findings.assert('event.quote-request-expired.once', !before, seen.id, () => ({
          message: 'the end of one request was told twice on one stream',
          evidence: [before?.id ?? '', seen.id],
        }));
        judgeClosed(trace, seen);
      }
      judgeSent(trace, delivered.length);
    }

    function judgeClosed(trace: OrderTrace, seen: TraceFrame): void {
      if (!trace.creation || view.disturbed(trace.id)) return;
      const ended = [
        ...possiblyEffective(trace.acceptances),
        ...possiblyEffective(trace.cancels),
      ].some((call) => call.open < seen.at);
      const failed = trace.snapshots.some((order) => orderStateOf(order) === 'FAILED');
      if (ended || failed) return;
      const expiry = expiryOf(trace);
      if (expiry === undefined) return;
      const open = clock.before({ from: seen.frame.received, to: seen.frame.received }, expiry);
      findings.assert('event.quote-request-expired.not-while-open', !open, seen.id, () => ({
        message: 'quote_request_expired came while the request could still be quoted',
        expected: `no earlier than ${new Date(expiry).toISOString()}`,
        actual: new Date(seen.frame.received).toISOString(),
        evidence: [seen.id],
      }));
    }

    /** Whether it goes to makers that quoted or to those that did not is open, but it goes to one of them. */
    function judgeSent(trace: OrderTrace, delivered: number): void {
      // What was withdrawn may have ended EXPIRED without having expired (gap `withdrawn.state`).
      if (!trace.creation || view.disturbed(trace.id)) return;
      if (possiblyEffective([...trace.acceptances, ...trace.cancels]).length > 0) return;
      const expired = trace.snapshots.find((seen) => orderStateOf(seen) === 'EXPIRED');
      if (!expired || trace.rfqs.length === 0) return;
      const cause = {
        since: trace.creation.open,
        byMs: expired.to,
        by: expired.close,
        source: expired.source,
      };
      const due = makers.flatMap((maker) =>
        streamsOf(maker).filter((stream) => mustDeliver(stream, cause)),
      );
      const quoters = due.filter(({ party }) =>
        trace.submissions.some((call) => call.ok && call.party === party),
      );
      if (quoters.length === 0 || quoters.length === due.length) return;
      const nameless = due.some(({ frames }) =>
        frames.some(({ frame, intentId }) => frame.event === 'quote_request_expired' && !intentId),
      );
      if (nameless) return;
      findings.assert('event.quote-request-expired.sent', delivered > 0, expired.source, () => ({
        message: 'no market maker was told that a request had expired',
        evidence: [expired.source, ...due.map(({ id }) => id)],
      }));
    }
  },
});

/** Whether an order ended sooner than its request must have been on its way to makers (gap `event.latency`). */
function wasBrief(trace: OrderTrace, { exchange }: Call): boolean {
  const by = exchange.received + tolerance.eventDeliveryMs;
  return (
    possiblyEffective(trace.cancels).some((call) => call.exchange.sent < by) ||
    trace.snapshots.some((seen) => showsTerminal(seen) && seen.to < by)
  );
}

function expiryOf(trace: OrderTrace): number | undefined {
  for (const { value } of [...trace.snapshots, ...trace.rfqs]) {
    const at = parseTimestamp(value['expires_at']);
    if (at !== undefined) return at;
  }
  return undefined;
}
