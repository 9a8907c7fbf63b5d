/** The words that checks are written in. What they judge, they judge from the document; a gap decides nothing. */
export {
  dataOf,
  type Fields,
  fieldsOf,
  isFields,
  isOrder,
  isQuote,
  isRefusal,
  itemsOf,
  outcomeOf,
  said,
  sameId,
  succeeded,
  textOf,
} from './answers.ts';
export { awaitEvent, awaitStatus, neverEvent, type Reached } from './awaiting.ts';
export {
  confused,
  forged,
  forgeries,
  type Forgery,
  malformed,
  noToken,
  tokenParts,
  type TokenParts,
} from './forgery.ts';
export { insist, lookUntil } from './insist.ts';
export { crowdedOut } from './room.ts';
export {
  endsOfList,
  findInList,
  type Found,
  listAll,
  type ListQuery,
  paginationOf,
  type Walk,
} from './lists.ts';
export {
  decide,
  type Interval,
  isBefore,
  liesWithin,
  targetNow,
  targetTime,
  untilPast,
} from './moments.ts';
export { compare, type Exact, exact } from '../../rules/exact.ts';
export { amountsAgree, type Orientation, orientationsOf } from './money.ts';
export {
  cameOf,
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
  type FlowOptions,
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
export { lastsByDefault } from '../../rules/token-life.ts';
export { isOfStranger } from './strangers.ts';
export {
  allowed,
  refused,
  refusedBeside,
  servedOrRefused,
  twin,
  type Twins,
  unchanged,
  saysNothing,
} from './refusals.ts';
export { mayBeUnopened } from './unopened.ts';
