import { equalNumbers, parseDecimal, significantScale } from '../../../protocol/decimal.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isSet, textOf, visit } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { causedBy } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import {
  certainSelection,
  mayBeReplaced,
  submissionsBy,
  submittedBodies,
} from '../../trace/selections.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { TraceFrame } from '../../trace/streams.ts';
import {
  orderStateOf,
  type OrderTrace,
  possiblyEffective,
  type QuoteTrace,
} from '../../trace/traces.ts';
import {
  assertAudience,
  assertDelivered,
  assertDeliveredOnce,
  type Delivered,
  firstOn,
  framesOf,
  streamsDue,
} from './delivery.ts';

const accepted = { event: 'quote_accepted', about: 'of the selection of its quote' } as const;
const rejected = { event: 'quote_rejected', about: "of the selection of another's quote" } as const;

const selectionsAnnounced = defineRule({
  id: 'event.quote-selection',
  title: 'A selection goes to its winner as quote_accepted and to each loser as quote_rejected',
  requirements: [
    'event.quote-accepted.sent',
    'event.quote-accepted.on-custodian-acceptance',
    'event.quote-rejected.sent',
    'event.quote-rejected.to-every-loser',
    'event.quote-rejected.on-custodian-acceptance',
    'event.live',
    'event.every-open-stream',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const selected = certainSelection(view, trace);
      if (!selected) continue;
      const [call, winner] = selected;
      const cause = causedBy(call);
      const custodian = call.exchange.role === 'custodian';
      assertDelivered(findings, {
        trace,
        ...accepted,
        cause,
        due: streamsDue(view, trace, 'quote_accepted', [winner.maker], cause),
        frameOn: firstOn(trace, 'quote_accepted'),
        requirements: () => [
          'event.quote-accepted.sent',
          custodian && 'event.quote-accepted.on-custodian-acceptance',
        ],
      });
      const losers = losersOf(view, trace, winner, call);
      assertDelivered(findings, {
        trace,
        ...rejected,
        cause,
        due: streamsDue(view, trace, 'quote_rejected', losers, cause),
        frameOn: firstOn(trace, 'quote_rejected'),
        requirements: () => [
          'event.quote-rejected.sent',
          losers.length > 1 && 'event.quote-rejected.to-every-loser',
          custodian && 'event.quote-rejected.on-custodian-acceptance',
        ],
      });
    }
  },
});

/**
 * Makers with a quote that was certainly PENDING when another's was selected. If a maker has several (gap `quote.twice`),
 * one that stood is enough: others may have lapsed before.
 */
export function losersOf(
  view: HistoryView,
  trace: OrderTrace,
  winner: QuoteTrace,
  call: Call,
): readonly string[] {
  // A backend may follow a while later (gap `views.lag`), and look at the deadline first.
  const latest = call.exchange.received + view.context.offset.most + tolerance.replicationLagMs;
  const stood = (quote: QuoteTrace): boolean => {
    const { submission, snapshots } = quote;
    const deadline = timestampIn(snapshots, 'valid_until');
    return (
      submission !== undefined &&
      precedes(submission, call) &&
      deadline !== undefined &&
      latest < deadline &&
      !mayBeReplaced(view, quote, trace)
    );
  };
  return [...new Set(trace.quotes.flatMap(({ maker }) => maker ?? []))].filter((maker) => {
    const quotes = trace.quotes.filter((quote) => quote.maker === maker);
    return (
      maker !== winner.maker &&
      quotes.some(stood) &&
      submissionsBy(trace, maker).every((one) => one.ok && precedes(one, call))
    );
  });
}

const selectionsToMakersConcerned = defineRule({
  id: 'event.quote-selection.to-makers-concerned',
  title: 'quote_accepted goes to the winner alone, quote_rejected to makers that lost',
  requirements: [
    'event.quote-accepted.not-to-others',
    'event.quote-rejected.not-to-winner',
    'event.quote-rejected.not-to-uninvolved',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const selected = certainSelection(view, trace);
      if (!selected) continue;
      const [call, { maker: winner }] = selected;
      const notAccepted = (maker: string) =>
        maker === winner ? undefined : 'event.quote-accepted.not-to-others';
      // Events for the other quotes of a winner are open (gap `quote.winner_others`).
      const notRejected = (maker: string) => {
        const quoted = submissionsBy(trace, maker).length;
        if (quoted === 0) return 'event.quote-rejected.not-to-uninvolved';
        return maker === winner && quoted === 1 ? 'event.quote-rejected.not-to-winner' : undefined;
      };
      for (const [event, barring] of [
        ['quote_accepted', notAccepted],
        ['quote_rejected', notRejected],
      ] as const) {
        const audience = { trace, event, cause: causedBy(call), barring };
        assertAudience(view, findings, audience, (party) => ({
          message: `${event} went to ${party}, which had ${party === winner ? 'won' : event === 'quote_accepted' ? 'not won' : 'not quoted'}`,
          expected: winner,
          actual: party,
        }));
      }
    }
  },
});

const selectionEventsOnce = defineRule({
  id: 'event.quote-selection.once',
  title: 'One selection sends quote_accepted once, and quote_rejected once for one quote',
  requirements: ['event.quote-accepted.once', 'event.quote-rejected.once'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const accepted = framesOf(trace, 'quote_accepted');
      assertDeliveredOnce(findings, 'event.quote-accepted.once', accepted);
      // A maker with several quotes may get one for each (gap `event.rejected_per`).
      const rejected = framesOf(trace, 'quote_rejected').filter(
        ({ stream }) => submissionsBy(trace, stream.party).length <= 1,
      );
      assertDeliveredOnce(findings, 'event.quote-rejected.once', rejected);
    }
  },
});

/** The winning rate, if no quote of a loser has it as well; with enough digits to be no amount by chance. */
function tellingRate(winner: QuoteTrace, ofLoser: readonly Call[]): string | undefined {
  const rate = winner.snapshots.map(({ value }) => textOf(value, 'fx_rate')).find(isSet);
  const exact = parseDecimal(rate);
  if (!exact || significantScale(exact) < 3 || ofLoser.length === 0) return undefined;
  const isOwn = ofLoser.some(({ sent }) => equalNumbers(sent?.['fx_rate'], rate) !== false);
  return isOwn ? undefined : rate;
}

const selectionEventsCorrect = defineRule({
  id: 'event.quote-selection.right',
  title: 'quote_accepted shows the quote that was selected, quote_rejected not who won',
  requirements: [
    'event.quote-accepted.agrees-with-quote',
    'event.quote-rejected.keeps-winner-secret',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const selected = certainSelection(view, trace);
      if (!selected) continue;
      const [, winner] = selected;
      for (const one of framesOf(trace, 'quote_accepted')) {
        if (one.stream.party === winner.maker) judgeContent(trace, winner, one);
      }
      for (const one of framesOf(trace, 'quote_rejected')) {
        if (one.stream.party !== winner.maker) judgeSecret(trace, winner, one);
      }
    }

    /** Only the rate is named for the event. Other fields of a quote must be those of the accepted quote. */
    function judgeContent(
      trace: OrderTrace,
      winner: QuoteTrace,
      { stream, seen }: Delivered,
    ): void {
      const submitted = submittedBodies(winner, trace);
      const shown = winner.snapshots.filter(({ resource }) => resource === 'own-quote');
      for (const field of ['fx_rate', 'quote_id', 'submitted_at', 'valid_until']) {
        const delivered = seen.payload?.[field];
        const known =
          field === 'fx_rate'
            ? submitted.flatMap(({ fx_rate: rate }) => rate ?? [])
            : shown.flatMap(({ value }) => value[field] ?? []);
        if (!isSet(delivered) || known.length === 0) continue;
        const same = known.some((value) => equalValues(field, delivered, value));
        findings.assert('event.quote-accepted.agrees-with-quote', same, seen.id, () => ({
          message: `${field} in quote_accepted was not that of the accepted quote`,
          fields: [field],
          expected: known[0],
          actual: delivered,
          evidence: [stream.id, seen.id],
        }));
      }
    }

    function judgeSecret(trace: OrderTrace, winner: QuoteTrace, { stream, seen }: Delivered): void {
      const winnerId = view.partyIdOf(winner.maker ?? '');
      const rate = tellingRate(winner, submissionsBy(trace, stream.party));
      let told: string | undefined;
      visit(seen.frame.data, (_, value) => {
        if (winnerId !== undefined && value === winnerId) told = 'named the maker that won';
        else if (rate !== undefined && equalNumbers(value, rate)) told ??= 'told the rate that won';
      });
      findings.assert('event.quote-rejected.keeps-winner-secret', !told, seen.id, () => ({
        message: `quote_rejected ${told}`,
        actual: seen.payload ?? null,
        evidence: [stream.id, seen.id],
      }));
    }
  },
});

const selectionEventsCaused = defineRule({
  id: 'event.quote-selection.caused',
  title: 'quote_accepted and quote_rejected come of a selection, and not before it',
  requirements: [
    'event.after-cause',
    // Also judged by `refusal.no-event`, which looks at all events of an order.
    'error.refusal-sends-no-event',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (!trace.creation) continue;
      for (const event of ['quote_accepted', 'quote_rejected'] as const) {
        for (const { seen } of framesOf(trace, event)) judgeCause(trace, event, seen);
      }
    }

    function judgeCause(trace: OrderTrace, event: string, seen: TraceFrame): void {
      const attempts = trace.acceptances.filter((call) => call.open < seen.at);
      if (possiblyEffective(attempts).length > 0) {
        findings.pass('event.after-cause', seen.id);
        return;
      }
      // If an order ended otherwise, the events about its quotes are open (gap `quote.orphans`).
      const ended =
        possiblyEffective(trace.cancels).length > 0 ||
        view.disturbed(trace.id) ||
        trace.snapshots.some((order) => ['EXPIRED', 'FAILED'].includes(orderStateOf(order) ?? ''));
      if (event === 'quote_rejected' && ended) return;
      const [refused] = attempts;
      findings.fail(refused ? 'error.refusal-sends-no-event' : 'event.after-cause', {
        message: `${event} came though ${refused ? 'the acceptance was refused' : 'no quote had been accepted'}`,
        evidence: [...(refused ? [refused.id] : []), seen.id],
      });
    }
  },
});

export const selectionEventRules = [
  selectionsAnnounced,
  selectionsToMakersConcerned,
  selectionEventsOnce,
  selectionEventsCorrect,
  selectionEventsCaused,
];
