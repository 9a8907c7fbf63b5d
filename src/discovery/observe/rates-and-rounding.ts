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
  equalNumbers,
  type ExactDecimal,
  parseDecimal,
  significantScale,
} from '../../protocol/decimal.ts';
import {
  counterAmount,
  type Orientation,
  orientationsOf,
  type Side,
} from '../../protocol/rate-orientation.ts';
import { callsTo, ordersIn } from './exchange-index.ts';
import { type Observations, observed } from './observation.ts';

type Exchanges = readonly Exchange[];

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
      if (format) yield observed('money.format', format, [list]);
    }
  }
}

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
  return isUp ? 'minor-unit-up' : 'minor-unit-half-even';
}

/**
 * A quote with the counter amount of an order was taken, and one with the order's own amount was refused at the same
 * rate: so submitted amounts are in the source currency. Lists need not show this, since they may return both amounts
 * as they came.
 */
export function* observeCounterAmounts(exchanges: Exchanges, submissions: Exchanges): Observations {
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
