import { requestHidesOrderDetails } from './rules/privacy/request-hides-order-details.ts';
import { senderHiddenBesideOrders } from './rules/privacy/sender-hidden-beside-orders.ts';
import { senderHiddenFromMakers } from './rules/privacy/sender-hidden-from-makers.ts';
import { statsHideSenders } from './rules/privacy/stats-hide-senders.ts';
import { badTokenRefused } from './rules/auth/bad-token-refused.ts';
import { expiredTokenGives401 } from './rules/auth/expired-token-gives-401.ts';
import { listHoldsOwnOrdersOnly } from './rules/auth/list-holds-own-orders-only.ts';
import { makerSeesOwnQuotesOnly } from './rules/auth/maker-sees-own-quotes-only.ts';
import { makerSeesWonSettlementsOnly } from './rules/auth/maker-sees-won-settlements-only.ts';
import { orderAccess } from './rules/auth/order-access.ts';
import { wrongRoleRefused } from './rules/auth/wrong-role-refused.ts';
import {
  custodianSeesTheSame,
  listsAgreeWithReads,
} from './rules/lists/same-item-in-two-places.ts';
import {
  acceptanceNeedsNoBody,
  custodianAnswerAgrees,
  operationsReturnTheirResults,
} from './rules/wire/operation-results.ts';
import {
  orderImmutable,
  quoteImmutable,
  settlementImmutable,
} from './rules/orders/immutable-fields.ts';
import { valueFormats } from './rules/wire/value-formats.ts';
import { timestampPrecision } from './rules/wire/timestamp-precision.ts';
import {
  acceptedDeadlines,
  lateAcceptances,
  orderDeadlines,
  quoteDeadlines,
} from './rules/orders/expiry-deadlines.ts';
import { orderEcho, quoteEcho, rfqEcho, settlementEcho } from './rules/orders/echoed-fields.ts';
import { resultEnvelope, paginationFields } from './rules/wire/envelope.ts';
import { meta } from './rules/wire/meta.ts';
import { eachQuoteItsOwnId, serviceAssignedIds } from './rules/wire/service-assigned-ids.ts';
import { fieldRules } from './rules/wire/resource-fields.ts';
import { closedRequestsLeaveTheList } from './rules/lists/closed-requests-leave-the-list.ts';
import { ordersAreListed } from './rules/lists/orders-are-listed.ts';
import { quotesAreListed } from './rules/lists/quotes-are-listed.ts';
import {
  readsAnswerWhatWasAsked,
  readsStayReadable,
} from './rules/lists/reads-answer-what-was-asked.ts';
import { requestsAreListed } from './rules/lists/requests-are-listed.ts';
import { settlementsAreListed } from './rules/lists/settlements-are-listed.ts';
import { settlementsAreOfSettledOrders } from './rules/lists/settlements-are-of-settled-orders.ts';
import { statusFilterHoldsOneStatus } from './rules/lists/status-filter-holds-one-status.ts';
import { quotesMustBeGranted } from './rules/quotes/must-be-granted.ts';
import { cancelsMustBeGranted } from './rules/orders/cancel-must-be-granted.ts';
import {
  streamsMustBeGranted,
  filteredStreamsMustBeGranted,
} from './rules/events/stream-must-be-granted.ts';
import { readsMustBeGranted } from './rules/auth/read-must-be-granted.ts';
import { requestExpiryAnnounced } from './rules/events/quote-request-expired.ts';
import { requestsAnnounced } from './rules/events/quote-request-new.ts';
import { selectionsAnnounced } from './rules/events/selection-announced.ts';
import {
  selectionEventsCaused,
  selectionEventsCorrect,
  selectionEventsOnce,
  selectionsToMakersConcerned,
} from './rules/events/selection-events-correct.ts';
import { completionsOfSettled, settlementsAnnounced } from './rules/events/settlement-completed.ts';
import { acceptanceFieldsSet, settlementFieldsSet } from './rules/orders/fields-set-by-state.ts';
import { acceptedQuoteShown, withinMaximum, rates } from './rules/quotes/amounts-and-rates.ts';
import { makerEventOrder } from './rules/events/maker-events-in-order.ts';
import { creationsAnnounced } from './rules/events/creations-announced.ts';
import { orderUpdatesSent } from './rules/events/order-updated-sent.ts';
import {
  orderUpdatesAgree,
  orderUpdatesInOrder,
  orderUpdatesToParties,
} from './rules/events/order-updated-correct.ts';
import { countedPagesReadable } from './rules/lists/counted-page-is-readable.ts';
import { pagesMatchTheirPagination } from './rules/lists/pages-match-their-pagination.ts';
import { quotesAnnounced } from './rules/events/quote-received-sent.ts';
import {
  quoteEventsCaused,
  quoteEventsCorrect,
  quotesToSenderSide,
} from './rules/events/quote-received-correct.ts';
import {
  atMostOneAccepted,
  quoteTransitions,
  quoteSelection,
  submission,
} from './rules/quotes/state-transitions.ts';
import { failureReasonFits } from './rules/orders/failure-reason.ts';
import { refusedQuotesUnlisted } from './rules/quotes/refused-quote-is-unlisted.ts';
import type { Rule } from './rule.ts';
import { settlementDuration, timestampsMatchCalls } from './rules/orders/timestamps-match-calls.ts';
import { acceptanceNeeded, acceptances } from './rules/quotes/accept-only-pending.ts';
import { cancels } from './rules/orders/cancel-refused-while-executing.ts';
import { newOrderIsPending, orderTransitions } from './rules/orders/state-transitions.ts';
import { streamOutlivesEvents, streamStaysOpen } from './rules/events/stream-stays-open.ts';
import { eventPayloads } from './rules/events/events-carry-named-fields.ts';
import { heartbeatInterval } from './rules/events/heartbeats-every-30-seconds.ts';
import { streamFilter } from './rules/events/limited-stream-only-its-order.ts';
import {
  refusalsSendNoEvent,
  refusedCreationsUnannounced,
} from './rules/events/refusal-sends-no-event.ts';
import { tokenClaims } from './rules/auth/token-claims.ts';
import { tokenIssuedAgain } from './rules/auth/token-issued-again.ts';
import { tokenResultAgreesWithClaims } from './rules/auth/token-result-agrees-with-claims.ts';
import { whoamiNamesTokenParty } from './rules/auth/whoami-names-token-party.ts';
import { refusedCreations } from './rules/orders/refused-creation-makes-no-order.ts';
import {
  pageSizesShowTheSame,
  pagesNeitherRepeatNorSkipItems,
} from './rules/lists/pages-neither-repeat-nor-skip-items.ts';
import { totalItemsCountsTheList } from './rules/lists/total-items-counts-the-list.ts';
import { refusedRequestsChangeNothing } from './rules/orders/refused-request-changes-nothing.ts';
import { bodyTypes, streamMessages, refusalStatus } from './rules/wire/body-types.ts';

export type { Finding } from '../results/findings.ts';
export type { Rule } from './rule.ts';
export { type HistoryView, type OracleContext, viewOf } from './trace/history-view.ts';

/** Every rule, in the order of the document's parts. All of them judge all histories. */
export const allRules: readonly Rule[] = [
  // preface, conventions, part 1
  bodyTypes,
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
  failureReasonFits,
  senderHiddenFromMakers,
  requestHidesOrderDetails,
  statsHideSenders,
  senderHiddenBesideOrders,
  // part 3
  newOrderIsPending,
  orderTransitions,
  acceptanceNeeded,
  acceptances,
  cancels,
  orderDeadlines,
  acceptedDeadlines,
  submission,
  quoteTransitions,
  atMostOneAccepted,
  quoteSelection,
  quoteDeadlines,
  lateAcceptances,
  quotesMustBeGranted,
  cancelsMustBeGranted,
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
  refusedRequestsChangeNothing,
  refusalsSendNoEvent,
  refusedCreationsUnannounced,
  refusedCreations,
  refusedQuotesUnlisted,
];
