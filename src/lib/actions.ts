/**
 * Actions to write your own checks with. An action ends the check as "not exercised" if it cannot bring about the state
 * that it needs. No action judges a target, except those under "refusals".
 */
export {
  dataOf,
  type Fields,
  fieldsOf,
  isRefusal,
  itemsOf,
  sameId,
  succeeded,
  textOf,
} from '../protocol/answers.ts';
export {
  awaitEvent,
  awaitStatus,
  awaitNoEvent,
  type ReachedState,
} from '../suite/actions/await-state-or-event.ts';
export { findInList } from '../suite/actions/find-in-list.ts';
export { walkAllPages, type ListQuery, type PageWalk } from '../suite/actions/page-walk.ts';
export { isBefore, targetNow, targetTime, untilPast } from '../suite/actions/context.ts';
export { amountsAgree } from '../protocol/rate-orientation.ts';
export {
  cancel,
  createOrder,
  type CreateOptions,
  orderBody,
  type OrderRef,
  paramsOf,
  type PlacedOrder,
  readOrder,
  untilExpired,
} from '../suite/actions/orders.ts';
export {
  accept,
  type AcceptedOrder,
  acceptedOrder,
  type TradeOptions,
  type PlacedQuote,
  quote,
  quoteBody,
  type QuotedOrder,
  quotedOrder,
  type QuoteOptions,
  type SettledOrder,
  settledOrder,
} from '../suite/actions/quotes.ts';
// Refusals: these judge the requirement that they are given.
export {
  assertAllowed,
  assertRefused,
  assertRefusedWithControl,
  type ControlledRefusal,
} from '../suite/actions/refusal-assertions.ts';
export type { Check, Evidence, CheckContext } from '../suite/engine/check.ts';
export type { CastName, RequirementId } from '../spec/requirements/index.ts';
