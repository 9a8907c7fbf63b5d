import { parseTimestamp } from '../../../spec/forms.ts';
import {
  causedBy,
  framesOn,
  mustDeliver,
  isDeliveredLate,
  type Relation,
  relationOf,
  withoutDelivery,
  streamsByParty,
} from '../../trace/event-delivery.ts';
import { parseDecimal, significantScale } from '../../../protocol/decimal.ts';
import { isSet, textAt } from '../../../protocol/json.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import { isReplacedInPlace } from '../../trace/submitted-quotes.ts';
import type { Call } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace, type QuoteTrace } from '../../trace/traces.ts';
import { type TraceFrame, type StreamTrace, earlierDelivery } from '../../trace/streams.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** A rate without its padding, so that equal rates have equal keys. */
function rateKey(value: unknown): string {
  const rate = parseDecimal(value);
  if (!rate) return String(value);
  const scale = significantScale(rate);
  return `${rate.digits / 10n ** BigInt(rate.scale - scale)}e-${scale}`;
}

interface Received {
  readonly all: readonly TraceFrame[];
  readonly byQuote: ReadonlyMap<string, TraceFrame>;
  /** Those whose payload has only the named fields, by their rate. */
  readonly byRate: ReadonlyMap<string, readonly TraceFrame[]>;
}

const nothing: Received = { all: [], byQuote: new Map(), byRate: new Map() };

/** What each stream told of quotes. */
function received(view: HistoryView): ReadonlyMap<StreamTrace, Received> {
  const delivered = new Map<StreamTrace, Received>();
  for (const stream of view.streams) {
    const all = stream.frames.filter(({ frame }) => frame.event === 'quote_received');
    const byQuote = new Map<string, TraceFrame>();
    const byRate = new Map<string, TraceFrame[]>();
    for (const seen of all) {
      const id = textAt(seen.payload, 'quote_id');
      if (id !== undefined) {
        if (!byQuote.has(id)) byQuote.set(id, seen);
        continue;
      }
      const rate = rateKey(seen.payload?.['fx_rate']);
      byRate.set(rate, [...(byRate.get(rate) ?? []), seen]);
    }
    delivered.set(stream, { all, byQuote, byRate });
  }
  return delivered;
}

const barred: Partial<
  Record<
    Relation,
    'event.quote-received.not-to-receiver-custodian' | 'event.quote-received.not-to-strangers'
  >
> = {
  'receiver-custodian': 'event.quote-received.not-to-receiver-custodian',
  // Of institutions quotes are told to the sender: being named as the receiver makes nobody that.
  receiver: 'event.quote-received.not-to-strangers',
  stranger: 'event.quote-received.not-to-strangers',
};

/**
 * Submissions that were taken while their order was surely PENDING, of quotes that had not lapsed by then. One that was
 * answered with an earlier quote brought none (gap `quote.twice`).
 */
function clearSubmissions(view: HistoryView, trace: OrderTrace): readonly Call[] {
  const clock = targetClockOf(view);
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  const meddled = [...possiblyEffective(trace.acceptances), ...possiblyEffective(trace.cancels)];
  const precedes = (call: Call, instant: number | undefined): boolean =>
    instant === undefined || clock.before(intervalOf(call), instant);
  return trace.submissions.filter(
    (call) =>
      call.ok &&
      call.own &&
      isFirst(view, call) &&
      meddled.every((other) => other.open > call.close) &&
      precedes(call, expiry) &&
      precedes(call, parseTimestamp(call.sent?.['valid_until'])),
  );
}

function isFirst(view: HistoryView, call: Call): boolean {
  const id = textAt(call.data, 'quote_id');
  return id === undefined || view.quotes.get(id)?.submission === call;
}

export const quotesAnnounced = defineRule({
  id: 'event.quote-received.sent',
  title: 'Every quote on a PENDING order is told to the sender and its custodian',
  requirements: [
    'event.quote-received.sent',
    'event.quote-received.every-quote',
    'event.quote-received.to-sender-custodian',
    'event.live',
  ],
  judge(view, findings) {
    const streamsOf = view.once(streamsByParty);
    const delivered = view.once(received);
    for (const trace of view.orders.values()) {
      if (!trace.creation || trace.submissions.length === 0) continue;
      const clear = clearSubmissions(view, trace);
      const several = new Set(clear.map(({ party }) => party)).size > 1;
      for (const party of new Set([trace.creation.party, view.nameOf(trace.senderCustodianId)])) {
        if (party === undefined) continue;
        for (const stream of streamsOf(party)) {
          if (stream.kind !== 'order') continue;
          if (stream.filter !== undefined && stream.filter !== trace.id) continue;
          for (const call of clear) {
            if (mustDeliver(stream, causedBy(call))) judgeOne(stream, call, several);
          }
        }
      }
    }

    function judgeOne(stream: StreamTrace, call: Call, several: boolean): void {
      const frame = frameOf(stream, call);
      const requirements =
        stream.role === 'custodian'
          ? (['event.quote-received.to-sender-custodian'] as const)
          : ([
              'event.quote-received.sent',
              ...(several ? (['event.quote-received.every-quote'] as const) : []),
            ] as const);
      for (const requirement of requirements) {
        findings.assert(requirement, frame !== undefined, frame?.id ?? call.id, () => ({
          message: `no quote_received told ${stream.party} of a quote by ${call.party}`,
          expected: { event: 'quote_received', quote_id: textAt(call.data, 'quote_id') },
          evidence: [stream.id, call.id],
        }));
      }
      if (!frame) return;
      const late = isDeliveredLate(frame, causedBy(call));
      if (!late) findings.pass('event.live', frame.id);
      else
        findings.warn('event.live', {
          message: 'quote_received came late',
          evidence: [call.id, frame.id],
        });
    }

    /** By its quote; where the payload has only the named fields, any frame with that rate after the submission. */
    function frameOf(stream: StreamTrace, call: Call): TraceFrame | undefined {
      const { byQuote, byRate } = delivered.get(stream) ?? nothing;
      const found = byQuote.get(textAt(call.data, 'quote_id') ?? '');
      if (found || byRate.size === 0) return found;
      const alike = byRate.get(rateKey(call.sent?.['fx_rate'])) ?? [];
      return alike.find(({ at }) => at > call.open);
    }
  },
});

export const quoteEventsCorrect = defineRule({
  id: 'event.quote-received.right',
  title:
    'quote_received goes to the sender side only, once for each quote, for a quote that was taken',
  requirements: [
    'event.quote-received.not-to-receiver-custodian',
    'event.quote-received.not-to-strangers',
    'event.quote-received.once',
    'event.quote-received.only-after-quote',
    'event.quote-received.agrees-with-list',
    'event.after-cause',
    'error.refusal-sends-no-event',
  ],
  judge(view, findings) {
    const delivered = view.once(received);
    const streamsOf = view.once(streamsByParty);
    const parties = [
      ...new Set(view.streams.filter(({ kind }) => kind === 'order').map(({ party }) => party)),
    ];
    for (const trace of view.orders.values()) judgeWithoutDelivery(trace);
    for (const stream of view.streams) {
      if (!stream.call.own || stream.kind !== 'order') continue;
      const counted = new Map<string, TraceFrame>();
      for (const seen of delivered.get(stream)?.all ?? []) {
        const quoteId = textAt(seen.payload, 'quote_id');
        const quote = quoteId === undefined ? undefined : view.quotes.get(quoteId);
        const intentId = seen.intentId ?? quote?.intentId;
        const trace = intentId === undefined ? undefined : view.orders.get(intentId);
        if (trace) judgeAudience(trace, stream, seen);
        if (quoteId !== undefined) {
          judgeOnce(quoteId, counted, { quote, trace, stream, seen });
          if (quote && !isReplacedInPlace(quote, trace)) judgeContent(quote, seen);
        }
        judgeCause(quote, trace, seen);
      }
    }

    function judgeAudience(trace: OrderTrace, stream: StreamTrace, seen: TraceFrame): void {
      const requirement = barred[relationOf(view, trace, stream.party)];
      if (!requirement) return;
      findings.fail(requirement, {
        message: `quote_received went to ${stream.party}`,
        expected: 'the sender and its custodian only',
        evidence: [stream.id, seen.id],
      });
    }

    /** Only one who listened while a quote came in shows that such as it are left out. */
    function judgeWithoutDelivery(trace: OrderTrace): void {
      const [call] = clearSubmissions(view, trace);
      if (!trace.creation || !call) return;
      for (const party of parties) {
        const requirement = barred[relationOf(view, trace, party)];
        if (!requirement) continue;
        const got = (stream: StreamTrace): boolean =>
          framesOn(trace, stream, 'quote_received').length > 0;
        for (const stream of withoutDelivery(streamsOf(party), causedBy(call), got)) {
          findings.pass(requirement, stream.id);
        }
      }
    }

    function judgeOnce(
      quoteId: string,
      counted: Map<string, TraceFrame>,
      {
        quote,
        trace,
        stream,
        seen,
      }: {
        quote: QuoteTrace | undefined;
        trace: OrderTrace | undefined;
        stream: StreamTrace;
        seen: TraceFrame;
      },
    ): void {
      const before = earlierDelivery(stream, counted.get(quoteId));
      counted.set(quoteId, seen);
      // A second quote may keep the id of the first that it replaces (gap `quote.twice`).
      const submissions = possiblyEffective(trace?.submissions ?? []).filter(({ party, data }) => {
        const own = textAt(data, 'quote_id');
        return party === quote?.maker && (own === undefined || own === quoteId);
      });
      if (submissions.length > 1) return;
      findings.assert('event.quote-received.once', !before, seen.id, () => ({
        message: 'one quote was told twice on one stream',
        actual: quoteId,
        evidence: [before?.id ?? '', seen.id],
      }));
    }

    function judgeContent(quote: QuoteTrace, seen: TraceFrame): void {
      const listed = quote.snapshots.find(({ resource, whole }) => resource === 'quote' && whole);
      if (!listed) return;
      for (const field of ['fx_rate', 'target_amount'] as const) {
        const delivered = seen.payload?.[field];
        const required = listed.value[field];
        if (!isSet(delivered) || !isSet(required)) continue;
        // What was submitted as target_amount may have meant the source (gap): then either may be told.
        if (field === 'target_amount' && !equalValues(field, required, quote.sent?.[field]))
          continue;
        const holds = equalValues(field, required, delivered);
        findings.assert('event.quote-received.agrees-with-list', holds, seen.id, () => ({
          message: `${field} in quote_received was not what the order's list of quotes shows`,
          expected: required,
          actual: delivered,
          evidence: [listed.source, seen.id],
        }));
      }
    }

    /** Whether an event may be of a submission, for all that both say: robots quote like us, at a rate of one. */
    function mayTell({ payload }: TraceFrame, { party, sent }: Call): boolean {
      const maker = textAt(payload, 'market_maker_party_id');
      if (maker !== undefined && view.nameOf(maker) !== party) return false;
      const deadlines = [payload, sent].map((one) => parseTimestamp(one?.['valid_until']));
      const [delivered, asked] = deadlines;
      if (delivered !== undefined && asked !== undefined && delivered !== asked) return false;
      return rateKey(sent?.['fx_rate']) === rateKey(payload?.['fx_rate']);
    }

    function judgeCause(
      quote: QuoteTrace | undefined,
      trace: OrderTrace | undefined,
      seen: TraceFrame,
    ): void {
      if (quote?.submission) {
        const holds = seen.at > quote.submission.open;
        findings.assert('event.after-cause', holds, seen.id, () => ({
          message: 'quote_received came before the quote was submitted',
          evidence: [seen.id, quote.submission?.id ?? ''],
        }));
        if (quote.submission.ok) findings.pass('event.quote-received.only-after-quote', seen.id);
        return;
      }
      if (!trace) return;
      // Makers that the suite does not drive may quote as well: only our own refused terms prove anything.
      const alike = trace.submissions.filter((call) => mayTell(seen, call));
      const refused = alike.find(
        (call) => call.status !== undefined && !call.ok && call.status < 500,
      );
      if (!refused || possiblyEffective(alike).length > 0 || seen.at < refused.open) return;
      for (const requirement of [
        'event.quote-received.only-after-quote',
        'error.refusal-sends-no-event',
      ] as const) {
        findings.fail(requirement, {
          message: 'quote_received told a quote whose submission was refused',
          evidence: [refused.id, seen.id],
        });
      }
    }
  },
});
