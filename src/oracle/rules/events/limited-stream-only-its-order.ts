import { heartbeat } from '../../../spec/events.ts';
import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import { decimalKey } from './received-quotes.ts';

/** The order of a frame, by its id or that of its quote. */
const orderOf = (view: HistoryView, { intentId, payload }: TraceFrame): string | undefined =>
  intentId ?? view.quotes.get(textOf(payload, 'quote_id') ?? '')?.intentId;

/** The rates of the quotes on each order, by any maker. */
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

export const streamFilter = defineRule({
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
