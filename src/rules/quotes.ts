import { parseTimestamp } from '../spec/forms.ts';
import { type QuoteState, quoteStates } from '../spec/words.ts';
import { textAt } from './json.ts';
import { patience } from './patience.ts';
import { type Clash, progressOf } from './progress.ts';
import { failedSettling } from './settling.ts';
import { defineRule } from './tally.ts';
import { type Call, precedes } from './view/calls.ts';
import { momentIn, type Sighting } from './view/sightings.ts';
import { happened, type OrderStory, type QuoteStory, stateOf } from './view/stories.ts';
import type { HistoryView } from './view.ts';

const states: readonly string[] = quoteStates;
export const quoteStateOf = ({ value }: Sighting): QuoteState | undefined => {
  const status = textAt(value, 'status');
  return status !== undefined && states.includes(status) ? (status as QuoteState) : undefined;
};

/** Whether the order may have ended without settling: what then becomes of its accepted quote is open. */
const mayEndUnsettled = (view: HistoryView, story: OrderStory | undefined): boolean =>
  !story ||
  view.disturbed(story.id) ||
  happened(story.cancels).length > 0 ||
  story.sightings.some((seen) => {
    const state = stateOf(seen);
    return state === 'EXPIRED' || state === 'FAILED';
  });

const orderOf = (view: HistoryView, quote: QuoteStory): OrderStory | undefined =>
  quote.intentId === undefined ? undefined : view.orders.get(quote.intentId);

/** Whether the maker has quoted the order more than once, so that one quote may have replaced another. */
const quotedTwice = (quote: QuoteStory, story: OrderStory | undefined): boolean =>
  quote.maker === undefined ||
  happened(story?.submissions ?? []).filter((call) => call.party === quote.maker).length > 1;

const absorbing = {
  REJECTED: 'quote.state.rejected-absorbs',
  EXPIRED: 'quote.state.expired-absorbs',
} as const;
const isAbsorbing = (state: QuoteState): state is keyof typeof absorbing =>
  Object.hasOwn(absorbing, state);

export const quoteProgress = defineRule({
  id: 'quote.states',
  title: 'Every observer sees a quote move along the listed transitions, and stay where it ended',
  requirements: [
    'quote.state.listed-transitions-only',
    'quote.state.rejected-absorbs',
    'quote.state.expired-absorbs',
    'quote.state.views-agree',
  ],
  judge(view, tally) {
    const blame = ({ earlier, later }: Clash<QuoteState>) => ({
      message: `a quote was ${earlier.state} and then ${later.state} (${later.sighting.via})`,
      expected: earlier.state,
      actual: later.state,
      evidence: [earlier.sighting.source, later.sighting.source],
    });
    for (const quote of view.quotes.values()) {
      const loose = mayEndUnsettled(view, orderOf(view, quote));
      const reaches = (from: QuoteState, to: QuoteState): boolean =>
        from === to || from === 'PENDING' || (from === 'ACCEPTED' && loose && to !== 'PENDING');
      const { kept, own, across, agreed } = progressOf(quote.sightings, quoteStateOf, reaches);
      for (const { state, stayed, sighting } of kept) {
        tally.pass('quote.state.listed-transitions-only', sighting.source);
        if (stayed && isAbsorbing(state)) tally.pass(absorbing[state], sighting.source);
      }
      for (const clash of own) {
        const { state } = clash.earlier;
        const requirement = isAbsorbing(state)
          ? absorbing[state]
          : 'quote.state.listed-transitions-only';
        tally.fail(requirement, blame(clash));
      }
      for (const sighting of agreed) tally.pass('quote.state.views-agree', sighting.source);
      for (const clash of across) tally.fail('quote.state.views-agree', blame(clash));
    }
  },
});

export const submission = defineRule({
  id: 'quote.submission',
  title:
    'A submitted quote is answered with 201, an id of its own and PENDING, and its order stays PENDING',
  requirements: [
    'quote.submit.status-201',
    'quote.state.starts-pending',
    'quote.quote-id.unique',
    'quote.submit.order-stays-pending',
  ],
  judge(view, tally) {
    const seen = new Map<string, Call>();
    for (const call of view.endpoint('quote.submit')) {
      if (!call.ok || !call.own) continue;
      const { id } = call;
      tally.judge('quote.submit.status-201', call.status === 201, id, () => ({
        message: 'a submitted quote was not answered with 201',
        expected: 201,
        actual: call.status,
        evidence: [id],
      }));
      const deadline = parseTimestamp(call.sent?.['valid_until']);
      // What a quote is whose deadline has passed already is open (gap `quote.past_validity`).
      const fresh =
        deadline !== undefined &&
        call.exchange.received + view.context.offset.most + patience.earlyTimer < deadline;
      if (fresh && !mayBeLate(call)) {
        const status = textAt(call.data, 'status');
        tally.judge('quote.state.starts-pending', status === 'PENDING', id, () => ({
          message: 'a submitted quote was not PENDING',
          expected: 'PENDING',
          actual: status ?? null,
          evidence: [id],
        }));
      }
      judgeId(call);
      judgeOrder(call);
    }

    /** What a quote is that comes after the selection or the cancel of its order is open (gap `quote.late`). */
    function mayBeLate(call: Call): boolean {
      const story = view.orders.get(call.exchange.params.intent_id ?? '');
      const ends = happened([...(story?.acceptances ?? []), ...(story?.cancels ?? [])]);
      return ends.some(({ open }) => open < call.close);
    }

    function judgeId(call: Call): void {
      const quoteId = textAt(call.data, 'quote_id');
      if (quoteId === undefined) return;
      const before = seen.get(quoteId);
      seen.set(quoteId, call);
      const { intent_id } = call.exchange.params;
      // The same maker's next quote on the same order may take the place of the first (gap `quote.twice`).
      const replaces =
        before?.party === call.party && before.exchange.params.intent_id === intent_id;
      tally.judge('quote.quote-id.unique', !before || replaces, call.id, () => ({
        message: 'two submissions returned the same quote_id',
        actual: quoteId,
        evidence: [before?.id ?? '', call.id],
      }));
    }

    function judgeOrder(call: Call): void {
      const story = view.orders.get(call.exchange.params.intent_id ?? '');
      const after = story?.sightings.find((order) => precedes(call, order));
      const state = after && stateOf(after);
      if (!story?.creation || !after || !state) return;
      const meddled = [...story.acceptances, ...story.cancels].some(
        (other) => other.open < after.close,
      );
      if (meddled || state === 'EXPIRED' || state === 'FAILED') return;
      tally.judge('quote.submit.order-stays-pending', state === 'PENDING', after.source, () => ({
        message: `an order was ${state} after a quote alone`,
        expected: 'PENDING',
        actual: state,
        evidence: [call.id, after.source],
      }));
    }
  },
});

export const oneAccepted = defineRule({
  id: 'quote.one-accepted',
  title: 'At most one quote of an order is ever ACCEPTED, and none without being selected',
  requirements: [
    'quote.state.one-accepted-per-order',
    'quote.state.other-orders-untouched',
    'quote.state.listed-transitions-only',
  ],
  judge(view, tally) {
    const firstSelection =
      view.endpoint('quote.accept').find((call) => call.ok)?.open ?? Number.POSITIVE_INFINITY;
    for (const story of view.orders.values()) {
      const accepted = new Map<string, Sighting>();
      for (const quote of story.quotes) {
        const sighting = quote.sightings.find((seen) => quoteStateOf(seen) === 'ACCEPTED');
        if (sighting) accepted.set(quote.id, sighting);
        judgeUnselected(story, quote, sighting);
      }
      const [first] = accepted.values();
      if (!first) continue;
      tally.judge('quote.state.one-accepted-per-order', accepted.size === 1, first.source, () => ({
        message: `${accepted.size} quotes of one order were ACCEPTED`,
        actual: [...accepted.keys()],
        evidence: [...accepted.values()].map(({ source }) => source),
      }));
    }

    /** A quote of an order on which nobody accepted anything can be neither selected nor passed over. */
    function judgeUnselected(story: OrderStory, quote: QuoteStory, accepted?: Sighting): void {
      if (!story.creation || happened(story.acceptances).length > 0) return;
      const orphaned = mayEndUnsettled(view, story) || quotedTwice(quote, story);
      const rejected = quote.sightings.find((seen) => quoteStateOf(seen) === 'REJECTED');
      const wrong = accepted ?? (orphaned ? undefined : rejected);
      const elsewhere = firstSelection < (wrong?.close ?? Number.POSITIVE_INFINITY);
      const requirement = elsewhere
        ? 'quote.state.other-orders-untouched'
        : 'quote.state.listed-transitions-only';
      const seen = wrong ?? quote.sightings.at(-1);
      if (!seen) return;
      tally.judge(requirement, !wrong, seen.source, () => ({
        message: `a quote was ${wrong && quoteStateOf(wrong)} though no quote of its order was accepted`,
        expected: 'PENDING or EXPIRED',
        actual: wrong && quoteStateOf(wrong),
        evidence: [seen.source],
      }));
    }
  },
});

export const selection = defineRule({
  id: 'quote.selection',
  title: 'The selected quote is ACCEPTED, and those of other makers are REJECTED',
  requirements: [
    'quote.state.pending-to-accepted',
    'quote.state.pending-to-rejected',
    'quote.state.pending-to-rejected.every-rival',
    'quote.state.pending-to-rejected.by-custodian',
    'quote.state.accepted-stays-through-settlement',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      const took = story.acceptances.filter((call) => call.ok && call.own);
      const [call] = took;
      const winnerId = call?.exchange.params.quote_id;
      if (!call || took.some((other) => other.exchange.params.quote_id !== winnerId)) continue;
      // An acceptance above the maximum may fail the order instead (gap `quote.above_max`).
      if (textAt(call.data, 'status') !== 'QUOTED') continue;
      const winner = winnerId === undefined ? undefined : view.quotes.get(winnerId);
      if (!winner) continue;
      if (!mayEndUnsettled(view, story)) judgeWinner(story, winner, call, ['ACCEPTED']);
      // For this no quote is REJECTED, or PENDING again.
      else if (failedSettling(story)) judgeWinner(story, winner, call, ['ACCEPTED', 'EXPIRED']);
      const rivals = story.quotes.filter(
        (quote) =>
          quote !== winner &&
          quote.maker !== undefined &&
          quote.maker !== winner.maker &&
          quote.submission !== undefined &&
          precedes(quote.submission, call) &&
          !quotedTwice(quote, story),
      );
      const several = new Set(rivals.map((quote) => quote.maker)).size > 1;
      for (const rival of rivals) judgeRival(rival, call, several);
    }

    /** What is read after the answer, once what is shown can have caught up (gap `views.lag`). */
    function reflects(sighting: Sighting, cause: Call): boolean {
      if (sighting.frame || !precedes(cause, sighting)) return false;
      return sighting.from > cause.exchange.received + patience.betweenParties;
    }

    function judgeWinner(
      story: OrderStory,
      winner: QuoteStory,
      call: Call,
      expected: readonly QuoteState[],
    ): void {
      const settled = story.sightings.find((seen) => stateOf(seen) === 'SETTLED');
      for (const sighting of winner.sightings) {
        const state = quoteStateOf(sighting);
        if (!state || !reflects(sighting, call)) continue;
        const blame = () => ({
          message: `the selected quote was ${state} (${sighting.via})`,
          expected: expected.join(' or '),
          actual: state,
          evidence: [call.id, sighting.source],
        });
        const holds = expected.includes(state);
        tally.judge('quote.state.pending-to-accepted', holds, sighting.source, blame);
        if (settled && settled.close < sighting.open) {
          tally.judge(
            'quote.state.accepted-stays-through-settlement',
            holds,
            sighting.source,
            blame,
          );
        }
      }
    }

    function judgeRival(rival: QuoteStory, call: Call, several: boolean): void {
      const deadline = momentIn(rival.sightings, 'valid_until');
      if (deadline === undefined) return;
      const { most } = view.context.offset;
      // A rival's backend may follow a while later (gap `views.lag`), and look at the deadline first.
      const wasPending = call.exchange.received + most + patience.betweenParties < deadline;
      for (const sighting of rival.sightings) {
        const state = quoteStateOf(sighting);
        // How soon the others follow is not shown; what is read too soon counts neither way.
        const caughtUp = sighting.from > call.exchange.received + patience.betweenParties;
        if (!state || !reflects(sighting, call)) continue;
        if (!caughtUp && state === 'PENDING') continue;
        // It may have expired before the other was selected.
        if (!wasPending && state !== 'ACCEPTED') continue;
        for (const requirement of [
          'quote.state.pending-to-rejected',
          ...(several ? (['quote.state.pending-to-rejected.every-rival'] as const) : []),
          ...(call.exchange.role === 'custodian'
            ? (['quote.state.pending-to-rejected.by-custodian'] as const)
            : []),
        ] as const) {
          tally.judge(requirement, state === 'REJECTED', sighting.source, () => ({
            message: `another maker's quote was ${state} after one was selected (${sighting.via})`,
            expected: 'REJECTED',
            actual: state,
            evidence: [call.id, sighting.source],
          }));
        }
      }
    }
  },
});
