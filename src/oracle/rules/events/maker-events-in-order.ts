import { defineRule } from '../../findings.ts';
import type { TraceFrame, StreamTrace } from '../../trace/streams.ts';

/** The events that a market maker gets of one order, by how far the order has come. */
const stages: Readonly<Record<string, number>> = {
  quote_request_new: 0,
  quote_accepted: 1,
  quote_rejected: 1,
  settlement_completed: 2,
};

export const makerEventOrder = defineRule({
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
