import { parseTimestamp } from '../../../spec/forms.ts';
import { parseDecimal, significantScale } from '../../../protocol/decimal.ts';
import { shownText, textOf } from '../../../protocol/json.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { possiblyEffective, type OrderTrace } from '../../trace/traces.ts';

/** A decimal number without its padding, so that equal numbers have equal keys. */
export function decimalKey(value: unknown): string {
  const number = parseDecimal(value);
  if (!number) return shownText(value);
  const scale = significantScale(number);
  return `${number.digits / 10n ** BigInt(number.scale - scale)}e-${scale}`;
}

interface Received {
  readonly all: readonly TraceFrame[];
  readonly byQuote: ReadonlyMap<string, TraceFrame>;
  /** Frames whose payload has only the named fields, by their rate. */
  readonly byRate: ReadonlyMap<string, readonly TraceFrame[]>;
}

const nothing: Received = { all: [], byQuote: new Map(), byRate: new Map() };

/** The quote_received of each stream. */
export function receivedQuotes(view: HistoryView): (stream: StreamTrace) => Received {
  const delivered = new Map<StreamTrace, Received>();
  for (const stream of view.streams) {
    const all = stream.frames.filter(({ frame }) => frame.event === 'quote_received');
    const byQuote = new Map<string, TraceFrame>();
    const byRate = new Map<string, TraceFrame[]>();
    for (const seen of all) {
      const id = textOf(seen.payload, 'quote_id');
      const rate = decimalKey(seen.payload?.['fx_rate']);
      if (id === undefined) byRate.set(rate, [...(byRate.get(rate) ?? []), seen]);
      else if (!byQuote.has(id)) byQuote.set(id, seen);
    }
    delivered.set(stream, { all, byQuote, byRate });
  }
  return (stream) => delivered.get(stream) ?? nothing;
}

/**
 * Submissions that were taken while their order was certainly PENDING, of quotes that had not lapsed by then. A
 * submission that was answered with an earlier quote does not count (gap `quote.twice`).
 */
export function clearSubmissions(view: HistoryView, trace: OrderTrace): readonly Call[] {
  const clock = targetClockOf(view);
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  const acts = possiblyEffective([...trace.acceptances, ...trace.cancels]);
  const precedes = (call: Call, instant: number | undefined): boolean =>
    instant === undefined || clock.before(intervalOf(call), instant);
  return trace.submissions.filter((call) => {
    const id = textOf(call.data, 'quote_id');
    return (
      call.ok &&
      call.own &&
      (id === undefined || view.quotes.get(id)?.submission === call) &&
      acts.every((other) => other.open > call.close) &&
      precedes(call, expiry) &&
      precedes(call, parseTimestamp(call.sent?.['valid_until']))
    );
  });
}
