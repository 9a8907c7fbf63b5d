import { groupBy } from '../../../history/group-by.ts';
import { compare, equalNumbers, parseDecimal } from '../../../protocol/decimal.ts';
import { isObject } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { tradeAwaitsProposal } from '../../../spec/gaps/proposals.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isDenied, precedes, wronglyRefused } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import {
  orderStateOf,
  type OrderTrace,
  possiblyEffective,
  type QuoteTrace,
  touchesOf,
} from '../../trace/traces.ts';

/** Refusals for so many milliseconds have no passing reason. Checks that set something up retry for longer. */
const persistentMs = 0.75 * tolerance.replicationLagMs;

/**
 * The last of the refusals, if there was no other answer, they went on for a while, and they outlasted the lag of a
 * backend behind the one that answered `since`.
 */
function lastRefusal(calls: readonly Call[], since: Call): Call | undefined {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last || !calls.every(isDenied)) return undefined;
  const lasted = last.exchange.sent - first.exchange.received >= persistentMs;
  const known = last.exchange.sent >= since.exchange.received + tolerance.replicationLagMs;
  return lasted && known ? last : undefined;
}

/** Number of requests for quote: a maker that is refused on this many is not refused for their content. */
const manyRequests = 5;

/** True for a quote at rate one for its order's own amount: right under every reading of rates and amounts (gaps). */
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

/** True if both orders trade the same currencies. */
export const tradesSameCurrencies = (
  { sent: one }: OrderTrace,
  { sent: other }: OrderTrace,
): boolean =>
  one !== undefined &&
  one['source_currency'] === other?.['source_currency'] &&
  one['target_currency'] === other?.['target_currency'];

/** True if the amount of the first order is no less than that of the second. */
export function isAtLeast({ sent: one }: OrderTrace, { sent: other }: OrderTrace): boolean {
  const [a, b] = [parseDecimal(one?.['target_amount']), parseDecimal(other?.['target_amount'])];
  return a !== undefined && b !== undefined && compare(a, b) >= 0;
}

/**
 * True if the order was PENDING when the call was made: it was read as PENDING afterwards, or a request succeeded
 * afterwards that only an open order admits.
 */
export const wasPending = (
  { snapshots, acceptances, cancels }: OrderTrace,
  { close }: Call,
): boolean =>
  snapshots.some((seen) => !seen.frame && seen.open > close && orderStateOf(seen) === 'PENDING') ||
  [...acceptances, ...cancels].some(({ ok, open }) => ok && open > close);

/** True if the step is open that may wait for a proposal's acceptance (gap `proposal.effect`). */
export function isOpened(view: HistoryView, trace: OrderTrace, another: readonly Call[]): boolean {
  const effect = view.context.answers('proposal.effect');
  const waits = effect === undefined || tradeAwaitsProposal(effect);
  return !waits || trace.proposals.some(({ ok }) => ok) || another.some(({ ok }) => ok);
}

/** Quotes of an order that ended but did not settle may count as open (gap `quote.orphans`). */
const hadSettled = ({ snapshots }: OrderTrace, { open }: Call): boolean =>
  snapshots.some((seen) => seen.close < open && orderStateOf(seen) === 'SETTLED');

/**
 * Requests that must be granted if nothing stands in their way. Checks that only set something up give up on a refusal;
 * this rule checks if there was any reason for it. No bounds are shown for size, currencies, validity and the number at
 * once: the measure is the other requests that the same party was granted.
 */
export const quotesMustBeGranted = defineRule({
  id: 'requests.due',
  title: 'A proper quote on an open request is taken, and one that is valid can be accepted',
  requirements: ['access.quote.submit.market-maker-allowed', 'quote.state.usable-until-deadline'],
  judge(view, findings) {
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
        const trace = view.order(call.exchange.params.intent_id);
        return call.ok && trace ? [{ call, trace }] : [];
      });
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
      if (!view.clock.before(last, until) || !wasPending(trace, last)) return;
      const others = trace.submissions.filter(({ party }) => party !== maker);
      if (!isOpened(view, trace, others)) return;
      const isShutOut =
        others.length === 0 && isAlwaysRefused(maker) && isLikeGranted(trace, calls);
      if (!isShutOut && !isLikeGranted(trace, calls, maker)) return;
      findings.fail('access.quote.submit.market-maker-allowed', {
        message: `a proper quote of ${maker} on an open request was refused again and again`,
        ...wronglyRefused(last),
        evidence: [creation.id, calls[0]?.id ?? '', last.id],
      });
    }

    /** True if the maker was refused on request after request, and never taken. */
    function isAlwaysRefused(maker: string): boolean {
      const own = view.endpoint('quote.submit').filter((call) => call.party === maker);
      const requests = new Set(
        own.filter(isDenied).map(({ exchange }) => exchange.params.intent_id),
      );
      return own.every(({ ok }) => !ok) && requests.size >= manyRequests;
    }

    /**
     * True if the refused quotes stay within the terms that the maker (or any maker, if `maker` is missing) is known to
     * be granted. In the same currencies a quote was taken that was as large, valid for as long, and beside as many
     * open ones; and another that was as small. And a quote was taken that was as brief.
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
        const isPast = until !== undefined && view.clock.wellAfter(at, until);
        return call.open < at.close && !isPast && !hadSettled(trace, at);
      };
    }

    /** Quotes that were open for certain when a call was made. */
    function wasOpen(at: Call): (one: Granted) => boolean {
      return ({ call, trace }) => {
        const until = validUntilOf(call);
        if (until === undefined || call.close >= at.open) return false;
        return view.clock.before(at, until) && (wasPending(trace, at) || wasUntouched(trace, at));
      };
    }

    /** Nothing but its deadline could have ended an order that nobody had touched. */
    function wasUntouched(trace: OrderTrace, at: Call): boolean {
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      return (
        expiry !== undefined &&
        view.clock.before(at, expiry) &&
        !view.disturbed(trace.id) &&
        touchesOf(trace).every((one) => precedes(at, one))
      );
    }

    function judgeAcceptances(trace: OrderTrace, quote: QuoteTrace): void {
      const { submission } = quote;
      if (!submission?.ok || !isPlain(trace, submission)) return;
      // Another action on the order, or a later quote of the maker (gap `quote.twice`), may be the reason.
      const later = trace.submissions.some(
        ({ party, open }) => party === quote.maker && open > submission.open,
      );
      if (later || touchesOf(trace).length > 0) return;
      const own = quote.acceptances.filter((call) => call.exchange.params.intent_id === trace.id);
      for (const [party, calls] of groupBy(own, (call) => call.party)) {
        const relation = relationOf(view, trace, party);
        const last = lastRefusal(calls, submission);
        if (!last || (relation !== 'sender' && relation !== 'sender-custodian')) continue;
        const deadlines = [validUntilOf(submission), timestampIn(trace.snapshots, 'expires_at')];
        const isInTime = deadlines.every(
          (instant) => instant !== undefined && view.clock.before(last, instant),
        );
        if (!isInTime || !wasPending(trace, last) || !isOpened(view, trace, [])) continue;
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
          ...wronglyRefused(last),
          evidence: [submission.id, calls[0]?.id ?? '', last.id],
        });
      }
    }
  },
});

const proposing = 'proposal.accept.by-sender-custodian';

/** The same for proposals. What one is worth is open (gap `proposal.effect`): the measure is an order just as bare. */
export const proposalsMustBeGranted = defineRule({
  id: 'proposals.due',
  title:
    "The custodian of a PENDING order's sender can accept its proposal, if it can that of others",
  requirements: [proposing],
  judge(view, findings) {
    const granted = [...view.orders.values()].flatMap((trace) => {
      const call = trace.proposals.find(({ ok }) => ok);
      return call && isBare(trace, call) ? [{ call, trace }] : [];
    });
    for (const { call, trace } of granted)
      if (relationOf(view, trace, call.party) === 'sender-custodian')
        findings.pass(proposing, call.id);
    for (const trace of view.orders.values()) {
      if (!trace.creation || view.disturbed(trace.id)) continue;
      for (const [party, calls] of groupBy(trace.proposals, (call) => call.party)) {
        const last = lastRefusal(calls, trace.creation);
        if (!last || relationOf(view, trace, party) !== 'sender-custodian') continue;
        const expiry = timestampIn(trace.snapshots, 'expires_at');
        const isOpen = expiry !== undefined && view.clock.before(last, expiry);
        if (!isOpen || !isBare(trace, last) || !wasPending(trace, last)) continue;
        const isAble = granted.some(
          (one) =>
            one.call.party === party &&
            calls.some((call) => bodyOf(call) === bodyOf(one.call)) &&
            tradesSameCurrencies(one.trace, trace) &&
            isAtLeast(one.trace, trace),
        );
        if (!isAble) continue;
        findings.fail(proposing, {
          message: `${party} could not accept the proposal of a PENDING order, again and again`,
          ...wronglyRefused(last),
          evidence: [trace.creation.id, calls[0]?.id ?? '', last.id],
        });
      }
    }
  },
});

const bodyOf = ({ exchange }: Call): string => JSON.stringify(exchange.request.body) ?? 'none';

/** True if nobody had done anything with an order before a call. */
const isBare = ({ acceptances, cancels, submissions }: OrderTrace, { close }: Call): boolean =>
  possiblyEffective([...acceptances, ...cancels, ...submissions]).every(({ open }) => open > close);

/** A granted request on an order. */
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
