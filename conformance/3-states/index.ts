import type { Check } from '../../src/suite/engine/check.ts';
import { acceptDeadlineChecks, acceptChecks, raceDeadlineChecks } from './acceptance.ts';
import { cancelRefusedChecks, cancelWhileQuotedChecks, cancelPendingChecks } from './cancel.ts';
import { endedOrderChecks } from './ended-orders.ts';
import { failedSettlementChecks } from './endings.ts';
import { distanceChecks, oldOrderChecks } from './distances.ts';
import { orderExpiryChecks, quoteOutlivesOrderChecks, turnOfDayChecks } from './order-expiry.ts';
import { orderLifeChecks } from './settlement.ts';
import { rateAndAmountChecks } from './rates-and-amounts.ts';
import { proposalChecks, sameStateChecks } from './custodians.ts';
import { quoteAgainChecks, quoteExpiryChecks, acceptedQuoteExpiryChecks } from './quote-expiry.ts';
import { raceChecks, concurrentOrderChecks } from './races.ts';
import { selectChecks, twoOfOneMakerChecks } from './quote-selection.ts';
import { circumstanceChecks } from './circumstances.ts';

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
