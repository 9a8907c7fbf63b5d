import type { Trial } from '../../src/conformance/check.ts';
import {
  amountsAgree,
  type Fields,
  isQuote,
  type PlacedOrder,
  type PlacedQuote,
  type Reached,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { compare, exact } from '../../src/rules/exact.ts';
import { acceptanceFields, type Accepter, isSet, stateOf } from './words.ts';

export interface Deal {
  readonly order: PlacedOrder;
  readonly quote: PlacedQuote;
  readonly acceptedBy: Accepter;
}

/** Judges that an order shows the terms of the quote that was accepted. */
export function judgeTerms(
  trial: Trial,
  { quote: placed, order }: Pick<Deal, 'quote' | 'order'>,
  { data, exchange }: Pick<Reached, 'data' | 'exchange'>,
): void {
  const seen = [exchange];
  const missing = acceptanceFields.filter((name) => !isSet(data, name));
  trial.judge('order.accepted.sets-quote-fields', missing.length === 0, {
    message: `An order in ${stateOf(data) ?? 'no state'} lacked ${missing.join(', ')}.`,
    seen,
  });
  if (isSet(data, 'quote_id')) {
    trial.judge('order.quote-id.names-accepted-quote', isQuote(placed)(data), {
      message: 'The order named another quote than the accepted one.',
      expected: placed.quoteId,
      actual: data['quote_id'],
      seen,
    });
  }
  if (isSet(data, 'market_maker_party_id')) {
    const { partyId } = trial.party(placed.maker);
    trial.judge(
      'order.market-maker-party-id.is-winner',
      data['market_maker_party_id'] === partyId,
      {
        message: 'The order named another maker than the one whose quote was accepted.',
        expected: partyId,
        actual: data['market_maker_party_id'],
        seen,
      },
    );
  }
  judgeRate(trial, placed, data, exchange);
  judgeAmount(trial, order, placed, data, exchange);
}

function judgeRate(trial: Trial, { sent }: PlacedQuote, data: Fields, exchange: Exchange): void {
  const [wanted, found] = [exact(sent['fx_rate']), exact(data['fx_rate'])];
  if (!wanted || !found) return;
  trial.judge('order.fx-rate.of-accepted-quote', compare(wanted, found) === 0, {
    message: 'The order showed another rate than that of the accepted quote.',
    expected: sent['fx_rate'],
    actual: data['fx_rate'],
    seen: [exchange],
  });
}

/** Quotes here are for the whole of their orders, so that the order's own amounts must agree with the rate. */
function judgeAmount(
  trial: Trial,
  order: PlacedOrder,
  { sent }: PlacedQuote,
  data: Fields,
  exchange: Exchange,
): void {
  const target = order.sent['target_amount'];
  const { answers } = trial.target;
  // Which amount was submitted is then anyone's guess.
  if (sent['fx_rate'] !== '1' && answers.get('quote.target_amount') === undefined) return;
  const agree = amountsAgree(data['fx_rate'], data['source_amount_actual'], target);
  if (agree === undefined) return;
  trial.judge('order.source-amount-actual.agrees-with-rate', agree, {
    message:
      'What is paid, the rate and the target amount of an order agreed in neither orientation.',
    actual: { source: data['source_amount_actual'], target, fx_rate: data['fx_rate'] },
    seen: [exchange],
  });
}
