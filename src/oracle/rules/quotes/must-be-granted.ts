import { groupBy } from '../../../history/group-by.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { tradeAwaitsProposal } from '../../../spec/gaps/proposals.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import { compare, parseDecimal, equalNumbers } from '../../../protocol/decimal.ts';
import { isObject } from '../../../protocol/json.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, precedes } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import {
  possiblyEffective,
  type OrderTrace,
  type QuoteTrace,
  orderStateOf,
} from '../../trace/traces.ts';

/** What is refused for so long is not refused for a passing reason. Checks that set something up retry for longer. */
const persistentMs = 0.75 * tolerance.replicationLagMs;

/**
 * The last of some refusals that went on for a while, nothing else having been answered, and beyond the lag of a
 * backend behind the one that answered `since`.
 */
function lastRefusal(calls: readonly Call[], since: Call): Call | undefined {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last || !calls.every(isDenied)) return undefined;
  const lasted = last.exchange.sent - first.exchange.received >= persistentMs;
  const known = last.exchange.sent >= since.exchange.received + tolerance.replicationLagMs;
  return lasted && known ? last : undefined;
}

/** Whoever is refused on so many requests is not refused for what they are about. */
const manyRequests = 5;

/** A quote at the rate one for its order's own amount: right under every reading of rates and amounts (gaps). */
function isPlain({ sent: order }: OrderTrace, { sent }: Call): boolean {
  const [amount, most] = [
    parseDecimal(order?.['target_amount']),
    parseDecimal(order?.['source_amount_max']),
  ];
  return (
    equalNumbers(sent?.['fx_rate'], '1') === true &&
    equalNumbers(sent?.['target_amount'], order?.['target_amount']) === true &&
    amount !== undefined &&
    most !== undefined &&
    compare(amount, most) <= 0
  );
}

/** Whether an order trades the same currencies as another. */
const tradesSameCurrencies = ({ sent: one }: OrderTrace, { sent: other }: OrderTrace): boolean =>
  one !== undefined &&
  one['source_currency'] === other?.['source_currency'] &&
  one['target_currency'] === other?.['target_currency'];

/** Whether an order's amount is no less than another's. */
function isAtLeast({ sent: one }: OrderTrace, { sent: other }: OrderTrace): boolean {
  const [a, b] = [parseDecimal(one?.['target_amount']), parseDecimal(other?.['target_amount'])];
  return a !== undefined && b !== undefined && compare(a, b) >= 0;
}

/** PENDING when a call was made: so it was read afterwards, or done to what only can be done to an open order. */
export const wasPending = (
  { snapshots, acceptances, cancels }: OrderTrace,
  { close }: Call,
): boolean =>
  snapshots.some((seen) => !seen.frame && seen.open > close && orderStateOf(seen) === 'PENDING') ||
  [...acceptances, ...cancels].some(({ ok, open }) => ok && open > close);

/** Seen as settled before a call was made. Quotes of what ended otherwise may count as open (gap `quote.orphans`). */
const hadSettled = ({ snapshots }: OrderTrace, { open }: Call): boolean =>
  snapshots.some((seen) => seen.close < open && orderStateOf(seen) === 'SETTLED');

/**
 * What must be granted where nothing stands in its way. Checks that only set something up give up on a refusal; this
 * looks whether there was any reason for it. Of size, currencies and validity, and of how many at once, no bounds are
 * shown: what counts is what the same party was granted beside it.
 */
export const quotesMustBeGranted = defineRule({
  id: 'requests.due',
  title: 'A proper quote on an open request is taken, and one that is valid can be accepted',
  requirements: ['access.quote.submit.market-maker-allowed', 'quote.state.usable-until-deadline'],
  judge(view, findings) {
    const clock = targetClockOf(view);
    const submitted = granted('quote.submit');
    const taken = submitted.filter(({ call, trace }) => isPlain(trace, call));
    const accepted = granted('quote.accept');
    for (const trace of view.orders.values()) {
      if (!trace.creation || view.disturbed(trace.id)) continue;
      for (const [maker, calls] of groupBy(trace.submissions, ({ party }) => party)) {
        judgeQuote(trace, trace.creation, maker, calls);
      }
      for (const quote of trace.quotes) judgeAcceptances(trace, quote);
    }

    function granted(endpoint: 'quote.submit' | 'quote.accept'): readonly Granted[] {
      return view.endpoint(endpoint).flatMap((call) => {
        const trace = view.orders.get(call.exchange.params.intent_id ?? '');
        return call.ok && trace ? [{ call, trace }] : [];
      });
    }

    /** What a proposal's acceptance may open (gap `proposal.effect`) is open. */
    function isOpened(trace: OrderTrace, another: readonly Call[]): boolean {
      const effect = view.context.answers('proposal.effect');
      const waits = effect === undefined || tradeAwaitsProposal(effect);
      return !waits || trace.proposals.some(({ ok }) => ok) || another.some(({ ok }) => ok);
    }

    function judgeQuote(
      trace: OrderTrace,
      creation: Call,
      maker: string,
      calls: readonly Call[],
    ): void {
      const last = lastRefusal(calls, creation);
      if (!last || !calls.every((call) => isPlain(trace, call))) return;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      const until = parseTimestamp(last.sent?.['valid_until']);
      // A quote may have to end before its order does (gap `quote.beyond_expiry`).
      if (expiry === undefined || until === undefined || until >= expiry) return;
      if (!clock.before(intervalOf(last), until) || !wasPending(trace, last)) return;
      const others = trace.submissions.filter(({ party }) => party !== maker);
      if (!isOpened(trace, others)) return;
      const isShutOut =
        others.length === 0 && isAlwaysRefused(maker) && isLikeGranted(trace, calls);
      if (!isShutOut && !isLikeGranted(trace, calls, maker)) return;
      findings.fail('access.quote.submit.market-maker-allowed', {
        message: `a proper quote of ${maker} on an open request was refused again and again`,
        deviation: 'refused',
        must: { answered: '2xx' },
        actual: last.status,
        evidence: [creation.id, calls[0]?.id ?? '', last.id],
      });
    }

    /** Whether a maker was refused on request after request, and never taken. */
    function isAlwaysRefused(maker: string): boolean {
      const own = view.endpoint('quote.submit').filter((call) => call.party === maker);
      const requests = new Set(
        own.filter(isDenied).map(({ exchange }) => exchange.params.intent_id),
      );
      return own.every(({ ok }) => !ok) && requests.size >= manyRequests;
    }

    /**
     * Whether nothing in some quotes is out of what a maker is known to be granted, or any maker: one of the same
     * currencies was taken that was as large, valid for as long, and beside as many open ones; one that was as small; one
     * as brief.
     */
    function isLikeGranted(trace: OrderTrace, refused: readonly Call[], maker?: string): boolean {
      const isOwn = ({ call }: Granted): boolean => maker === undefined || call.party === maker;
      const [everything, concurrent] = [taken.filter(isOwn), submitted.filter(isOwn)];
      const alike = everything.filter((one) => tradesSameCurrencies(one.trace, trace));
      const validities = refused.map(validityOf);
      const [briefest, longest] = [Math.min(...validities), Math.max(...validities)];
      const most = Math.max(...refused.map((at) => countOf(concurrent, mayBeOpen(at))));
      return (
        alike.some(
          (one) =>
            isAtLeast(one.trace, trace) &&
            validityOf(one.call) >= longest &&
            countOf(concurrent, wasOpen(one.call)) >= most,
        ) &&
        alike.some((one) => isAtLeast(trace, one.trace)) &&
        everything.some((one) => validityOf(one.call) <= briefest)
      );
    }

    /** Quotes that may have been open when a call was made. */
    function mayBeOpen(at: Call): (one: Granted) => boolean {
      return ({ call, trace }) => {
        const until = validUntilOf(call);
        const isPast = until !== undefined && clock.wellAfter(intervalOf(at), until);
        return call.open < at.close && !isPast && !hadSettled(trace, at);
      };
    }

    /** Quotes that were open for certain when a call was made. */
    function wasOpen(at: Call): (one: Granted) => boolean {
      return ({ call, trace }) => {
        const until = validUntilOf(call);
        if (until === undefined || call.close >= at.open) return false;
        return (
          clock.before(intervalOf(at), until) && (wasPending(trace, at) || wasUntouched(trace, at))
        );
      };
    }

    /** Nothing but its deadline could have ended an order that nobody had touched. */
    function wasUntouched(trace: OrderTrace, at: Call): boolean {
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      return (
        expiry !== undefined &&
        clock.before(intervalOf(at), expiry) &&
        !view.disturbed(trace.id) &&
        possiblyEffective([...trace.acceptances, ...trace.cancels]).every((one) =>
          precedes(at, one),
        )
      );
    }

    function judgeAcceptances(trace: OrderTrace, quote: QuoteTrace): void {
      const { submission } = quote;
      if (!submission?.ok || !isPlain(trace, submission)) return;
      // Whatever else was done to the order, or a later quote of the maker (gap `quote.twice`), may be the reason.
      const later = trace.submissions.some(
        ({ party, open }) => party === quote.maker && open > submission.open,
      );
      if (later || possiblyEffective([...trace.acceptances, ...trace.cancels]).length > 0) return;
      const own = quote.acceptances.filter((call) => call.exchange.params.intent_id === trace.id);
      for (const [party, calls] of groupBy(own, (call) => call.party)) {
        const relation = relationOf(view, trace, party);
        const last = lastRefusal(calls, submission);
        if (!last || (relation !== 'sender' && relation !== 'sender-custodian')) continue;
        const deadlines = [validUntilOf(submission), timestampIn(trace.snapshots, 'expires_at')];
        const isInTime = deadlines.every(
          (instant) => instant !== undefined && clock.before(intervalOf(last), instant),
        );
        if (!isInTime || !wasPending(trace, last) || !isOpened(trace, [])) continue;
        // Later: what a party holds may have been used up.
        const isAble = accepted.some(
          (one) =>
            one.call.party === party &&
            one.call.open > last.close &&
            tradesSameCurrencies(one.trace, trace) &&
            isAtLeast(one.trace, trace),
        );
        if (!isAble) continue;
        findings.fail('quote.state.usable-until-deadline', {
          message: `${party} could not accept a valid quote of an open order, again and again`,
          deviation: 'refused',
          must: { answered: '2xx' },
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
  readonly trace: OrderTrace;
}

const countOf = (some: readonly Granted[], counts: (one: Granted) => boolean): number =>
  some.filter(counts).length;

/** As granted, or else as asked for. */
const validUntilOf = ({ data, sent }: Call): number | undefined =>
  parseTimestamp(isObject(data) ? data['valid_until'] : undefined) ??
  parseTimestamp(sent?.['valid_until']);

const validityOf = (call: Call): number =>
  (parseTimestamp(call.sent?.['valid_until']) ?? Number.NEGATIVE_INFINITY) - call.exchange.sent;
