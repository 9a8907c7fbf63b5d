import { causedBy, framesOn, isDue, isLate, spared, streamsByParty } from './audience.ts';
import { isSet, visit } from './json.ts';
import { patience } from './patience.ts';
import { sameValue } from './same.ts';
import { defineRule } from './tally.ts';
import { takenAs } from './terms.ts';
import { type Call, precedes } from './view/calls.ts';
import { momentIn } from './view/sightings.ts';
import { happened, type OrderStory, type QuoteStory, stateOf } from './view/stories.ts';
import { type SeenFrame, type StreamStory, toldForGood } from './view/streams.ts';
import { attempts, selectionOf } from './selection.ts';
import { makersOf } from './audience.ts';

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
        const deadline = momentIn(quote.sightings, 'valid_until');
        return (
          precedes(quote.submission, call) &&
          attempts(story, quote.maker).length === 1 &&
          deadline !== undefined &&
          // Its backend may follow a while later (gap `views.lag`), and look at the deadline first.
          call.exchange.received + most + patience.betweenParties < deadline
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
        const before = toldForGood(stream, counted.get(key));
        counted.set(key, seen);
        // A maker with several quotes may be told of each (gap `event.rejected_per`).
        const single = attempts(story, stream.party).length <= 1;
        if (single || event === 'quote_accepted') {
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
        if (won) judgeShown(winner, seen, evidence);
        const told = seen.payload?.['fx_rate'];
        const submitted = takenAs(winner, story).flatMap(({ fx_rate: rate }) => rate ?? []);
        if (!won || !isSet(told) || submitted.length === 0) return;
        const same = submitted.some((rate) => sameValue('fx_rate', told, rate));
        tally.judge('event.quote-accepted.agrees-with-quote', same, seen.id, () => ({
          message: 'fx_rate in quote_accepted was not that of the accepted quote',
          expected: submitted[0],
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
      const winnerId = view.partyIdOf(winner.maker ?? '');
      let secret = true;
      visit(seen.frame.data, (_, text) => {
        if (winnerId !== undefined && text === winnerId) secret = false;
      });
      tally.judge('event.quote-rejected.keeps-winner-secret', secret, seen.id, () => ({
        message: 'quote_rejected named the maker that won',
        actual: seen.frame.data,
        evidence,
      }));
    }

    /** Beside the rate no field is named; those that a quote has as well are that quote's. */
    function judgeShown(winner: QuoteStory, seen: SeenFrame, evidence: readonly string[]): void {
      const shown = winner.sightings.filter(({ resource }) => resource === 'own-quote');
      for (const field of ['quote_id', 'submitted_at', 'valid_until']) {
        const told = seen.payload?.[field];
        const known = shown.flatMap(({ value }) => value[field] ?? []);
        if (!isSet(told) || known.length === 0) continue;
        const same = known.some((value) => sameValue(field, told, value));
        tally.judge('event.quote-accepted.agrees-with-quote', same, seen.id, () => ({
          message: `${field} in quote_accepted was not that of the accepted quote`,
          expected: known[0],
          actual: told,
          evidence,
        }));
      }
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
