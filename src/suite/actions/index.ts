/** Actions and assertions of checks. Assertions follow the document; a target's answer to a gap decides no verdict. */
export {
  dataOf,
  type Fields,
  fieldsOf,
  isObject,
  matchesOrder,
  matchesQuote,
  isRefusal,
  itemsOf,
  answerEvidence,
  describeExchange,
  sameId,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
export {
  awaitEvent,
  awaitStatus,
  awaitNoEvent,
  type ReachedState,
} from './await-state-or-event.ts';
export {
  changedAnywhere,
  publicKeyAsSecret,
  forged,
  forgeries,
  type ForgeryKind,
  malformed,
  noToken,
  decodeToken,
  type DecodedToken,
} from './token-forgery.ts';
export {
  retryWhileRefused,
  pollUntil,
  concurrently,
  assertOrInconclusive,
  type Interval,
  isBefore,
  liesWithin,
  targetNow,
  targetTime,
  untilPast,
  isByUndeclaredMaker,
} from './context.ts';
export { openLimitExcuse, proposalExcuseFor } from './excuses.ts';
export { firstAndLastPage, findInList, type FoundItem } from './find-in-list.ts';
export { walkAllPages, type ListQuery, type PageWalk } from './page-walk.ts';
export { paginationOf } from '../../protocol/pagination.ts';
export { compare, type ExactDecimal, parseDecimal } from '../../protocol/decimal.ts';
export { amountsAgree, type Orientation, orientationsOf } from '../../protocol/rate-orientation.ts';
export {
  cameFromBody,
  cancel,
  cancelOptions,
  createOrder,
  type CreateOptions,
  disturbedOrder,
  openForQuotes,
  orderBody,
  type OrderRef,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  readOrder,
  remainingMs,
  untilExpired,
} from './orders.ts';
export {
  accept,
  type AcceptedOrder,
  acceptedOrder,
  type TradeOptions,
  grantedUntil,
  modestValidityMs,
  type PlacedQuote,
  placedQuote,
  quote,
  quoteBody,
  type QuotedOrder,
  quotedOrder,
  type QuoteOptions,
  type SettledOrder,
  settledOrder,
} from './quotes.ts';
export { hasDefaultLifetime } from '../../protocol/token-lifetime.ts';
export {
  assertAllowed,
  assertRefused,
  assertRefusedGivenControl,
  assertNoServerFault,
  assertRefusedWithControl,
  type ControlledRefusal,
} from './refusal-assertions.ts';
