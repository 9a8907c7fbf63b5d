import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  amountsAgree,
  type Fields,
  matchesQuote,
  type PlacedOrder,
  type PlacedQuote,
  type ReachedState,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { compare, parseDecimal } from '../../src/protocol/decimal.ts';
import { acceptanceFields, type Accepter, isSet, stateOf } from './order-calls.ts';

export interface Deal {
  readonly order: PlacedOrder;
  readonly quote: PlacedQuote;
  readonly acceptedBy: Accepter;
}

/** Judges that an order shows the terms of the quote that was accepted. */
export function assertAcceptedTerms(
  t: CheckContext,
  { quote: placed, order }: Pick<Deal, 'quote' | 'order'>,
  { data, exchange }: Pick<ReachedState, 'data' | 'exchange'>,
): void {
  const seen = [exchange];
  const missing = acceptanceFields.filter((name) => !isSet(data, name));
  t.assert('order.accepted.sets-quote-fields', missing.length === 0, {
    message: `An order in ${stateOf(data) ?? 'no state'} lacked ${missing.join(', ')}.`,
    seen,
  });
  if (isSet(data, 'quote_id')) {
    t.assert('order.quote-id.names-accepted-quote', matchesQuote(placed)(data), {
      message: 'The order named another quote than the accepted one.',
      expected: placed.quoteId,
      actual: data['quote_id'],
      seen,
    });
  }
  if (isSet(data, 'market_maker_party_id')) {
    const { partyId } = t.party(placed.maker);
    t.assert('order.market-maker-party-id.is-winner', data['market_maker_party_id'] === partyId, {
      message: 'The order named another maker than the one whose quote was accepted.',
      expected: partyId,
      actual: data['market_maker_party_id'],
      seen,
    });
  }
  assertRate(t, placed, data, exchange);
  assertAmount(t, order, placed, data, exchange);
}

function assertRate(
  t: CheckContext,
  { sent }: PlacedQuote,
  data: Fields,
  exchange: Exchange,
): void {
  const [wanted, found] = [parseDecimal(sent['fx_rate']), parseDecimal(data['fx_rate'])];
  if (!wanted || !found) return;
  t.assert('order.fx-rate.of-accepted-quote', compare(wanted, found) === 0, {
    message: 'The order showed another rate than that of the accepted quote.',
    expected: sent['fx_rate'],
    actual: data['fx_rate'],
    seen: [exchange],
  });
}

/** Quotes here are for the whole of their orders, so that the order's own amounts must agree with the rate. */
function assertAmount(
  t: CheckContext,
  order: PlacedOrder,
  { sent }: PlacedQuote,
  data: Fields,
  exchange: Exchange,
): void {
  const target = order.sent['target_amount'];
  const { answers } = t.target;
  // Which amount was submitted is then anyone's guess.
  if (sent['fx_rate'] !== '1' && answers.get('quote.target_amount') === undefined) return;
  const agree = amountsAgree(data['fx_rate'], data['source_amount_actual'], target);
  if (agree === undefined) return;
  t.assert('order.source-amount-actual.agrees-with-rate', agree, {
    message:
      'What is paid, the rate and the target amount of an order agreed in neither orientation.',
    actual: { source: data['source_amount_actual'], target, fx_rate: data['fx_rate'] },
    seen: [exchange],
  });
}
