import { groupBy } from '../../../history/group-by.ts';
import { parseDecimal, significantScale } from '../../../protocol/decimal.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isSet, shownText, textOf } from '../../../protocol/json.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal } from '../../trace/calls.ts';
import { causedBy, type Relation, relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { isReplacedInPlace } from '../../trace/selections.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import {
  type OrderTrace,
  possiblyEffective,
  type QuoteTrace,
  touchesOf,
} from '../../trace/traces.ts';
import {
  assertAudience,
  assertDelivered,
  type Delivered,
  limitRequirement,
  streamsDue,
  withRepeats,
} from './delivery.ts';

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
  const expiry = timestampIn(trace.snapshots, 'expires_at');
  const acts = touchesOf(trace);
  const precedes = (call: Call, instant: number | undefined): boolean =>
    instant === undefined || view.clock.before(call, instant);
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

const quotesAnnounced = defineRule({
  id: 'event.quote-received.sent',
  title: 'Every quote on a PENDING order goes to the sender and its custodian',
  requirements: [
    'event.quote-received.sent',
    'event.quote-received.every-quote',
    'event.quote-received.to-sender-custodian',
    'event.live',
    'event.every-open-stream',
    'stream.intent-filter.all-of-that-order',
    'stream.intent-filter.for-custodian',
    'stream.unfiltered-has-all',
  ],
  judge(view, findings) {
    const received = view.once(receivedQuotes);
    for (const trace of view.orders.values()) {
      if (!trace.creation || trace.submissions.length === 0) continue;
      const clear = clearSubmissions(view, trace);
      const several = new Set(clear.map(({ party }) => party)).size > 1;
      const audience = [trace.creation.party, view.nameOf(trace.senderCustodianId)];
      for (const call of clear) {
        const cause = causedBy(call);
        assertDelivered(findings, {
          trace,
          event: 'quote_received',
          about: `of a quote by ${call.party}`,
          cause,
          due: streamsDue(view, trace, 'quote_received', audience, cause),
          frameOn: (stream) => frameOf(stream, call),
          requirements: (stream) =>
            stream.role === 'custodian'
              ? ['event.quote-received.to-sender-custodian', limitRequirement(stream)]
              : [
                  'event.quote-received.sent',
                  limitRequirement(stream),
                  several && 'event.quote-received.every-quote',
                ],
        });
      }
    }

    /** Finds the frame by its quote; without a quote_id, by its rate after the submission. */
    function frameOf(stream: StreamTrace, call: Call): TraceFrame | undefined {
      const { byQuote, byRate } = received(stream);
      const alike = byRate.get(decimalKey(call.sent?.['fx_rate'])) ?? [];
      return (
        byQuote.get(textOf(call.data, 'quote_id') ?? '') ?? alike.find(({ at }) => at > call.open)
      );
    }
  },
});

/** One quote_received, with its quote and its order as far as it names them. */
interface ReceivedQuote extends Delivered {
  readonly quoteId: string | undefined;
  readonly quote: QuoteTrace | undefined;
  readonly trace: OrderTrace | undefined;
}

function everyReceivedQuote(view: HistoryView): readonly ReceivedQuote[] {
  const received = view.once(receivedQuotes);
  return view.streams.flatMap((stream) => {
    if (!stream.call.own || stream.kind !== 'order') return [];
    return received(stream).all.map((seen) => {
      const quoteId = textOf(seen.payload, 'quote_id');
      const quote = quoteId === undefined ? undefined : view.quotes.get(quoteId);
      // A payload may name neither (gap `event.payload`): then it is of the order that the stream is limited to.
      const intentId = seen.intentId ?? quote?.intentId ?? (quoteId ? undefined : stream.filter);
      const trace = view.order(intentId);
      return { stream, seen, quoteId, quote, trace };
    });
  });
}

const barred: Partial<
  Record<
    Relation,
    'event.quote-received.not-to-receiver-custodian' | 'event.quote-received.not-to-strangers'
  >
> = {
  'receiver-custodian': 'event.quote-received.not-to-receiver-custodian',
  // Among institutions quotes go to the sender only; being named as the receiver changes nothing.
  receiver: 'event.quote-received.not-to-strangers',
  stranger: 'event.quote-received.not-to-strangers',
};

const quotesToSenderSide = defineRule({
  id: 'event.quote-received.to-sender-side',
  title: 'quote_received goes to the sender and its custodian only',
  requirements: [
    'event.quote-received.not-to-receiver-custodian',
    'event.quote-received.not-to-strangers',
  ],
  judge(view, findings) {
    const received = groupBy(view.once(everyReceivedQuote), ({ trace }) => trace);
    for (const trace of view.orders.values()) {
      const [call] = trace.creation ? clearSubmissions(view, trace) : [];
      const audience = {
        trace,
        event: 'quote_received',
        frames: received.get(trace) ?? [],
        cause: call && causedBy(call),
        barring: (party: string) => barred[relationOf(view, trace, party)],
      } as const;
      assertAudience(view, findings, audience, (party) => ({
        message: `quote_received went to ${party}`,
        must: { words: 'the sender and its custodian only' },
      }));
    }
  },
});

/** True if the maker may have given a second quote under the id of the first (gap `quote.twice`). */
const mayBeReplaced = ({ quote, trace, quoteId }: ReceivedQuote): boolean =>
  possiblyEffective(trace?.submissions ?? []).filter(({ party, data }) => {
    const own = textOf(data, 'quote_id');
    return party === quote?.maker && (own === undefined || own === quoteId);
  }).length > 1;

/** Fields of a quote that stay as they are. */
const lasting = [
  'fx_rate',
  'target_amount',
  'market_maker_party_id',
  'submitted_at',
  'valid_until',
] as const;

const quoteEventsCorrect = defineRule({
  id: 'event.quote-received.right',
  title: 'quote_received comes once for each quote, and shows it as it is listed',
  requirements: ['event.quote-received.once', 'event.quote-received.agrees-with-list'],
  judge(view, findings) {
    const identified = view.once(everyReceivedQuote).filter((one) => one.quoteId !== undefined);
    for (const one of withRepeats(identified, (each) => each.quoteId ?? '')) {
      const { before, seen, quote, trace, quoteId } = one;
      if (!mayBeReplaced(one)) {
        findings.assert('event.quote-received.once', !before, seen.id, () => ({
          message: 'quote_received came twice for one quote on one stream',
          fields: ['intent_id', 'quote_id'],
          actual: quoteId,
          evidence: [before?.id ?? '', seen.id],
        }));
      }
      if (quote && !isReplacedInPlace(quote, trace)) judgeContent(quote, seen);
    }

    /** Two fields are named for the event. Others that never change must be those of the quote if they are there. */
    function judgeContent(quote: QuoteTrace, seen: TraceFrame): void {
      const listed = quote.snapshots.find(({ resource, whole }) => resource === 'quote' && whole);
      for (const field of lasting) {
        const delivered = seen.payload?.[field];
        const sent = quote.sent?.[field];
        // The submitted target_amount may have meant the source (gap `quote.target_amount`).
        const required = listed?.value[field] ?? (field === 'fx_rate' ? sent : undefined);
        if (!isSet(delivered) || !isSet(required)) continue;
        if (field === 'target_amount' && !equalValues(field, required, sent)) continue;
        const holds = equalValues(field, required, delivered);
        findings.assert('event.quote-received.agrees-with-list', holds, seen.id, () => ({
          message: `${field} in quote_received was not what the order's list of quotes shows`,
          fields: [field],
          expected: required,
          actual: delivered,
          evidence: [listed?.source ?? quote.submission?.id ?? '', seen.id],
        }));
      }
    }
  },
});

/** True if the event may be about the submission. Robot makers quote like the suite, at a rate of one. */
function mayShow(view: HistoryView, { payload }: TraceFrame, { party, sent }: Call): boolean {
  const maker = textOf(payload, 'market_maker_party_id');
  if (maker !== undefined && view.nameOf(maker) !== party) return false;
  const [delivered, asked] = [payload, sent].map((one) => parseTimestamp(one?.['valid_until']));
  if (delivered !== undefined && asked !== undefined && delivered !== asked) return false;
  return decimalKey(sent?.['fx_rate']) === decimalKey(payload?.['fx_rate']);
}

const quoteEventsCaused = defineRule({
  id: 'event.quote-received.caused',
  title: 'quote_received comes of a quote that was taken, and not before it',
  requirements: [
    'event.quote-received.only-after-quote',
    'event.after-cause',
    // Also judged by `refusal.no-event`, which looks at requests on orders and at creations.
    'error.refusal-sends-no-event',
  ],
  judge(view, findings) {
    for (const { quote, trace, seen } of view.once(everyReceivedQuote)) {
      const submission = quote?.submission;
      if (submission) {
        findings.assert('event.after-cause', seen.at > submission.open, seen.id, () => ({
          message: 'quote_received came before the quote was submitted',
          evidence: [seen.id, submission.id],
        }));
        if (submission.ok) findings.pass('event.quote-received.only-after-quote', seen.id);
      } else if (trace) judgeUnknown(trace, seen);
    }

    /** Makers that the suite does not drive may quote as well: only our own refused terms prove anything. */
    function judgeUnknown(trace: OrderTrace, seen: TraceFrame): void {
      const alike = trace.submissions.filter((call) => mayShow(view, seen, call));
      const refused = alike.find(isRefusal);
      if (!refused || possiblyEffective(alike).length > 0 || seen.at < refused.open) return;
      findings.fail(['event.quote-received.only-after-quote', 'error.refusal-sends-no-event'], {
        message: 'quote_received came of a quote whose submission was refused',
        evidence: [refused.id, seen.id],
      });
    }
  },
});

export const quoteEventRules = [
  quotesAnnounced,
  quotesToSenderSide,
  quoteEventsCorrect,
  quoteEventsCaused,
];
