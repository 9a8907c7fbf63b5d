import { parseTimestamp } from '../spec/forms.ts';
import {
  causedBy,
  framesOn,
  isDue,
  isLate,
  type Relation,
  relationOf,
  spared,
  streamsByParty,
} from './audience.ts';
import { exact, significantScale } from './exact.ts';
import { isSet, textAt } from './json.ts';
import { during, watchOf } from './moment.ts';
import { sameValue } from './same.ts';
import { defineRule } from './tally.ts';
import { isReplacedInPlace } from './terms.ts';
import type { Call } from './view/calls.ts';
import { momentIn } from './view/sightings.ts';
import { happened, type OrderStory, type QuoteStory } from './view/stories.ts';
import { type SeenFrame, type StreamStory, toldForGood } from './view/streams.ts';
import type { HistoryView } from './view.ts';

/** A rate without its padding, so that equal rates have equal keys. */
function rateKey(value: unknown): string {
  const rate = exact(value);
  if (!rate) return String(value);
  const scale = significantScale(rate);
  return `${rate.digits / 10n ** BigInt(rate.scale - scale)}e-${scale}`;
}

interface Received {
  readonly all: readonly SeenFrame[];
  readonly byQuote: ReadonlyMap<string, SeenFrame>;
  /** Those whose payload has only the named fields, by their rate. */
  readonly byRate: ReadonlyMap<string, readonly SeenFrame[]>;
}

const nothing: Received = { all: [], byQuote: new Map(), byRate: new Map() };

/** What each stream told of quotes. */
function received(view: HistoryView): ReadonlyMap<StreamStory, Received> {
  const told = new Map<StreamStory, Received>();
  for (const stream of view.streams) {
    const all = stream.frames.filter(({ frame }) => frame.event === 'quote_received');
    const byQuote = new Map<string, SeenFrame>();
    const byRate = new Map<string, SeenFrame[]>();
    for (const seen of all) {
      const id = textAt(seen.payload, 'quote_id');
      if (id !== undefined) {
        if (!byQuote.has(id)) byQuote.set(id, seen);
        continue;
      }
      const rate = rateKey(seen.payload?.['fx_rate']);
      byRate.set(rate, [...(byRate.get(rate) ?? []), seen]);
    }
    told.set(stream, { all, byQuote, byRate });
  }
  return told;
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
function clearSubmissions(view: HistoryView, story: OrderStory): readonly Call[] {
  const watch = watchOf(view);
  const expiry = momentIn(story.sightings, 'expires_at');
  const meddled = [...happened(story.acceptances), ...happened(story.cancels)];
  const precedes = (call: Call, moment: number | undefined): boolean =>
    moment === undefined || watch.before(during(call), moment);
  return story.submissions.filter(
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

export const quotesTold = defineRule({
  id: 'event.quote-received.sent',
  title: 'Every quote on a PENDING order is told to the sender and its custodian',
  requirements: [
    'event.quote-received.sent',
    'event.quote-received.every-quote',
    'event.quote-received.to-sender-custodian',
    'event.live',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    const told = view.once(received);
    for (const story of view.orders.values()) {
      if (!story.creation || story.submissions.length === 0) continue;
      const clear = clearSubmissions(view, story);
      const several = new Set(clear.map(({ party }) => party)).size > 1;
      for (const party of new Set([story.creation.party, view.nameOf(story.senderCustodianId)])) {
        if (party === undefined) continue;
        for (const stream of streamsOf(party)) {
          if (stream.kind !== 'order') continue;
          if (stream.filter !== undefined && stream.filter !== story.id) continue;
          for (const call of clear) {
            if (isDue(stream, causedBy(call))) judgeOne(stream, call, several);
          }
        }
      }
    }

    function judgeOne(stream: StreamStory, call: Call, several: boolean): void {
      const frame = frameOf(stream, call);
      const requirements =
        stream.role === 'custodian'
          ? (['event.quote-received.to-sender-custodian'] as const)
          : ([
              'event.quote-received.sent',
              ...(several ? (['event.quote-received.every-quote'] as const) : []),
            ] as const);
      for (const requirement of requirements) {
        tally.judge(requirement, frame !== undefined, frame?.id ?? call.id, () => ({
          message: `no quote_received told ${stream.party} of a quote by ${call.party}`,
          expected: { event: 'quote_received', quote_id: textAt(call.data, 'quote_id') },
          evidence: [stream.id, call.id],
        }));
      }
      if (!frame) return;
      const late = isLate(frame, causedBy(call));
      if (!late) tally.pass('event.live', frame.id);
      else
        tally.warn('event.live', {
          message: 'quote_received came late',
          evidence: [call.id, frame.id],
        });
    }

    /** By its quote; where the payload has only the named fields, any frame with that rate after the submission. */
    function frameOf(stream: StreamStory, call: Call): SeenFrame | undefined {
      const { byQuote, byRate } = told.get(stream) ?? nothing;
      const found = byQuote.get(textAt(call.data, 'quote_id') ?? '');
      if (found || byRate.size === 0) return found;
      const alike = byRate.get(rateKey(call.sent?.['fx_rate'])) ?? [];
      return alike.find(({ at }) => at > call.open);
    }
  },
});

export const quotesToldRight = defineRule({
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
  judge(view, tally) {
    const told = view.once(received);
    const streamsOf = view.once(streamsByParty);
    const parties = [
      ...new Set(view.streams.filter(({ kind }) => kind === 'order').map(({ party }) => party)),
    ];
    for (const story of view.orders.values()) judgeSpared(story);
    for (const stream of view.streams) {
      if (!stream.call.own || stream.kind !== 'order') continue;
      const counted = new Map<string, SeenFrame>();
      for (const seen of told.get(stream)?.all ?? []) {
        const quoteId = textAt(seen.payload, 'quote_id');
        const quote = quoteId === undefined ? undefined : view.quotes.get(quoteId);
        const intentId = seen.intentId ?? quote?.intentId;
        const story = intentId === undefined ? undefined : view.orders.get(intentId);
        if (story) judgeAudience(story, stream, seen);
        if (quoteId !== undefined) {
          judgeOnce(quoteId, counted, { quote, story, stream, seen });
          if (quote && !isReplacedInPlace(quote, story)) judgeContent(quote, seen);
        }
        judgeCause(quote, story, seen);
      }
    }

    function judgeAudience(story: OrderStory, stream: StreamStory, seen: SeenFrame): void {
      const requirement = barred[relationOf(view, story, stream.party)];
      if (!requirement) return;
      tally.fail(requirement, {
        message: `quote_received went to ${stream.party}`,
        expected: 'the sender and its custodian only',
        evidence: [stream.id, seen.id],
      });
    }

    /** Only one who listened while a quote came in shows that such as it are left out. */
    function judgeSpared(story: OrderStory): void {
      const [call] = clearSubmissions(view, story);
      if (!story.creation || !call) return;
      for (const party of parties) {
        const requirement = barred[relationOf(view, story, party)];
        if (!requirement) continue;
        const got = (stream: StreamStory): boolean =>
          framesOn(story, stream, 'quote_received').length > 0;
        for (const stream of spared(streamsOf(party), causedBy(call), got)) {
          tally.pass(requirement, stream.id);
        }
      }
    }

    function judgeOnce(
      quoteId: string,
      counted: Map<string, SeenFrame>,
      {
        quote,
        story,
        stream,
        seen,
      }: {
        quote: QuoteStory | undefined;
        story: OrderStory | undefined;
        stream: StreamStory;
        seen: SeenFrame;
      },
    ): void {
      const before = toldForGood(stream, counted.get(quoteId));
      counted.set(quoteId, seen);
      // A second quote may keep the id of the first that it replaces (gap `quote.twice`).
      const submissions = happened(story?.submissions ?? []).filter(({ party, data }) => {
        const own = textAt(data, 'quote_id');
        return party === quote?.maker && (own === undefined || own === quoteId);
      });
      if (submissions.length > 1) return;
      tally.judge('event.quote-received.once', !before, seen.id, () => ({
        message: 'one quote was told twice on one stream',
        actual: quoteId,
        evidence: [before?.id ?? '', seen.id],
      }));
    }

    function judgeContent(quote: QuoteStory, seen: SeenFrame): void {
      const listed = quote.sightings.find(({ resource, whole }) => resource === 'quote' && whole);
      if (!listed) return;
      for (const field of ['fx_rate', 'target_amount'] as const) {
        const told = seen.payload?.[field];
        const wanted = listed.value[field];
        if (!isSet(told) || !isSet(wanted)) continue;
        // What was submitted as target_amount may have meant the source (gap): then either may be told.
        if (field === 'target_amount' && !sameValue(field, wanted, quote.sent?.[field])) continue;
        const holds = sameValue(field, wanted, told);
        tally.judge('event.quote-received.agrees-with-list', holds, seen.id, () => ({
          message: `${field} in quote_received was not what the order's list of quotes shows`,
          expected: wanted,
          actual: told,
          evidence: [listed.source, seen.id],
        }));
      }
    }

    /** Whether an event may be of a submission, for all that both say: robots quote like us, at a rate of one. */
    function mayTell({ payload }: SeenFrame, { party, sent }: Call): boolean {
      const maker = textAt(payload, 'market_maker_party_id');
      if (maker !== undefined && view.nameOf(maker) !== party) return false;
      const deadlines = [payload, sent].map((one) => parseTimestamp(one?.['valid_until']));
      const [told, asked] = deadlines;
      if (told !== undefined && asked !== undefined && told !== asked) return false;
      return rateKey(sent?.['fx_rate']) === rateKey(payload?.['fx_rate']);
    }

    function judgeCause(
      quote: QuoteStory | undefined,
      story: OrderStory | undefined,
      seen: SeenFrame,
    ): void {
      if (quote?.submission) {
        const holds = seen.at > quote.submission.open;
        tally.judge('event.after-cause', holds, seen.id, () => ({
          message: 'quote_received came before the quote was submitted',
          evidence: [seen.id, quote.submission?.id ?? ''],
        }));
        if (quote.submission.ok) tally.pass('event.quote-received.only-after-quote', seen.id);
        return;
      }
      if (!story) return;
      // Makers that the suite does not drive may quote as well: only our own refused terms prove anything.
      const alike = story.submissions.filter((call) => mayTell(seen, call));
      const refused = alike.find(
        (call) => call.status !== undefined && !call.ok && call.status < 500,
      );
      if (!refused || happened(alike).length > 0 || seen.at < refused.open) return;
      for (const requirement of [
        'event.quote-received.only-after-quote',
        'error.refusal-sends-no-event',
      ] as const) {
        tally.fail(requirement, {
          message: 'quote_received told a quote whose submission was refused',
          evidence: [refused.id, seen.id],
        });
      }
    }
  },
});
