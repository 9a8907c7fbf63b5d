import { textOf } from '../../../protocol/json.ts';
import { heartbeat } from '../../../spec/events.ts';
import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import { decimalKey } from './quote-received.ts';

const framedEvents = [
  ['order_updated', 'intent_id', 'event.order-updated.has-intent-id'],
  ['order_updated', 'status', 'event.order-updated.has-status'],
  ['quote_received', 'fx_rate', 'event.quote-received.has-fx-rate'],
  ['quote_received', 'target_amount', 'event.quote-received.has-target-amount'],
  ['quote_request_new', 'intent_id', 'event.quote-request-new.names-request'],
  ['quote_accepted', 'intent_id', 'event.quote-accepted.has-intent-id'],
  ['quote_accepted', 'fx_rate', 'event.quote-accepted.has-fx-rate'],
  ['quote_rejected', 'intent_id', 'event.quote-rejected.has-intent-id'],
  ['settlement_completed', 'transaction_hash', 'event.settlement-completed.has-transaction-hash'],
] as const;

const eventPayloads = defineRule({
  id: 'event.payloads',
  title: 'Each event carries the fields that part 6 names for it',
  requirements: framedEvents.map(([, , requirement]) => requirement),
  judge(view, findings) {
    for (const stream of view.streams) {
      for (const { frame, payload, id } of stream.frames) {
        for (const [event, field, requirement] of framedEvents) {
          if (frame.event !== event) continue;
          const value = payload?.[field];
          const holds = typeof value === 'string' && value !== '';
          findings.assert(requirement, holds, id, () => ({
            message: `${event} did not carry ${field}`,
            actual: frame.data ?? frame.text,
          }));
        }
      }
    }
  },
});

/** The events that a market maker gets of one order, by how far the order has come. */
const stages: Readonly<Record<string, number>> = {
  quote_request_new: 0,
  quote_accepted: 1,
  quote_rejected: 1,
  settlement_completed: 2,
};

const makerEventOrder = defineRule({
  id: 'event.maker-order',
  title:
    'A market maker gets the events of a request, of its selection and of its settlement in that order',
  requirements: ['event.in-order'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const last = new Map<StreamTrace, TraceFrame>();
      for (const { stream, seen } of trace.frames) {
        const stage = stages[seen.frame.event];
        // A stream that resumes may tell again.
        if (stage === undefined || stream.kind !== 'maker' || stream.resumed) continue;
        const before = last.get(stream);
        const reached = before && stages[before.frame.event];
        // It is open if a winner gets an event of its other quotes, and when (gap `quote.winner_others`).
        if (seen.frame.event === 'quote_rejected' && reached === stages['settlement_completed'])
          continue;
        last.set(stream, seen);
        if (!before || reached === undefined || stage === reached) continue;
        findings.assert('event.in-order', stage > reached, seen.id, () => ({
          message: `${seen.frame.event} came after ${before.frame.event} of the same order`,
          evidence: [before.id, seen.id],
        }));
      }
    }
  },
});

const orderOf = (view: HistoryView, { intentId, payload }: TraceFrame): string | undefined =>
  intentId ?? view.quote(textOf(payload, 'quote_id'))?.intentId;

function ratesByOrder(view: HistoryView): ReadonlyMap<string, ReadonlySet<string>> {
  const rates = [...view.orders].map(([id, { quotes, submissions }]) => {
    const bodies = [
      ...submissions.map(({ sent }) => sent),
      ...quotes.flatMap(({ snapshots }) => snapshots.map(({ value }) => value)),
    ];
    return [id, new Set(bodies.map((body) => decimalKey(body?.['fx_rate'])))] as const;
  });
  return new Map(rates);
}

/** The one order that has a quote at the rate of a frame that names neither its quote nor its order. */
function orderByRate(
  view: HistoryView,
  { filter = '' }: StreamTrace,
  { frame, payload }: TraceFrame,
): string | undefined {
  if (frame.event !== 'quote_received') return undefined;
  const rate = decimalKey(payload?.['fx_rate']);
  const rates = view.once(ratesByOrder);
  if (rates.get(filter)?.has(rate)) return filter;
  // Makers that the suite does not drive may quote at any rate that is usual here.
  const [only, ...more] = [...rates].filter(([, own]) => own.has(rate));
  return more.length === 0 ? only?.[0] : undefined;
}

const streamFilter = defineRule({
  id: 'stream.filters',
  title: 'A stream limited to one order carries no event of another',
  requirements: ['stream.intent-filter.only-that-order'],
  judge(view, findings) {
    for (const stream of view.streams) {
      if (stream.filter === undefined || !stream.call.own) continue;
      for (const seen of stream.frames) {
        if (seen.frame.event === heartbeat) continue;
        const order = orderOf(view, seen) ?? orderByRate(view, stream, seen);
        if (order === undefined) continue;
        const holds = order === stream.filter;
        findings.assert('stream.intent-filter.only-that-order', holds, seen.id, () => ({
          message: `a stream limited to one order carried ${seen.frame.event} of another`,
          expected: stream.filter,
          actual: order,
          evidence: [stream.id, seen.id],
        }));
      }
    }
  },
});

export const frameRules = [eventPayloads, streamFilter, makerEventOrder];
