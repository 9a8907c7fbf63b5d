import type { Check } from '../../src/conformance/check.ts';
import { acceptDeadlineChecks } from './accept-deadlines.ts';
import { acceptChecks } from './accept.ts';
import { cancelLateChecks } from './cancel-late.ts';
import { timelyCancelChecks } from './cancel-timely.ts';
import { cancelChecks } from './cancel.ts';
import { endChecks } from './ends.ts';
import { expiryChecks } from './expiry.ts';
import { failureChecks } from './failure.ts';
import { lifeChecks } from './life.ts';
import { moneyChecks } from './money.ts';
import { outlivingChecks } from './outlives.ts';
import { proposalChecks } from './proposal.ts';
import { quoteAnewChecks } from './quote-anew.ts';
import { quoteExpiryChecks } from './quote-expiry.ts';
import { quotedExpiryChecks } from './quoted-expiry.ts';
import { raceDeadlineChecks } from './race-deadlines.ts';
import { raceChecks } from './races.ts';
import { selectChecks } from './select.ts';
import { togetherChecks } from './together.ts';
import { twoOfOneMakerChecks } from './two-of-one-maker.ts';
import { viewChecks } from './views.ts';

/** Part 3, and what of part 2 takes a driven situation: the ways of orders and quotes. */
export const stateChecks: readonly Check[] = [
  ...lifeChecks,
  ...moneyChecks,
  ...proposalChecks,
  ...acceptChecks,
  ...acceptDeadlineChecks,
  ...selectChecks,
  ...cancelChecks,
  ...timelyCancelChecks,
  ...cancelLateChecks,
  ...expiryChecks,
  ...outlivingChecks,
  ...quoteExpiryChecks,
  ...quoteAnewChecks,
  ...twoOfOneMakerChecks,
  ...quotedExpiryChecks,
  ...raceChecks,
  ...raceDeadlineChecks,
  ...togetherChecks,
  ...failureChecks,
  ...viewChecks,
  ...endChecks,
];
