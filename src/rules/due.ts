import { grouped } from '../history/grouped.ts';
import { parseTimestamp } from '../spec/forms.ts';
import { tradeWaits } from '../spec/gaps/proposals.ts';
import { relationOf } from './audience.ts';
import { compare, exact, sameNumber } from './exact.ts';
import { isObject } from './json.ts';
import { during, watchOf } from './moment.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { type Call, isDenied, precedes } from './view/calls.ts';
import { momentIn } from './view/sightings.ts';
import { happened, type OrderStory, type QuoteStory, stateOf } from './view/stories.ts';

/** Refused for so long, something was not refused for what a moment brought. Whoever lays ground insists for longer. */
const lastingMs = 0.75 * patience.betweenParties;

/**
 * The last of some refusals that went on for a while, nothing else having been answered, and beyond the lag of a
 * backend behind the one that answered `since`.
 */
function lastRefusal(calls: readonly Call[], since: Call): Call | undefined {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last || !calls.every(isDenied)) return undefined;
  const lasted = last.exchange.sent - first.exchange.received >= lastingMs;
  const known = last.exchange.sent >= since.exchange.received + patience.betweenParties;
  return lasted && known ? last : undefined;
}

/** Whoever is refused on so many requests is not refused for what they are about. */
const tooOften = 5;

/** A quote at the rate one for its order's own amount: right under every reading of rates and amounts (gaps). */
function isPlain({ sent: order }: OrderStory, { sent }: Call): boolean {
  const [amount, most] = [exact(order?.['target_amount']), exact(order?.['source_amount_max'])];
  return (
    sameNumber(sent?.['fx_rate'], '1') === true &&
    sameNumber(sent?.['target_amount'], order?.['target_amount']) === true &&
    amount !== undefined &&
    most !== undefined &&
    compare(amount, most) <= 0
  );
}

/** Whether an order trades the same currencies as another. */
const isAlike = ({ sent: one }: OrderStory, { sent: other }: OrderStory): boolean =>
  one !== undefined &&
  one['source_currency'] === other?.['source_currency'] &&
  one['target_currency'] === other?.['target_currency'];

/** Whether an order's amount is no less than another's. */
function isNoLess({ sent: one }: OrderStory, { sent: other }: OrderStory): boolean {
  const [a, b] = [exact(one?.['target_amount']), exact(other?.['target_amount'])];
  return a !== undefined && b !== undefined && compare(a, b) >= 0;
}

/** PENDING when a call was made: so it was read afterwards, or done to what only can be done to an open order. */
export const wasPending = (
  { sightings, acceptances, cancels }: OrderStory,
  { close }: Call,
): boolean =>
  sightings.some((seen) => !seen.frame && seen.open > close && stateOf(seen) === 'PENDING') ||
  [...acceptances, ...cancels].some(({ ok, open }) => ok && open > close);

/** Seen as settled before a call was made. Quotes of what ended otherwise may count as open (gap `quote.orphans`). */
const hadSettled = ({ sightings }: OrderStory, { open }: Call): boolean =>
  sightings.some((seen) => seen.close < open && stateOf(seen) === 'SETTLED');

/**
 * What must be granted where nothing stands in its way. Checks that only lay their ground give up on a refusal; this
 * looks whether there was any reason for it. Of size, currencies and validity, and of how many at once, no bounds are
 * shown: what counts is what the same party was granted beside it.
 */
export const due = defineRule({
  id: 'requests.due',
  title: 'A proper quote on an open request is taken, and one that is valid can be accepted',
  requirements: ['access.quote.submit.market-maker-allowed', 'quote.state.usable-until-deadline'],
  judge(view, tally) {
    const watch = watchOf(view);
    const submitted = granted('quote.submit', () => true);
    const taken = submitted.filter(({ call, story }) => isPlain(story, call));
    const accepted = granted('quote.accept', () => true);
    for (const story of view.orders.values()) {
      if (!story.creation || view.disturbed(story.id)) continue;
      for (const [maker, calls] of grouped(story.submissions, ({ party }) => party)) {
        judgeQuote(story, story.creation, maker, calls);
      }
      for (const quote of story.quotes) judgeAcceptances(story, quote);
    }

    function granted(
      endpoint: 'quote.submit' | 'quote.accept',
      counts: (story: OrderStory, call: Call) => boolean,
    ): readonly Granted[] {
      return view.endpoint(endpoint).flatMap((call) => {
        const story = view.orders.get(call.exchange.params.intent_id ?? '');
        return call.ok && story && counts(story, call) ? [{ call, story }] : [];
      });
    }

    /** What a proposal's acceptance may open (gap `proposal.effect`) is open. */
    function isOpened(story: OrderStory, another: readonly Call[]): boolean {
      const effect = view.context.answers('proposal.effect');
      const waits = effect === undefined || tradeWaits(effect);
      return !waits || story.proposals.some(({ ok }) => ok) || another.some(({ ok }) => ok);
    }

    function judgeQuote(
      story: OrderStory,
      creation: Call,
      maker: string,
      calls: readonly Call[],
    ): void {
      const last = lastRefusal(calls, creation);
      if (!last || !calls.every((call) => isPlain(story, call))) return;
      const expiry = momentIn(story.sightings, 'expires_at');
      const until = parseTimestamp(last.sent?.['valid_until']);
      // A quote may have to end before its order does (gap `quote.beyond_expiry`).
      if (expiry === undefined || until === undefined || until >= expiry) return;
      if (!watch.before(during(last), until) || !wasPending(story, last)) return;
      const others = story.submissions.filter(({ party }) => party !== maker);
      if (!isOpened(story, others)) return;
      const isShutOut = others.length === 0 && isNeverTaken(maker) && isUsual(story, calls);
      if (!isShutOut && !isUsual(story, calls, maker)) return;
      tally.fail('access.quote.submit.market-maker-allowed', {
        message: `a proper quote of ${maker} on an open request was refused again and again`,
        expected: 'a success (2xx)',
        actual: last.status,
        evidence: [creation.id, calls[0]?.id ?? '', last.id],
      });
    }

    /** Whether a maker was refused on request after request, and never taken. */
    function isNeverTaken(maker: string): boolean {
      const own = view.endpoint('quote.submit').filter((call) => call.party === maker);
      const requests = new Set(
        own.filter(isDenied).map(({ exchange }) => exchange.params.intent_id),
      );
      return own.every(({ ok }) => !ok) && requests.size >= tooOften;
    }

    /**
     * Whether nothing in some quotes is out of what a maker is known to be granted, or any maker: one of the same
     * currencies was taken that was as large, valid for as long, and beside as many open ones; one that was as small; one
     * as brief.
     */
    function isUsual(story: OrderStory, refused: readonly Call[], maker?: string): boolean {
      const isOwn = ({ call }: Granted): boolean => maker === undefined || call.party === maker;
      const [everything, beside] = [taken.filter(isOwn), submitted.filter(isOwn)];
      const alike = everything.filter((one) => isAlike(one.story, story));
      const validities = refused.map(validityOf);
      const [briefest, longest] = [Math.min(...validities), Math.max(...validities)];
      const most = Math.max(...refused.map((at) => countOf(beside, mayBeOpen(at))));
      return (
        alike.some(
          (one) =>
            isNoLess(one.story, story) &&
            validityOf(one.call) >= longest &&
            countOf(beside, wasOpen(one.call)) >= most,
        ) &&
        alike.some((one) => isNoLess(story, one.story)) &&
        everything.some((one) => validityOf(one.call) <= briefest)
      );
    }

    /** Quotes that may have been open when a call was made. */
    function mayBeOpen(at: Call): (one: Granted) => boolean {
      return ({ call, story }) => {
        const until = untilOf(call);
        const isPast = until !== undefined && watch.wellAfter(during(at), until);
        return call.open < at.close && !isPast && !hadSettled(story, at);
      };
    }

    /** Quotes that were open for certain when a call was made. */
    function wasOpen(at: Call): (one: Granted) => boolean {
      return ({ call, story }) => {
        const until = untilOf(call);
        if (until === undefined || call.close >= at.open) return false;
        return watch.before(during(at), until) && (wasPending(story, at) || wasLeft(story, at));
      };
    }

    /** Nothing but its deadline could have ended an order that nobody had touched. */
    function wasLeft(story: OrderStory, at: Call): boolean {
      const expiry = momentIn(story.sightings, 'expires_at');
      return (
        expiry !== undefined &&
        watch.before(during(at), expiry) &&
        !view.disturbed(story.id) &&
        happened([...story.acceptances, ...story.cancels]).every((one) => precedes(at, one))
      );
    }

    function judgeAcceptances(story: OrderStory, quote: QuoteStory): void {
      const { submission } = quote;
      if (!submission?.ok || !isPlain(story, submission)) return;
      // Whatever else was done to the order, or a later quote of the maker (gap `quote.twice`), may be the reason.
      const later = story.submissions.some(
        ({ party, open }) => party === quote.maker && open > submission.open,
      );
      if (later || happened([...story.acceptances, ...story.cancels]).length > 0) return;
      const own = quote.acceptances.filter((call) => call.exchange.params.intent_id === story.id);
      for (const [party, calls] of grouped(own, (call) => call.party)) {
        const relation = relationOf(view, story, party);
        const last = lastRefusal(calls, submission);
        if (!last || (relation !== 'sender' && relation !== 'sender-custodian')) continue;
        const deadlines = [untilOf(submission), momentIn(story.sightings, 'expires_at')];
        const isInTime = deadlines.every(
          (moment) => moment !== undefined && watch.before(during(last), moment),
        );
        if (!isInTime || !wasPending(story, last) || !isOpened(story, [])) continue;
        // Later: what a party holds may have been used up.
        const isAble = accepted.some(
          (one) =>
            one.call.party === party &&
            one.call.open > last.close &&
            isAlike(one.story, story) &&
            isNoLess(one.story, story),
        );
        if (!isAble) continue;
        tally.fail('quote.state.usable-until-deadline', {
          message: `${party} could not accept a valid quote of an open order, again and again`,
          expected: 'a success (2xx)',
          actual: last.status,
          evidence: [submission.id, calls[0]?.id ?? '', last.id],
        });
      }
    }
  },
});

/** What was asked of an order, and granted. */
interface Granted {
  readonly call: Call;
  readonly story: OrderStory;
}

const countOf = (some: readonly Granted[], counts: (one: Granted) => boolean): number =>
  some.filter(counts).length;

/** As granted, or else as asked for. */
const untilOf = ({ data, sent }: Call): number | undefined =>
  parseTimestamp(isObject(data) ? data['valid_until'] : undefined) ??
  parseTimestamp(sent?.['valid_until']);

const validityOf = (call: Call): number =>
  (parseTimestamp(call.sent?.['valid_until']) ?? Number.NEGATIVE_INFINITY) - call.exchange.sent;
