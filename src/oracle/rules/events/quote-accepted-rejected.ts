import {
  causedBy,
  framesOn,
  mustDeliver,
  isDeliveredLate,
  withoutDelivery,
  streamsByParty,
} from '../../trace/event-delivery.ts';
import { isSet, visit } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import { submittedBodies } from '../../trace/submitted-quotes.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import {
  possiblyEffective,
  type OrderTrace,
  type QuoteTrace,
  orderStateOf,
} from '../../trace/traces.ts';
import { type TraceFrame, type StreamTrace, earlierDelivery } from '../../trace/streams.ts';
import { submissionsBy, certainSelection } from '../../trace/selected-quote.ts';
import { makersOf } from '../../trace/event-delivery.ts';

export const selectionsAnnounced = defineRule({
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
  judge(view, findings) {
    const streamsOf = view.once(streamsByParty);
    for (const trace of view.orders.values()) {
      const selected = certainSelection(view, trace);
      if (!selected) continue;
      const [call, winner] = selected;
      const custodian = call.exchange.role === 'custodian';
      for (const stream of streamsOf(winner.maker ?? '')) {
        if (stream.kind !== 'maker' || !mustDeliver(stream, causedBy(call))) continue;
        tell(trace, stream, call, 'quote_accepted', [
          'event.quote-accepted.sent',
          ...(custodian ? (['event.quote-accepted.on-custodian-acceptance'] as const) : []),
        ]);
      }
      const losers = losersOf(trace, winner, call);
      for (const loser of losers) {
        for (const stream of streamsOf(loser)) {
          if (stream.kind !== 'maker' || !mustDeliver(stream, causedBy(call))) continue;
          tell(trace, stream, call, 'quote_rejected', [
            'event.quote-rejected.sent',
            ...(losers.length > 1 ? (['event.quote-rejected.to-every-loser'] as const) : []),
            ...(custodian ? (['event.quote-rejected.on-custodian-acceptance'] as const) : []),
          ]);
        }
      }
    }

    function tell(
      trace: OrderTrace,
      stream: StreamTrace,
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
      const [frame] = framesOn(trace, stream, event);
      for (const requirement of requirements) {
        findings.assert(requirement, frame !== undefined, frame?.id ?? call.id, () => ({
          message: `no ${event} told ${stream.party} of a selection`,
          expected: { event, intent_id: trace.id },
          evidence: [stream.id, call.id],
        }));
      }
      if (!frame) return;
      if (!isDeliveredLate(frame, causedBy(call))) findings.pass('event.live', frame.id);
      else
        findings.warn('event.live', {
          message: `${event} came late`,
          evidence: [call.id, frame.id],
        });
    }

    /** Makers with one quote that was surely PENDING when another's was selected. */
    function losersOf(trace: OrderTrace, winner: QuoteTrace, call: Call): readonly string[] {
      const { most } = view.context.offset;
      const losers = trace.quotes.filter((quote) => {
        if (!quote.submission || quote.maker === undefined || quote.maker === winner.maker)
          return false;
        const deadline = timestampIn(quote.snapshots, 'valid_until');
        return (
          precedes(quote.submission, call) &&
          submissionsBy(trace, quote.maker).length === 1 &&
          deadline !== undefined &&
          // Its backend may follow a while later (gap `views.lag`), and look at the deadline first.
          call.exchange.received + most + tolerance.replicationLagMs < deadline
        );
      });
      return [...new Set(losers.map((quote) => quote.maker ?? ''))];
    }
  },
});

export const selectionEventsCorrect = defineRule({
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
  judge(view, findings) {
    const streamsOf = view.once(streamsByParty);
    const makers = view.once(makersOf);
    for (const trace of view.orders.values()) {
      const selected = certainSelection(view, trace);
      if (selected) judgeWithoutDelivery(trace, ...selected);
      const counted = new Map<string, TraceFrame>();
      for (const { stream, seen } of trace.frames) {
        const { event } = seen.frame;
        if (event !== 'quote_accepted' && event !== 'quote_rejected') continue;
        judgeCause(trace, event, seen);
        const key = `${stream.id} ${event}`;
        const before = earlierDelivery(stream, counted.get(key));
        counted.set(key, seen);
        // A maker with several quotes may be told of each (gap `event.rejected_per`).
        const single = submissionsBy(trace, stream.party).length <= 1;
        if (single || event === 'quote_accepted') {
          const once =
            event === 'quote_accepted' ? 'event.quote-accepted.once' : 'event.quote-rejected.once';
          findings.assert(once, !before, seen.id, () => ({
            message: `one selection was told twice as ${event} on one stream`,
            evidence: [before?.id ?? '', seen.id],
          }));
        }
        if (selected) judgeAudience(trace, selected[1], stream, seen);
      }
    }

    function judgeAudience(
      trace: OrderTrace,
      winner: QuoteTrace,
      stream: StreamTrace,
      seen: TraceFrame,
    ): void {
      const won = stream.party === winner.maker;
      const evidence = [stream.id, seen.id];
      if (seen.frame.event === 'quote_accepted') {
        if (!won) {
          findings.fail('event.quote-accepted.not-to-others', {
            message: `quote_accepted went to ${stream.party}, whose quote was not selected`,
            expected: winner.maker,
            actual: stream.party,
            evidence,
          });
        }
        if (won) judgeShown(winner, seen, evidence);
        const delivered = seen.payload?.['fx_rate'];
        const submitted = submittedBodies(winner, trace).flatMap(({ fx_rate: rate }) => rate ?? []);
        if (!won || !isSet(delivered) || submitted.length === 0) return;
        const same = submitted.some((rate) => equalValues('fx_rate', delivered, rate));
        findings.assert('event.quote-accepted.agrees-with-quote', same, seen.id, () => ({
          message: 'fx_rate in quote_accepted was not that of the accepted quote',
          expected: submitted[0],
          actual: delivered,
          evidence,
        }));
        return;
      }
      const quoted = submissionsBy(trace, stream.party).length;
      if (won && quoted === 1) {
        findings.fail('event.quote-rejected.not-to-winner', {
          message: 'quote_rejected went to the maker whose only quote was selected',
          evidence,
        });
      } else if (quoted === 0) {
        findings.fail('event.quote-rejected.not-to-uninvolved', {
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
      findings.assert('event.quote-rejected.keeps-winner-secret', secret, seen.id, () => ({
        message: 'quote_rejected named the maker that won',
        actual: seen.frame.data,
        evidence,
      }));
    }

    /** Beside the rate no field is named; those that a quote has as well are that quote's. */
    function judgeShown(winner: QuoteTrace, seen: TraceFrame, evidence: readonly string[]): void {
      const shown = winner.snapshots.filter(({ resource }) => resource === 'own-quote');
      for (const field of ['quote_id', 'submitted_at', 'valid_until']) {
        const delivered = seen.payload?.[field];
        const known = shown.flatMap(({ value }) => value[field] ?? []);
        if (!isSet(delivered) || known.length === 0) continue;
        const same = known.some((value) => equalValues(field, delivered, value));
        findings.assert('event.quote-accepted.agrees-with-quote', same, seen.id, () => ({
          message: `${field} in quote_accepted was not that of the accepted quote`,
          expected: known[0],
          actual: delivered,
          evidence,
        }));
      }
    }

    /** Only a maker that listened while a quote was selected shows that such as it are left out. */
    function judgeWithoutDelivery(trace: OrderTrace, call: Call, winner: QuoteTrace): void {
      const cause = causedBy(call);
      const undelivered = (maker: string, event: string): StreamTrace | undefined =>
        withoutDelivery(
          streamsOf(maker),
          cause,
          (stream) => framesOn(trace, stream, event).length > 0,
        )[0];
      for (const maker of makers) {
        const quoted = submissionsBy(trace, maker).length;
        const unaccepted =
          maker === winner.maker ? undefined : undelivered(maker, 'quote_accepted');
        if (unaccepted) findings.pass('event.quote-accepted.not-to-others', unaccepted.id);
        const unrejected = undelivered(maker, 'quote_rejected');
        if (!unrejected) continue;
        if (maker === winner.maker)
          findings.pass('event.quote-rejected.not-to-winner', unrejected.id);
        else if (quoted === 0)
          findings.pass('event.quote-rejected.not-to-uninvolved', unrejected.id);
      }
    }

    function judgeCause(trace: OrderTrace, event: string, seen: TraceFrame): void {
      if (!trace.creation) return;
      const causes = possiblyEffective(trace.acceptances).filter((call) => call.open < seen.at);
      if (causes.length > 0) {
        findings.pass('event.after-cause', seen.id);
        return;
      }
      // What becomes of the quotes of an order that ended otherwise, and who is told, is open (gap `quote.orphans`).
      const ended =
        possiblyEffective(trace.cancels).length > 0 ||
        view.disturbed(trace.id) ||
        trace.snapshots.some((order) => ['EXPIRED', 'FAILED'].includes(orderStateOf(order) ?? ''));
      if (event === 'quote_rejected' && ended) return;
      const refused = trace.acceptances.find((call) => call.open < seen.at);
      findings.fail(refused ? 'error.refusal-sends-no-event' : 'event.after-cause', {
        message: `${event} came though ${refused ? 'the acceptance was refused' : 'no quote had been accepted'}`,
        evidence: [...(refused ? [refused.id] : []), seen.id],
      });
    }
  },
});
