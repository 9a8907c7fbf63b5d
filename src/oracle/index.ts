import {
  badTokenRefused,
  expiredTokenGives401,
  wrongRoleRefused,
} from './rules/auth/unauthorised-requests-refused.ts';
import {
  listHoldsOwnOrdersOnly,
  makerSeesOwnQuotesOnly,
  makerSeesWonSettlementsOnly,
} from './rules/auth/lists-hold-own-items-only.ts';
import { orderAccess } from './rules/auth/order-access.ts';
import { readsMustBeGranted } from './rules/auth/read-must-be-granted.ts';
import {
  tokenClaims,
  tokenResultAgreesWithClaims,
  whoamiNamesTokenParty,
} from './rules/auth/tokens-and-their-claims.ts';
import { tokenLastsUntilExpiry, tokenIssuedAgain } from './rules/auth/token-issue-and-lifetime.ts';
import {
  creationsAnnounced,
  requestExpiryAnnounced,
  requestsAnnounced,
} from './rules/events/quote-requests.ts';
import { eventPayloads, streamFilter, makerEventOrder } from './rules/events/frames-of-a-stream.ts';
import { heartbeatInterval } from './rules/events/heartbeats-every-30-seconds.ts';
import {
  orderUpdatesToParties,
  orderUpdatesInOrder,
  orderUpdatesAgree,
  orderUpdatesSent,
} from './rules/events/order-updated.ts';
import {
  quotesToSenderSide,
  quoteEventsCorrect,
  quoteEventsCaused,
  quotesAnnounced,
} from './rules/events/quote-received.ts';
import {
  refusalsSendNoEvent,
  refusedCreationsUnannounced,
} from './rules/events/refusal-sends-no-event.ts';
import {
  selectionsAnnounced,
  selectionsToMakersConcerned,
  selectionEventsOnce,
  selectionEventsCorrect,
  selectionEventsCaused,
} from './rules/events/selection-events.ts';
import { settlementsAnnounced, completionsOfSettled } from './rules/events/settlement-completed.ts';
import {
  filteredStreamsMustBeGranted,
  streamsMustBeGranted,
} from './rules/events/stream-must-be-granted.ts';
import { streamOutlivesEvents, streamStaysOpen } from './rules/events/streams-stay-open.ts';
import {
  closedRequestsLeaveTheList,
  settlementsAreOfSettledOrders,
  statusFilterHoldsOneStatus,
} from './rules/lists/lists-hold-nothing-else.ts';
import {
  countedPagesReadable,
  pagesNeitherRepeatNorSkipItems,
  pageSizesShowTheSame,
} from './rules/lists/pages-neither-repeat-nor-skip-items.ts';
import {
  ordersAreListed,
  quotesAreListed,
  requestsAreListed,
  settlementsAreListed,
} from './rules/lists/items-are-listed.ts';
import {
  pagesMatchTheirPagination,
  totalItemsCountsTheList,
} from './rules/lists/pagination-counts.ts';
import {
  readsAnswerWhatWasAsked,
  readsStayReadable,
  listsAgreeWithReads,
  custodianSeesTheSame,
} from './rules/lists/reads-agree.ts';
import { acceptedDeadlines, orderDeadlines, quoteDeadlines } from './rules/orders/deadlines.ts';
import {
  acceptedQuoteShown,
  orderEcho,
  rfqEcho,
  settlementEcho,
} from './rules/orders/echoed-fields.ts';
import {
  cancelEndsOrder,
  cancelsMustBeGranted,
  cancelTooLate,
  cancelShowsReason,
} from './rules/orders/cancels.ts';
import {
  creationsMustBeGranted,
  newOrderIsPending,
  refusedCreations,
} from './rules/orders/creations.ts';
import {
  failureReasonApplies,
  failureReasonShown,
  failureReasonFits,
} from './rules/orders/failure-reason.ts';
import { acceptanceFieldsSet, settlementFieldsSet } from './rules/orders/fields-set-by-state.ts';
import {
  orderImmutable,
  quoteImmutable,
  settlementImmutable,
} from './rules/orders/immutable-fields.ts';
import { refusedRequestsChangeNothing } from './rules/orders/refused-request-changes-nothing.ts';
import { withinMaximum } from './rules/orders/source-amount-within-maximum.ts';
import { orderTransitions } from './rules/orders/state-transitions.ts';
import { timestampsMatchCalls } from './rules/orders/timestamps-match-calls.ts';
import {
  requestHidesOrderDetails,
  senderHiddenBesideOrders,
  senderHiddenFromMakers,
  statsHideSenders,
} from './rules/privacy/sender-hidden-from-makers.ts';
import { sendersIndistinguishable } from './rules/privacy/senders-indistinguishable.ts';
import {
  acceptanceNeeded,
  acceptanceMakesQuoted,
  acceptances,
  lateAcceptances,
} from './rules/quotes/acceptances.ts';
import { rates } from './rules/quotes/amounts-and-rates.ts';
import { quoteEcho } from './rules/quotes/echoed-terms.ts';
import { quotesMustBeGranted } from './rules/quotes/must-be-granted.ts';
import { atMostOneAccepted, quoteSelection } from './rules/quotes/selection.ts';
import { refusedQuotesUnlisted, submission } from './rules/quotes/submissions.ts';
import { quoteTransitions } from './rules/quotes/state-transitions.ts';
import {
  acceptedOrderSettles,
  failedSettlementRollsBack,
  settlementDuration,
} from './rules/settlements/settlements.ts';
import {
  bodyTypes,
  streamMessages,
  resultEnvelope,
  paginationFields,
  meta,
} from './rules/wire/envelope.ts';
import {
  operationsReturnTheirResults,
  custodianAnswerAgrees,
  acceptanceNeedsNoBody,
  serviceAssignedIds,
  eachQuoteItsOwnId,
} from './rules/wire/operation-results.ts';
import { refusalBodies, refusalCodes, refusalStatus } from './rules/wire/refusals.ts';
import { fieldRules, timestampPrecision, valueFormats } from './rules/wire/forms.ts';
import type { Rule } from './rule.ts';

export type { Finding } from '../results/findings.ts';
export type { Rule } from './rule.ts';
export { type HistoryView, type OracleContext, viewOf } from './trace/history-view.ts';

/** Every rule, in the order of the document's parts. All of them judge all histories. */
export const allRules: readonly Rule[] = [
  // preface, conventions, part 1
  bodyTypes,
  refusalBodies,
  valueFormats,
  timestampPrecision,
  wrongRoleRefused,
  orderAccess,
  listHoldsOwnOrdersOnly,
  makerSeesOwnQuotesOnly,
  makerSeesWonSettlementsOnly,
  // part 2
  resultEnvelope,
  meta,
  paginationFields,
  pagesMatchTheirPagination,
  totalItemsCountsTheList,
  ...fieldRules,
  acceptanceFieldsSet,
  settlementFieldsSet,
  orderImmutable,
  quoteImmutable,
  settlementImmutable,
  orderEcho,
  quoteEcho,
  rfqEcho,
  settlementEcho,
  acceptedQuoteShown,
  rates,
  withinMaximum,
  timestampsMatchCalls,
  settlementDuration,
  failureReasonShown,
  failureReasonFits,
  failureReasonApplies,
  cancelShowsReason,
  senderHiddenFromMakers,
  requestHidesOrderDetails,
  statsHideSenders,
  sendersIndistinguishable,
  senderHiddenBesideOrders,
  // part 3
  newOrderIsPending,
  orderTransitions,
  acceptanceNeeded,
  acceptanceMakesQuoted,
  acceptances,
  cancelEndsOrder,
  cancelTooLate,
  orderDeadlines,
  acceptedDeadlines,
  submission,
  quoteTransitions,
  atMostOneAccepted,
  quoteSelection,
  acceptedOrderSettles,
  failedSettlementRollsBack,
  quoteDeadlines,
  lateAcceptances,
  quotesMustBeGranted,
  cancelsMustBeGranted,
  creationsMustBeGranted,
  readsMustBeGranted,
  filteredStreamsMustBeGranted,
  streamsMustBeGranted,
  // part 4
  operationsReturnTheirResults,
  custodianAnswerAgrees,
  acceptanceNeedsNoBody,
  serviceAssignedIds,
  eachQuoteItsOwnId,
  pagesNeitherRepeatNorSkipItems,
  pageSizesShowTheSame,
  countedPagesReadable,
  statusFilterHoldsOneStatus,
  ordersAreListed,
  quotesAreListed,
  requestsAreListed,
  settlementsAreListed,
  readsAnswerWhatWasAsked,
  readsStayReadable,
  closedRequestsLeaveTheList,
  settlementsAreOfSettledOrders,
  listsAgreeWithReads,
  custodianSeesTheSame,
  // part 5
  badTokenRefused,
  expiredTokenGives401,
  tokenIssuedAgain,
  tokenLastsUntilExpiry,
  tokenClaims,
  tokenResultAgreesWithClaims,
  whoamiNamesTokenParty,
  // part 6
  streamMessages,
  eventPayloads,
  streamFilter,
  heartbeatInterval,
  streamStaysOpen,
  streamOutlivesEvents,
  orderUpdatesSent,
  orderUpdatesToParties,
  orderUpdatesInOrder,
  orderUpdatesAgree,
  creationsAnnounced,
  quotesAnnounced,
  quotesToSenderSide,
  quoteEventsCorrect,
  quoteEventsCaused,
  requestsAnnounced,
  requestExpiryAnnounced,
  selectionsAnnounced,
  selectionsToMakersConcerned,
  selectionEventsOnce,
  selectionEventsCorrect,
  selectionEventsCaused,
  settlementsAnnounced,
  completionsOfSettled,
  makerEventOrder,
  // part 7
  refusalStatus,
  refusalCodes,
  refusedRequestsChangeNothing,
  refusalsSendNoEvent,
  refusedCreationsUnannounced,
  refusedCreations,
  refusedQuotesUnlisted,
];
