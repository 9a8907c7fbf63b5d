import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import {
  fieldsOf,
  isDenied,
  itemsOf,
  sentBody,
  shownText,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import {
  compare,
  equalNumbers,
  parseDecimal,
  type ExactDecimal,
  significantScale,
} from '../../protocol/decimal.ts';
import { isWholeList } from '../../protocol/pagination.ts';
import { hasForm } from '../../spec/forms.ts';
import {
  callsAbout,
  callsTo,
  follows,
  type OrderSnapshot,
  ordersIn,
  ownCallsTo,
  type Observations,
  observed,
  outcomeOf,
} from './exchange-index.ts';
import {
  counterAmount,
  type Orientation,
  orientationsOf,
  type Side,
} from '../../protocol/rate-orientation.ts';

type Exchanges = readonly Exchange[];

/** Limits on submitted quotes, and the meaning of their rates and amounts. */
export function* observeQuotes(exchanges: Exchanges): Observations {
  const submissions = ownCallsTo(exchanges, 'quote.submit').filter(
    (one) => one.params.intent_id !== undefined && outcomeOf(one, 'answered'),
  );
  yield* observeAmounts(exchanges, submissions);
  yield* observeCounterAmounts(exchanges, submissions);
  yield* observeSubmissions(exchanges, submissions);
  yield* observeRepeatedQuote(exchanges, submissions);
  yield* observeLongestValidity(exchanges, submissions);
}

const orderOf = (exchanges: Exchanges, submission: Exchange) =>
  ordersIn(exchanges).get(submission.params.intent_id ?? '')?.[0];

const validUntil = (submission: Exchange): number =>
  Date.parse(textOf(sentBody(submission), 'valid_until') ?? '');

/** Bounds of validity that are told apart, in milliseconds. */
const bounds = [
  { answer: '2s', mostMs: 2_500 },
  { answer: '5.5s', mostMs: 6_000 },
  { answer: '7.5s', mostMs: 8_000 },
  { answer: '10s', mostMs: 12_000 },
  { answer: '25s', mostMs: 30_000 },
] as const;

/** A quote that was refused, and taken with nothing but a shorter validity. */
function* observeLongestValidity(exchanges: Exchanges, submissions: Exchanges): Observations {
  const alike = (one: Exchange): string => {
    const { fx_rate, target_amount } = sentBody(one);
    return JSON.stringify([one.by, one.party, one.params.intent_id, fx_rate, target_amount]);
  };
  for (const tries of groupBy(submissions, alike).values()) {
    const step = tries.findIndex(succeeded);
    const [before, taken] = [tries.slice(0, Math.max(0, step)), tries[step]];
    if (!taken || before.length === 0) continue;
    // The target's own clock dates the moment when it took the quote; ours may differ by hours.
    const at = Date.parse(textOf(fieldsOf(taken), 'submitted_at') ?? '');
    const aheadMs = Number.isNaN(at) ? 0 : at - taken.sent;
    const lasts = (one: Exchange): number => validUntil(one) - one.sent - aheadMs;
    // A quote that outlives its order may be refused for that (gap `quote.beyond_expiry`).
    const expires = Date.parse(textOf(orderOf(exchanges, taken)?.order, 'expires_at') ?? '');
    if (before.some((one) => validUntil(one) > expires)) continue;
    // If an equally short quote was refused, it was for another reason that has passed since.
    if (!before.every((one) => lasts(one) > 1.2 * lasts(taken))) continue;
    const bound = bounds.find(({ mostMs }) => lasts(taken) > 0 && lasts(taken) <= mostMs);
    if (bound) yield observed('quote.max_validity', bound.answer, [...before, taken]);
  }
}

/** Gap answers of each submission. A refusal counts only if nothing else about the quote can be its reason. */
function* observeSubmissions(exchanges: Exchanges, submissions: Exchanges): Observations {
  const accepted = new Map(
    callsTo(exchanges, 'quote.accept')
      .filter(succeeded)
      .map((one) => [one.params.intent_id, one]),
  );
  const lasts = (one: Exchange): number => validUntil(one) - one.sent;
  const longest = Math.max(0, ...submissions.filter(succeeded).map(lasts));
  const quoted = new Set<string>();
  for (const exchange of submissions) {
    const { intent_id: id } = exchange.params;
    // A second quote of one maker may be refused for being the second.
    const key = `${exchange.party} ${id}`;
    if (quoted.has(key)) continue;
    if (succeeded(exchange)) quoted.add(key);
    const order = orderOf(exchanges, exchange);
    const acceptance = accepted.get(id);
    // A quote that lasts far longer than all taken ones may be refused for that (gap `quote.max_validity`).
    const tooLong = isDenied(exchange) && lasts(exchange) > 2 * longest + 60_000;
    if (order) yield* observeSubmission(exchange, order, acceptance, tooLong);
  }
}

function* observeSubmission(
  exchange: Exchange,
  born: OrderSnapshot,
  acceptance: Exchange | undefined,
  tooLong: boolean,
): Observations {
  const { order } = born;
  const { fx_rate: rate, target_amount: amount, valid_until } = sentBody(exchange);
  if (born.exchange.endpoint !== 'order.create' || order['status'] !== 'PENDING') return;
  if (!hasForm('timestamp', valid_until)) return;
  // The target's own clock dates the creation of the order; ours may differ by hours.
  const aheadMs = Date.parse(shownText(order['created_at'])) - born.exchange.sent;
  const [sent, received] = [exchange.sent + aheadMs, exchange.received + aheadMs];
  const expires = Date.parse(shownText(order['expires_at']));
  const until = validUntil(exchange);
  if (isDenied(exchange) && received >= expires) return;
  const isWhole = equalNumbers(amount, order['target_amount']);
  const atPar = equalNumbers(rate, '1') === true;
  const [cost, most] = [parseDecimal(amount), parseDecimal(order['source_amount_max'])];
  const answer = (taken: string): string => (succeeded(exchange) ? taken : 'refuse');
  if (acceptance && follows(exchange, acceptance) && isWhole && exchange.party !== acceptance.party)
    yield observed('quote.late', answer('taken'), [exchange]);
  else if (until < sent - 60_000 && isWhole)
    yield observed('quote.past_validity', answer('expired'), [exchange]);
  else if (atPar && isWhole && cost && most && compare(cost, most) > 0 && isDenied(exchange))
    yield observed('quote.above_max', 'refuse-submit', [exchange]);
  else if (atPar && isWhole === false && until <= expires && until > received)
    yield observed('quote.amount_match', succeeded(exchange) ? 'any' : 'equal', [exchange]);
  else if (until > expires + 1_000 && isWhole && atPar && !tooLong) {
    const kept = Date.parse(shownText(fieldsOf(exchange)['valid_until'])) === until;
    yield observed('quote.beyond_expiry', answer(kept ? 'allow' : "shortened to the order's"), [
      exchange,
    ]);
  }
}

/** True if every acceptance or cancel of the order was refused, or came after the answer to this quote. */
const isOpenUntil = (exchanges: Exchanges, quote: Exchange): boolean =>
  (['quote.accept', 'order.cancel'] as const)
    .flatMap((name) => callsAbout(exchanges, name, quote.params.intent_id))
    .every((one) => isDenied(one) || follows(one, quote));

/** A quote that one maker submits twice. */
function* observeRepeatedQuote(exchanges: Exchanges, submissions: Exchanges): Observations {
  const bodyOf = ({ request }: Exchange): string => JSON.stringify(request.body);
  const idOf = (one: Exchange): unknown => fieldsOf(one)['quote_id'];
  const ofMaker = groupBy(submissions, ({ party, params }) => `${party} ${params.intent_id}`);
  for (const own of ofMaker.values()) {
    const first = own.find(succeeded);
    const second = first && own.find((one) => follows(one, first) && bodyOf(one) === bodyOf(first));
    if (!second) continue;
    if (isDenied(second)) {
      if (isOpenUntil(exchanges, second)) yield observed('quote.twice', 'refuse', [first, second]);
      continue;
    }
    const list = callsAbout(exchanges, 'rfq.quotes', first.params.intent_id).find(
      (one) => one.party === first.party && follows(one, second) && isWholeList(one),
    );
    const listed = list ? itemsOf(list).filter(({ status }) => status === 'PENDING') : [];
    const isListed = (one: Exchange): boolean =>
      listed.some((quote) => quote['quote_id'] === idOf(one));
    // A list without the second quote may lag, so it shows nothing about the first.
    if (list && isListed(second))
      yield observed('quote.twice', isListed(first) ? 'allow' : 'replace', [first, second, list]);
  }
}

/** The one orientation in which amounts agree; undefined if both or neither do. */
function orientationOf(rate: unknown, source: unknown, target: unknown): Orientation | undefined {
  const found = orientationsOf(rate, source, target) ?? [];
  return found.length === 1 ? found[0] : undefined;
}

/** Orientation, meaning and number format, from quotes as the order's side lists them. */
export function* observeAmounts(exchanges: Exchanges, submissions: Exchanges): Observations {
  const sent = new Map(
    submissions.map((one) => [textOf(fieldsOf(one), 'quote_id'), sentBody(one)['target_amount']]),
  );
  const orders = ordersIn(exchanges);
  const formats: (readonly [format: string, list: Exchange])[] = [];
  for (const list of callsTo(exchanges, 'order.quotes')) {
    for (const quote of itemsOf(list)) {
      const { fx_rate, source_amount: source, target_amount: target } = quote;
      const [rate, ...amounts] = [fx_rate, source, target].map(parseDecimal);
      const orientation = orientationOf(fx_rate, source, target);
      if (!rate || !orientation || rate.digits <= 0n || equalNumbers(fx_rate, '1')) continue;
      if (amounts.some((amount) => !amount || amount.digits <= 0n)) continue;
      yield observed('quote.rate_orientation', orientation, [list]);
      const asked = sent.get(textOf(quote, 'quote_id'));
      const meaning = equalNumbers(asked, target)
        ? 'target'
        : equalNumbers(asked, source) && 'source';
      if (!meaning) continue;
      yield observed('quote.target_amount', meaning, [list]);
      const order = orders.get(textOf(quote, 'intent_id') ?? '')?.[0]?.order;
      if (meaning === 'source' && equalNumbers(order?.['target_amount'], target)) continue;
      // The other amount is the one that was computed.
      const [side, given, shown] =
        meaning === 'source'
          ? (['target', source, target] as const)
          : (['source', target, source] as const);
      const format = formatOf(shownText(shown), { side, given, rate, orientation });
      if (format) formats.push([format, list]);
    }
  }
  const seen = new Set(formats.map(([format]) => format));
  const half = seen.has(halfUp) ? halfUp : 'minor-unit-half-even';
  for (const [format, list] of formats) {
    const named = format === halfUp && !seen.has(nearest) ? 'minor-unit-up' : format;
    yield observed('money.format', named === nearest ? half : named, [list]);
  }
}

/** Format of an amount half a unit above an even one that was rounded up. */
const halfUp = 'minor-unit-half-up';
/** Format of an amount that was rounded down to the nearest unit: how halves are rounded, it does not show. */
const nearest = 'minor-unit-nearest';

interface Computed {
  readonly side: Side;
  readonly given: unknown;
  readonly rate: ExactDecimal;
  readonly orientation: Orientation;
}

/** Decimals after which an endless quotient is cut. */
const endlessScale = 40;

/** Rounding and number format of a computed amount; undefined if its exact value does not show it. */
function formatOf(written: string, computed: Computed): string | undefined {
  const { side, rate, orientation } = computed;
  const [value, given] = [parseDecimal(written), parseDecimal(computed.given)];
  if (!value || !given) return undefined;
  const at = (scale: number) => counterAmount(side, given, rate, orientation, scale);
  const digits = value.scale;
  const needed = significantScale(at(endlessScale).cut);
  if (digits === 8 && needed !== 8) {
    // Ten decimals, of which the last two were zeros and are not written, look the same.
    const beyond = value.digits * 100n - at(10).cut.digits;
    const isEither = needed > 8 && (beyond === 0n || beyond === 1n);
    return isEither ? undefined : '8-decimals-zeros';
  }
  if (digits > 3 && needed < digits) return `${digits} decimals`;
  if (needed <= digits) return undefined;
  if (digits > 3)
    return digits === 9 || digits === 10 ? '10-decimals-trimmed' : `${digits} decimals`;
  const down = at(digits).cut.digits;
  const next = at(digits + 1);
  const isHalf = next.isExact && next.cut.digits % 10n === 5n;
  const roundsUp = isHalf ? down % 2n === 1n : next.cut.digits % 10n >= 5n;
  const isUp = value.digits === down + 1n;
  const isHalfEven = value.digits === (roundsUp ? down + 1n : down);
  if (isUp === isHalfEven) return undefined;
  if (isHalf) return isUp ? halfUp : 'minor-unit-half-even';
  return isUp ? 'minor-unit-up' : nearest;
}

/**
 * A quote with the counter amount of an order was taken, and one with the order's own amount was refused at the same
 * rate: so submitted amounts are in the source currency. Lists need not show this, since they may return both amounts
 * as they came.
 */
function* observeCounterAmounts(exchanges: Exchanges, submissions: Exchanges): Observations {
  const byOrder = groupBy(submissions, ({ params }) => params.intent_id);
  for (const exchange of submissions.filter(succeeded)) {
    const { intent_id: id = '' } = exchange.params;
    const { fx_rate, target_amount: given } = sentBody(exchange);
    const whole = ordersIn(exchanges).get(id)?.[0]?.order['target_amount'];
    const orientation = orientationOf(fx_rate, given, whole);
    const wholeRefused = byOrder.get(id)?.find((other) => {
      const body = sentBody(other);
      const alike = other.party === exchange.party && body['fx_rate'] === fx_rate;
      return alike && isDenied(other) && equalNumbers(body['target_amount'], whole);
    });
    if (!wholeRefused || !orientation) continue;
    yield observed('quote.target_amount', 'source', [wholeRefused, exchange]);
    yield observed('quote.rate_orientation', orientation, [wholeRefused, exchange]);
  }
}
