import { parseTimestamp } from '../spec/forms.ts';
import type { OrderState } from '../spec/words.ts';
import { textAt } from './json.ts';
import { during, watchOf } from './moment.ts';
import { patience } from './patience.ts';
import { winnerOf } from './echo.ts';
import { defineRule } from './tally.ts';
import { precedes } from './view/calls.ts';
import { momentIn, type Sighting } from './view/sightings.ts';
import { happened, type OrderStory, type QuoteStory, reasonIn, stateOf } from './view/stories.ts';
import type { HistoryView } from './view.ts';

/** Whether an operator or a control may have ended the order, at any time. */
const mayBeWithdrawn = (view: HistoryView, story: OrderStory): boolean =>
  view.disturbed(story.id) ||
  story.sightings.some(({ value }) => reasonIn(value) === 'OPERATOR_WITHDRAWN');

/** Whether a call that was sent before the sighting was over may have had its effect. */
const hadEffect = (calls: OrderStory['acceptances'], sighting: Sighting): boolean =>
  happened(calls).some((call) => call.open < sighting.close);

export const orderDeadlines = defineRule({
  id: 'order.deadlines',
  title:
    'An order without an accepted quote expires at `expires_at`, no earlier and not much later',
  requirements: [
    'order.state.pending-to-expired',
    'order.state.pending-to-expired.though-quoted',
    'order.state.pending-to-expired.not-early',
  ],
  judge(view, tally) {
    const watch = watchOf(view);
    for (const story of view.orders.values()) {
      const deadline = momentIn(story.sightings, 'expires_at');
      if (!story.creation || deadline === undefined) continue;
      const expires = new Date(deadline).toISOString();
      for (const sighting of story.sightings) {
        const state = stateOf(sighting);
        if (hadEffect(story.acceptances, sighting) || hadEffect(story.cancels, sighting)) continue;
        if (state === 'EXPIRED') {
          judgeEarly(story, sighting, deadline);
          if (!sighting.frame && watch.wellAfter(sighting, deadline))
            late(story, sighting, expires);
        } else if (state === 'PENDING' && !sighting.frame) {
          if (watch.before(sighting, deadline)) {
            tally.pass('order.state.pending-to-expired.not-early', sighting.source);
          } else if (watch.wellAfter(sighting, deadline)) late(story, sighting, expires);
          else {
            tally.undecided('order.state.pending-to-expired', {
              message: 'an order was seen too near its expires_at to tell',
              evidence: [sighting.source],
            });
          }
        }
      }
    }

    function judgeEarly(story: OrderStory, sighting: Sighting, deadline: number): void {
      if (mayBeWithdrawn(view, story)) return;
      const early = watch.before(sighting, deadline);
      tally.judge('order.state.pending-to-expired.not-early', !early, sighting.source, () => ({
        message: 'an order was EXPIRED before its expires_at',
        expected: `PENDING until ${new Date(deadline).toISOString()}`,
        actual: `EXPIRED by ${new Date(sighting.to).toISOString()}`,
        evidence: [sighting.source],
      }));
    }

    function late(story: OrderStory, sighting: Sighting, expires: string): void {
      const holds = stateOf(sighting) === 'EXPIRED';
      const quoted = happened(story.submissions).some((call) => call.close < sighting.open);
      for (const requirement of [
        'order.state.pending-to-expired',
        ...(quoted ? (['order.state.pending-to-expired.though-quoted'] as const) : []),
      ] as const) {
        tally.judge(requirement, holds, sighting.source, () => ({
          message: `an order without an accepted quote was still PENDING well after its expires_at (${sighting.via})`,
          expected: `EXPIRED from ${expires} on`,
          actual: `PENDING at ${new Date(sighting.from).toISOString()}`,
          evidence: [sighting.source],
        }));
      }
    }
  },
});

export const acceptedDeadlines = defineRule({
  id: 'order.accepted-deadlines',
  title: "An order with an accepted quote expires by the quote's deadline only, not by its own",
  requirements: [
    'order.state.quoted-to-expired.not-early',
    'order.state.accepted-outlives-expires-at',
  ],
  judge(view, tally) {
    const watch = watchOf(view);
    for (const story of view.orders.values()) {
      const accepted = story.acceptances.find((call) => call.ok);
      if (!story.creation || !accepted || textAt(accepted.data, 'status') !== 'QUOTED') continue;
      if (story.cancels.length > 0 || mayBeWithdrawn(view, story)) continue;
      const winner = winnerOf(story);
      const validity =
        winner && onlyOfItsMaker(winner, story)
          ? momentIn(winner.sightings, 'valid_until')
          : undefined;
      const expiry = momentIn(story.sightings, 'expires_at');
      for (const sighting of story.sightings) {
        if (sighting.frame ? stateOf(sighting) !== 'EXPIRED' : !precedes(accepted, sighting))
          continue;
        const state = stateOf(sighting);
        const timedOut =
          reasonIn(sighting.value) === 'TIMEOUT' ||
          sighting.to > accepted.exchange.sent + 2 * patience.settlementMost;
        const ended = state === 'EXPIRED';
        if (!state || (ended && timedOut)) continue;
        const blame = {
          message: 'an order with an accepted quote was EXPIRED though the quote was still valid',
          ...(validity !== undefined && {
            expected: `no expiry before ${new Date(validity).toISOString()}`,
          }),
          evidence: [accepted.id, sighting.source],
        };
        if (validity !== undefined && watch.before(sighting, validity)) {
          tally.judge(
            'order.state.quoted-to-expired.not-early',
            !ended,
            sighting.source,
            () => blame,
          );
        }
        if (expiry === undefined || !watch.after({ from: sighting.to, to: sighting.to }, expiry))
          continue;
        const byQuote = validity === undefined || !watch.before(sighting, validity);
        if (ended && byQuote) continue;
        tally.judge('order.state.accepted-outlives-expires-at', !ended, sighting.source, () => ({
          ...blame,
          message: 'an order with an accepted quote expired when its own expires_at had passed',
        }));
      }
    }
  },
});

/** An order as it stands while nobody has done anything to its quotes but time. */
function openThroughout(
  view: HistoryView,
  story: OrderStory | undefined,
  sighting: Sighting,
): boolean {
  if (!story?.creation || view.disturbed(story.id)) return false;
  if (hadEffect(story.acceptances, sighting) || hadEffect(story.cancels, sighting)) return false;
  return !mayHaveFailedAnyTime(story);
}

/** Validation may fail a PENDING order whenever it likes (gap `validation.when`), and so end its quotes. */
const mayHaveFailedAnyTime = (story: OrderStory): boolean =>
  happened(story.acceptances).length === 0 &&
  happened(story.cancels).length === 0 &&
  story.sightings.some((seen) => stateOf(seen) === 'FAILED');

const onlyOfItsMaker = (quote: QuoteStory, story: OrderStory): boolean =>
  quote.maker !== undefined &&
  story.submissions.filter((call) => call.party === quote.maker && call.ok).length === 1;

export const quoteDeadlines = defineRule({
  id: 'quote.deadlines',
  title: 'A quote on an open order expires at its `valid_until`, no earlier and not much later',
  requirements: ['quote.state.pending-to-expired', 'quote.state.pending-to-expired.not-early'],
  judge(view, tally) {
    const watch = watchOf(view);
    for (const quote of view.quotes.values()) {
      const story = quote.intentId === undefined ? undefined : view.orders.get(quote.intentId);
      if (!story || !onlyOfItsMaker(quote, story)) continue;
      const expiry = momentIn(story.sightings, 'expires_at');
      for (const sighting of quote.sightings) {
        if (sighting.frame) continue;
        const status = textAt(sighting.value, 'status');
        const deadline = parseTimestamp(sighting.value['valid_until']);
        if (deadline === undefined || !openThroughout(view, story, sighting)) continue;
        // A quote whose deadline had passed when it came may start PENDING all the same (gap `quote.past_validity`).
        if (sighting.via === 'quote.submit' && watch.wellAfter(sighting, deadline)) continue;
        // What becomes of the quotes of an expired order is open (gap `quote.orphans`).
        if (expiry === undefined || !watch.before(sighting, expiry)) continue;
        const blame = {
          expected: `PENDING until ${new Date(deadline).toISOString()}, then EXPIRED`,
          actual: `${status} between ${new Date(sighting.from).toISOString()} and ${new Date(sighting.to).toISOString()}`,
          evidence: [...(quote.submission ? [quote.submission.id] : []), sighting.source],
        };
        if (watch.before(sighting, deadline)) {
          tally.judge(
            'quote.state.pending-to-expired.not-early',
            status !== 'EXPIRED',
            sighting.source,
            () => ({
              message: `a quote was EXPIRED before its valid_until (${sighting.via})`,
              ...blame,
            }),
          );
        } else if (watch.wellAfter(sighting, deadline)) {
          tally.judge(
            'quote.state.pending-to-expired',
            status !== 'PENDING',
            sighting.source,
            () => ({
              message: `a quote was still PENDING well after its valid_until (${sighting.via})`,
              ...blame,
            }),
          );
        } else {
          tally.undecided('quote.state.pending-to-expired', {
            message: 'a quote was seen too near its valid_until to tell',
            ...blame,
          });
        }
      }
    }
  },
});

const beyondPending: readonly OrderState[] = [
  'QUOTED',
  'EXECUTING',
  'SETTLED',
  'EXPIRED',
  'FAILED',
];

export const lateAcceptances = defineRule({
  id: 'quote.late-acceptance',
  title:
    'A quote cannot be accepted after its `valid_until`, nor an order quoted after its `expires_at`',
  requirements: [
    'order.accept.expired-quote-refused',
    'order.accept.expired-order-refused',
    'quote.submit.expired-request-refused',
  ],
  judge(view, tally) {
    const watch = watchOf(view);
    for (const story of view.orders.values()) {
      const expiry = momentIn(story.sightings, 'expires_at');
      for (const call of story.acceptances) {
        if (call.status === undefined) continue;
        const quote = view.quotes.get(call.exchange.params.quote_id ?? '');
        const again = story.acceptances.some(
          (other) => other.ok && other.open < call.close && other !== call,
        );
        if (again) continue;
        // A second quote of the maker may have replaced this one, deadline and all (gap `quote.twice`).
        const validity =
          quote && onlyOfItsMaker(quote, story)
            ? momentIn(quote.sightings, 'valid_until')
            : undefined;
        if (validity !== undefined && watch.after(during(call), validity)) {
          tally.judge('order.accept.expired-quote-refused', !call.ok, call.id, () => ({
            message: 'a quote was accepted after its valid_until',
            expected: `a 4xx status after ${new Date(validity).toISOString()}`,
            actual: `${call.status} at ${new Date(call.exchange.sent).toISOString()}`,
            evidence: [call.id],
          }));
        }
        if (expiry === undefined || !watch.wellAfter(during(call), expiry)) continue;
        tally.judge('order.accept.expired-order-refused', !call.ok, call.id, () => ({
          message: "a quote was accepted after the order's expires_at",
          expected: `a 4xx status after ${new Date(expiry).toISOString()}`,
          actual: `${call.status} at ${new Date(call.exchange.sent).toISOString()}`,
          evidence: [call.id],
        }));
      }
      if (expiry === undefined) continue;
      for (const call of story.submissions) {
        if (call.status === undefined || !watch.wellAfter(during(call), expiry)) continue;
        // Only of a request that expired: what answers a quote on an accepted order is open (gap `quote.late`).
        const accepted = happened(story.acceptances).some((other) => other.open < call.close);
        const known = story.sightings.find((seen) => {
          const state = stateOf(seen);
          return state !== undefined && beyondPending.includes(state) && state !== 'EXPIRED';
        });
        if (accepted || known) continue;
        tally.judge('quote.submit.expired-request-refused', !call.ok, call.id, () => ({
          message: 'a quote was taken on a request that had expired',
          expected: `a 4xx status after ${new Date(expiry).toISOString()}`,
          actual: call.status,
          evidence: [call.id],
        }));
      }
    }
  },
});
