import { parseTimestamp } from '../spec/forms.ts';
import {
  type Cause,
  causedBy,
  framesOn,
  isDue,
  isLate,
  spared,
  streamsByParty,
} from './audience.ts';
import { isSet, textAt } from './json.ts';
import { watchOf } from './moment.ts';
import { patience } from './patience.ts';
import { sameValue } from './same.ts';
import { defineRule } from './tally.ts';
import { type Call, precedes } from './view/calls.ts';
import { happened, type OrderStory, type QuoteStory, stateOf } from './view/stories.ts';
import type { SeenFrame, StreamStory } from './view/streams.ts';
import type { HistoryView } from './view.ts';

const makersOf = (view: HistoryView): readonly string[] => [
  ...new Set(view.streams.filter(({ kind }) => kind === 'maker').map(({ party }) => party)),
];

export const requestsTold = defineRule({
  id: 'event.quote-request-new',
  title: 'Every new request is told to every market maker, once',
  requirements: [
    'event.quote-request-new.sent',
    'event.quote-request-new.to-every-maker',
    'event.quote-request-new.once',
    'event.after-cause',
    'event.live',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const story of view.orders.values()) {
      judgeFrames(story);
      const cause = availability(story);
      if (!cause) continue;
      const due = makers.flatMap((maker) =>
        streamsOf(maker).filter((stream) => isDue(stream, cause)),
      );
      const got = due.map((stream) => framesOn(story, stream, 'quote_request_new')[0]);
      const several = new Set(due.map(({ party }) => party)).size > 1;
      due.forEach((stream, index) => {
        const frame = got[index];
        for (const requirement of [
          'event.quote-request-new.sent',
          ...(several ? (['event.quote-request-new.to-every-maker'] as const) : []),
        ] as const) {
          tally.judge(requirement, frame !== undefined, frame?.id ?? cause.source, () => ({
            message: `no quote_request_new told ${stream.party} of a request`,
            expected: { event: 'quote_request_new', intent_id: story.id },
            evidence: [stream.id, cause.source],
          }));
        }
        if (!frame) return;
        if (!isLate(frame, cause)) tally.pass('event.live', frame.id);
        else
          tally.warn('event.live', {
            message: 'quote_request_new came late',
            evidence: [frame.id],
          });
      });
    }

    /**
     * When a request was surely there for makers. An order may wait for its proposal to be accepted first (gap
     * `proposal.effect`), so somebody must have seen the request, unless the target is known not to wait.
     */
    function availability(story: OrderStory): Cause | undefined {
      const { creation } = story;
      if (!creation) return undefined;
      const effect = view.context.answers('proposal.effect');
      if (effect !== undefined && effect !== 'opens-quoting') return causedBy(creation);
      const seen = story.rfqs.find(({ frame }) => !frame);
      const quoted = story.submissions.find((call) => call.ok);
      if (!seen && !quoted) return undefined;
      const proof = seen && (!quoted || seen.close < quoted.close) ? seen.call : quoted;
      return proof && { ...causedBy(proof), since: creation.open };
    }

    function judgeFrames(story: OrderStory): void {
      const seenOn = new Map<StreamStory, SeenFrame>();
      for (const { stream, seen } of story.frames) {
        if (seen.frame.event !== 'quote_request_new') continue;
        const { creation } = story;
        if (creation) {
          tally.judge('event.after-cause', seen.at > creation.open, seen.id, () => ({
            message: 'quote_request_new came before the order was created',
            evidence: [seen.id, creation.id],
          }));
        }
        const before = seenOn.get(stream);
        seenOn.set(stream, seen);
        if (stream.resumed) continue;
        tally.judge('event.quote-request-new.once', !before, seen.id, () => ({
          message: 'one request was told twice on one stream',
          actual: story.id,
          evidence: [before?.id ?? '', seen.id],
        }));
      }
    }
  },
});

/** The acceptance that surely selected a quote, where there is one. */
function selectionOf(view: HistoryView, story: OrderStory): [Call, QuoteStory] | undefined {
  const took = happened(story.acceptances);
  const [call] = took;
  const quoteId = call?.exchange.params.quote_id;
  if (!call?.ok || quoteId === undefined) return undefined;
  if (took.some((other) => other.exchange.params.quote_id !== quoteId)) return undefined;
  // An acceptance above the maximum may fail the order instead (gap `quote.above_max`).
  if (textAt(call.data, 'status') !== 'QUOTED') return undefined;
  const quote = view.quotes.get(quoteId);
  return quote?.maker === undefined ? undefined : [call, quote];
}

const attempts = (story: OrderStory, maker: string): readonly Call[] =>
  happened(story.submissions).filter((call) => call.party === maker);

export const selectionsTold = defineRule({
  id: 'event.quote-selection',
  title: 'A selection is told to its winner as quote_accepted and to each loser as quote_rejected',
  requirements: [
    'event.quote-accepted.sent',
    'event.quote-accepted.on-custodian-acceptance',
    'event.quote-rejected.sent',
    'event.quote-rejected.to-every-loser',
    'event.quote-rejected.on-custodian-acceptance',
    'event.live',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    for (const story of view.orders.values()) {
      const selected = selectionOf(view, story);
      if (!selected) continue;
      const [call, winner] = selected;
      const custodian = call.exchange.role === 'custodian';
      for (const stream of streamsOf(winner.maker ?? '')) {
        if (stream.kind !== 'maker' || !isDue(stream, causedBy(call))) continue;
        tell(story, stream, call, 'quote_accepted', [
          'event.quote-accepted.sent',
          ...(custodian ? (['event.quote-accepted.on-custodian-acceptance'] as const) : []),
        ]);
      }
      const losers = losersOf(story, winner, call);
      for (const loser of losers) {
        for (const stream of streamsOf(loser)) {
          if (stream.kind !== 'maker' || !isDue(stream, causedBy(call))) continue;
          tell(story, stream, call, 'quote_rejected', [
            'event.quote-rejected.sent',
            ...(losers.length > 1 ? (['event.quote-rejected.to-every-loser'] as const) : []),
            ...(custodian ? (['event.quote-rejected.on-custodian-acceptance'] as const) : []),
          ]);
        }
      }
    }

    function tell(
      story: OrderStory,
      stream: StreamStory,
      call: Call,
      event: 'quote_accepted' | 'quote_rejected',
      requirements: readonly (
        | 'event.quote-accepted.sent'
        | 'event.quote-accepted.on-custodian-acceptance'
        | 'event.quote-rejected.sent'
        | 'event.quote-rejected.to-every-loser'
        | 'event.quote-rejected.on-custodian-acceptance'
      )[],
    ): void {
      const [frame] = framesOn(story, stream, event);
      for (const requirement of requirements) {
        tally.judge(requirement, frame !== undefined, frame?.id ?? call.id, () => ({
          message: `no ${event} told ${stream.party} of a selection`,
          expected: { event, intent_id: story.id },
          evidence: [stream.id, call.id],
        }));
      }
      if (!frame) return;
      if (!isLate(frame, causedBy(call))) tally.pass('event.live', frame.id);
      else
        tally.warn('event.live', { message: `${event} came late`, evidence: [call.id, frame.id] });
    }

    /** Makers with one quote that was surely PENDING when another's was selected. */
    function losersOf(story: OrderStory, winner: QuoteStory, call: Call): readonly string[] {
      const { most } = view.context.offset;
      const losers = story.quotes.filter((quote) => {
        if (!quote.submission || quote.maker === undefined || quote.maker === winner.maker)
          return false;
        const deadline = quote.sightings
          .map(({ value }) => parseTimestamp(value['valid_until']))
          .find((at) => at !== undefined);
        return (
          precedes(quote.submission, call) &&
          attempts(story, quote.maker).length === 1 &&
          deadline !== undefined &&
          call.exchange.received + most + patience.earlyTimer < deadline
        );
      });
      return [...new Set(losers.map((quote) => quote.maker ?? ''))];
    }
  },
});

export const selectionsRight = defineRule({
  id: 'event.quote-selection.right',
  title: 'quote_accepted and quote_rejected go to those concerned only, once, after the selection',
  requirements: [
    'event.quote-accepted.not-to-others',
    'event.quote-accepted.once',
    'event.quote-accepted.agrees-with-quote',
    'event.quote-rejected.not-to-winner',
    'event.quote-rejected.not-to-uninvolved',
    'event.quote-rejected.once',
    'event.quote-rejected.keeps-winner-secret',
    'event.after-cause',
    'error.refusal-sends-no-event',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const story of view.orders.values()) {
      const selected = selectionOf(view, story);
      if (selected) judgeSpared(story, ...selected);
      const counted = new Map<string, SeenFrame>();
      for (const { stream, seen } of story.frames) {
        const { event } = seen.frame;
        if (event !== 'quote_accepted' && event !== 'quote_rejected') continue;
        judgeCause(story, event, seen);
        const key = `${stream.id} ${event}`;
        const before = counted.get(key);
        counted.set(key, seen);
        // A maker with several quotes may be told of each (gap `event.rejected_per`).
        const single = attempts(story, stream.party).length <= 1;
        if (!stream.resumed && (single || event === 'quote_accepted')) {
          const once =
            event === 'quote_accepted' ? 'event.quote-accepted.once' : 'event.quote-rejected.once';
          tally.judge(once, !before, seen.id, () => ({
            message: `one selection was told twice as ${event} on one stream`,
            evidence: [before?.id ?? '', seen.id],
          }));
        }
        if (selected) judgeAudience(story, selected[1], stream, seen);
      }
    }

    function judgeAudience(
      story: OrderStory,
      winner: QuoteStory,
      stream: StreamStory,
      seen: SeenFrame,
    ): void {
      const won = stream.party === winner.maker;
      const evidence = [stream.id, seen.id];
      if (seen.frame.event === 'quote_accepted') {
        if (!won) {
          tally.fail('event.quote-accepted.not-to-others', {
            message: `quote_accepted went to ${stream.party}, whose quote was not selected`,
            expected: winner.maker,
            actual: stream.party,
            evidence,
          });
        }
        const [told, submitted] = [seen.payload?.['fx_rate'], winner.sent?.['fx_rate']];
        if (!won || !isSet(told) || !isSet(submitted)) return;
        const same = sameValue('fx_rate', told, submitted);
        tally.judge('event.quote-accepted.agrees-with-quote', same, seen.id, () => ({
          message: 'fx_rate in quote_accepted was not that of the accepted quote',
          expected: submitted,
          actual: told,
          evidence,
        }));
        return;
      }
      const quoted = attempts(story, stream.party).length;
      if (won && quoted === 1) {
        tally.fail('event.quote-rejected.not-to-winner', {
          message: 'quote_rejected went to the maker whose only quote was selected',
          evidence,
        });
      } else if (quoted === 0) {
        tally.fail('event.quote-rejected.not-to-uninvolved', {
          message: `quote_rejected went to ${stream.party}, which had not quoted`,
          evidence,
        });
      }
      if (won) return;
      const named = textAt(seen.payload, 'market_maker_party_id');
      const secret = named === undefined || named !== view.partyIdOf(winner.maker ?? '');
      tally.judge('event.quote-rejected.keeps-winner-secret', secret, seen.id, () => ({
        message: 'quote_rejected named the maker that won',
        actual: named,
        evidence,
      }));
    }

    /** Only a maker that listened while a quote was selected shows that such as it are left out. */
    function judgeSpared(story: OrderStory, call: Call, winner: QuoteStory): void {
      const cause = causedBy(call);
      const quiet = (maker: string, event: string): StreamStory | undefined =>
        spared(streamsOf(maker), cause, (stream) => framesOn(story, stream, event).length > 0)[0];
      for (const maker of makers) {
        const quoted = attempts(story, maker).length;
        const unaccepted = maker === winner.maker ? undefined : quiet(maker, 'quote_accepted');
        if (unaccepted) tally.pass('event.quote-accepted.not-to-others', unaccepted.id);
        const unrejected = quiet(maker, 'quote_rejected');
        if (!unrejected) continue;
        if (maker === winner.maker) tally.pass('event.quote-rejected.not-to-winner', unrejected.id);
        else if (quoted === 0) tally.pass('event.quote-rejected.not-to-uninvolved', unrejected.id);
      }
    }

    function judgeCause(story: OrderStory, event: string, seen: SeenFrame): void {
      if (!story.creation) return;
      const causes = happened(story.acceptances).filter((call) => call.open < seen.at);
      if (causes.length > 0) {
        tally.pass('event.after-cause', seen.id);
        return;
      }
      // What becomes of the quotes of an order that ended otherwise, and who is told, is open (gap `quote.orphans`).
      const ended =
        happened(story.cancels).length > 0 ||
        view.disturbed(story.id) ||
        story.sightings.some((order) => ['EXPIRED', 'FAILED'].includes(stateOf(order) ?? ''));
      if (event === 'quote_rejected' && ended) return;
      const refused = story.acceptances.find((call) => call.open < seen.at);
      tally.fail(refused ? 'error.refusal-sends-no-event' : 'event.after-cause', {
        message: `${event} came though ${refused ? 'the acceptance was refused' : 'no quote had been accepted'}`,
        evidence: [...(refused ? [refused.id] : []), seen.id],
      });
    }
  },
});

export const settlementsTold = defineRule({
  id: 'event.settlement-completed',
  title: 'A settled trade is told to its maker, once, and to nobody else',
  requirements: [
    'event.settlement-completed.sent',
    'event.settlement-completed.not-to-others',
    'event.settlement-completed.once',
    'event.settlement-completed.only-settled',
    'event.live',
  ],
  judge(view, tally) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    const frames = completionsByOrder(view);
    for (const story of view.orders.values()) {
      const selected = selectionOf(view, story);
      const told = frames.get(story.id) ?? [];
      const settled = story.sightings.find((seen) => stateOf(seen) === 'SETTLED');
      const failed = story.sightings.find((seen) =>
        ['EXPIRED', 'FAILED'].includes(stateOf(seen) ?? ''),
      );
      const counted = new Map<StreamStory, SeenFrame>();
      for (const { stream, seen } of told) {
        const before = counted.get(stream);
        counted.set(stream, seen);
        const evidence = [...(before ? [before.id] : [stream.id]), seen.id];
        if (!stream.resumed) {
          tally.judge('event.settlement-completed.once', !before, seen.id, () => ({
            message: 'one settlement was told twice on one stream',
            evidence,
          }));
        }
        if (selected && stream.party !== selected[1].maker) {
          tally.fail('event.settlement-completed.not-to-others', {
            message: `settlement_completed went to ${stream.party}, which did not win the trade`,
            expected: selected[1].maker,
            evidence,
          });
        }
        judgeSettled(story, seen, failed?.source);
      }
      if (!selected || !settled) continue;
      const cause = {
        since: selected[0].open,
        byMs: settled.to,
        by: settled.close,
        source: settled.source,
      };
      for (const maker of makers) {
        if (maker === selected[1].maker) continue;
        const [stream] = spared(streamsOf(maker), cause, (each) => counted.has(each));
        if (stream) tally.pass('event.settlement-completed.not-to-others', stream.id);
      }
      for (const stream of streamsOf(selected[1].maker ?? '')) {
        if (stream.kind !== 'maker' || !isDue(stream, cause)) continue;
        const frame = counted.get(stream);
        if (!frame && hasNameless(stream)) continue;
        tally.judge(
          'event.settlement-completed.sent',
          frame !== undefined,
          frame?.id ?? cause.source,
          () => ({
            message: `no settlement_completed told ${stream.party} of a trade that settled`,
            expected: { event: 'settlement_completed', intent_id: story.id },
            evidence: [stream.id, cause.source],
          }),
        );
        if (!frame) continue;
        if (!isLate(frame, cause)) tally.pass('event.live', frame.id);
        else
          tally.warn('event.live', {
            message: 'settlement_completed came late',
            evidence: [frame.id],
          });
      }
    }

    /** A payload with the hash alone, of a settlement that nobody has read, may be of any order. */
    function hasNameless(stream: StreamStory): boolean {
      return stream.frames.some(
        (seen) =>
          seen.frame.event === 'settlement_completed' && orderTold(view, seen) === undefined,
      );
    }

    function judgeSettled(story: OrderStory, seen: SeenFrame, failed: string | undefined): void {
      const unaccepted =
        story.creation !== undefined &&
        !happened(story.acceptances).some((call) => call.open < seen.at);
      const after = story.sightings.find((order) => {
        const state = stateOf(order);
        const lagged = order.from > seen.frame.received + patience.betweenParties;
        return lagged && (state === 'PENDING' || state === 'QUOTED' || state === 'EXECUTING');
      });
      const wrong = failed ?? after?.source;
      tally.judge(
        'event.settlement-completed.only-settled',
        !wrong && !unaccepted,
        seen.id,
        () => ({
          message: 'settlement_completed told a trade that had not settled',
          evidence: [seen.id, ...(wrong ? [wrong] : [])],
        }),
      );
    }
  },
});

/** The order of a settlement_completed: by its id, else by the hash that it names. */
function orderTold(view: HistoryView, seen: SeenFrame): string | undefined {
  return seen.intentId ?? view.orderOfHash(textAt(seen.payload, 'transaction_hash'));
}

function completionsByOrder(
  view: HistoryView,
): Map<string, { readonly stream: StreamStory; readonly seen: SeenFrame }[]> {
  const byOrder = new Map<string, { stream: StreamStory; seen: SeenFrame }[]>();
  for (const stream of view.streams) {
    if (!stream.call.own || stream.kind !== 'maker') continue;
    for (const seen of stream.frames) {
      if (seen.frame.event !== 'settlement_completed') continue;
      const id = orderTold(view, seen);
      if (id === undefined) continue;
      const list = byOrder.get(id);
      if (list) list.push({ stream, seen });
      else byOrder.set(id, [{ stream, seen }]);
    }
  }
  return byOrder;
}

export const requestsClosed = defineRule({
  id: 'event.quote-request-expired',
  title: 'quote_request_expired is told once, of a request that can no longer be quoted',
  requirements: [
    'event.quote-request-expired.sent',
    'event.quote-request-expired.not-while-open',
    'event.quote-request-expired.once',
  ],
  judge(view, tally) {
    const watch = watchOf(view);
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const story of view.orders.values()) {
      const told = story.frames.filter(({ seen }) => seen.frame.event === 'quote_request_expired');
      const counted = new Map<StreamStory, SeenFrame>();
      for (const { stream, seen } of told) {
        const before = counted.get(stream);
        counted.set(stream, seen);
        if (!stream.resumed) {
          tally.judge('event.quote-request-expired.once', !before, seen.id, () => ({
            message: 'the end of one request was told twice on one stream',
            evidence: [before?.id ?? '', seen.id],
          }));
        }
        judgeClosed(story, seen);
      }
      judgeSent(story, told.length);
    }

    function judgeClosed(story: OrderStory, seen: SeenFrame): void {
      if (!story.creation || view.disturbed(story.id)) return;
      const ended = [...happened(story.acceptances), ...happened(story.cancels)].some(
        (call) => call.open < seen.at,
      );
      const failed = story.sightings.some((order) => stateOf(order) === 'FAILED');
      if (ended || failed) return;
      const expiry = expiryOf(story);
      if (expiry === undefined) return;
      const open = watch.before({ from: seen.frame.received, to: seen.frame.received }, expiry);
      tally.judge('event.quote-request-expired.not-while-open', !open, seen.id, () => ({
        message: 'quote_request_expired came while the request could still be quoted',
        expected: `no earlier than ${new Date(expiry).toISOString()}`,
        actual: new Date(seen.frame.received).toISOString(),
        evidence: [seen.id],
      }));
    }

    /** Whether it goes to makers that quoted or to those that did not is open, but it goes to one of them. */
    function judgeSent(story: OrderStory, told: number): void {
      if (!story.creation || happened([...story.acceptances, ...story.cancels]).length > 0) return;
      const expired = story.sightings.find((seen) => stateOf(seen) === 'EXPIRED');
      if (!expired || story.rfqs.length === 0) return;
      const cause = {
        since: story.creation.open,
        byMs: expired.to,
        by: expired.close,
        source: expired.source,
      };
      const due = makers.flatMap((maker) =>
        streamsOf(maker).filter((stream) => isDue(stream, cause)),
      );
      const quoters = due.filter(({ party }) =>
        story.submissions.some((call) => call.ok && call.party === party),
      );
      if (quoters.length === 0 || quoters.length === due.length) return;
      const nameless = due.some(({ frames }) =>
        frames.some(({ frame, intentId }) => frame.event === 'quote_request_expired' && !intentId),
      );
      if (nameless) return;
      tally.judge('event.quote-request-expired.sent', told > 0, expired.source, () => ({
        message: 'no market maker was told that a request had expired',
        evidence: [expired.source, ...due.map(({ id }) => id)],
      }));
    }
  },
});

const expiryOf = (story: OrderStory): number | undefined =>
  [...story.sightings, ...story.rfqs]
    .map(({ value }) => parseTimestamp(value['expires_at']))
    .find((at) => at !== undefined);
