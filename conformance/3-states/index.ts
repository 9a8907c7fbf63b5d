import type { Check } from '../../src/suite/engine/check.ts';
import { acceptDeadlineChecks } from './acceptance/expired-quote-refused.ts';
import { acceptChecks } from './acceptance/second-acceptance-refused.ts';
import { cancelRefusedChecks } from './cancel/cancel-refused-once-executing.ts';
import { cancelWhileQuotedChecks } from './cancel/cancel-while-quoted.ts';
import { cancelPendingChecks } from './cancel/cancel-pending.ts';
import { endedOrderChecks } from './settlement/ended-order-stays-listed.ts';
import { distanceChecks } from './expiry/distances.ts';
import { orderExpiryChecks } from './expiry/order-expiry.ts';
import { failedSettlementChecks } from './settlement/failed-settlement.ts';
import { orderLifeChecks } from './settlement/order-to-settlement.ts';
import { rateAndAmountChecks } from './settlement/rates-and-amounts.ts';
import { quoteOutlivesOrderChecks } from './expiry/quote-outlives-order.ts';
import { proposalChecks } from './acceptance/proposal-acceptance.ts';
import { quoteAgainChecks } from './expiry/quote-again-after-expiry.ts';
import { quoteExpiryChecks } from './expiry/quote-expiry.ts';
import { acceptedQuoteExpiryChecks } from './expiry/accepted-quote-expires.ts';
import { raceDeadlineChecks } from './acceptance/accept-racing-deadline.ts';
import { raceChecks } from './acceptance/concurrent-accept-and-cancel.ts';
import { selectChecks } from './acceptance/select-one-of-several.ts';
import { circumstanceChecks } from './circumstances/combined.ts';
import { oldOrderChecks } from './circumstances/old-orders.ts';
import { concurrentOrderChecks } from './acceptance/concurrent-orders.ts';
import { turnOfDayChecks } from './expiry/turn-of-day.ts';
import { twoOfOneMakerChecks } from './expiry/two-quotes-of-one-maker.ts';
import { sameStateChecks } from './settlement/custodians-see-same-state.ts';

/** Part 3, and the requirements of part 2 that need a driven situation: states of orders and quotes. */
export const stateChecks: readonly Check[] = [
  ...orderLifeChecks,
  ...rateAndAmountChecks,
  ...proposalChecks,
  ...acceptChecks,
  ...acceptDeadlineChecks,
  ...selectChecks,
  ...cancelPendingChecks,
  ...cancelWhileQuotedChecks,
  ...cancelRefusedChecks,
  ...orderExpiryChecks,
  ...quoteOutlivesOrderChecks,
  ...quoteExpiryChecks,
  ...quoteAgainChecks,
  ...turnOfDayChecks,
  ...distanceChecks,
  ...twoOfOneMakerChecks,
  ...acceptedQuoteExpiryChecks,
  ...raceChecks,
  ...raceDeadlineChecks,
  ...concurrentOrderChecks,
  ...failedSettlementChecks,
  ...sameStateChecks,
  ...endedOrderChecks,
  ...circumstanceChecks,
  ...oldOrderChecks,
];
