import { badTokenRefused } from './rules/auth/bad-token-refused.ts';
import { expiredTokenGives401 } from './rules/auth/expired-token-gives-401.ts';
import { listHoldsOwnOrdersOnly } from './rules/auth/list-holds-own-orders-only.ts';
import { makerSeesOwnQuotesOnly } from './rules/auth/maker-sees-own-quotes-only.ts';
import { makerSeesWonSettlementsOnly } from './rules/auth/maker-sees-won-settlements-only.ts';
import { orderAccess } from './rules/auth/order-access.ts';
import { readsMustBeGranted } from './rules/auth/read-must-be-granted.ts';
import { tokenClaims } from './rules/auth/token-claims.ts';
import { tokenLastsUntilExpiry } from './rules/auth/token-lasts-until-expiry.ts';
import { tokenIssuedAgain } from './rules/auth/token-issued-again.ts';
import { tokenResultAgreesWithClaims } from './rules/auth/token-result-agrees-with-claims.ts';
import { whoamiNamesTokenParty } from './rules/auth/whoami-names-token-party.ts';
import { wrongRoleRefused } from './rules/auth/wrong-role-refused.ts';
import { creationsAnnounced } from './rules/events/creations-announced.ts';
import { eventPayloads } from './rules/events/events-carry-named-fields.ts';
import { heartbeatInterval } from './rules/events/heartbeats-every-30-seconds.ts';
import { streamFilter } from './rules/events/limited-stream-only-its-order.ts';
import { makerEventOrder } from './rules/events/maker-events-in-order.ts';
import {
  orderUpdatesToParties,
  orderUpdatesInOrder,
  orderUpdatesAgree,
} from './rules/events/order-updated-correct.ts';
import { orderUpdatesSent } from './rules/events/order-updated-sent.ts';
import {
  quotesToSenderSide,
  quoteEventsCorrect,
  quoteEventsCaused,
} from './rules/events/quote-received-correct.ts';
import { quotesAnnounced } from './rules/events/quote-received-sent.ts';
import { requestExpiryAnnounced } from './rules/events/quote-request-expired.ts';
import { requestsAnnounced } from './rules/events/quote-request-new.ts';
import {
  refusalsSendNoEvent,
  refusedCreationsUnannounced,
} from './rules/events/refusal-sends-no-event.ts';
import { selectionsAnnounced } from './rules/events/selection-announced.ts';
import {
  selectionsToMakersConcerned,
  selectionEventsOnce,
  selectionEventsCorrect,
  selectionEventsCaused,
} from './rules/events/selection-events-correct.ts';
import { settlementsAnnounced, completionsOfSettled } from './rules/events/settlement-completed.ts';
import {
  filteredStreamsMustBeGranted,
  streamsMustBeGranted,
} from './rules/events/stream-must-be-granted.ts';
import { streamOutlivesEvents } from './rules/events/stream-outlives-events.ts';
import { streamStaysOpen } from './rules/events/stream-stays-open.ts';
import { closedRequestsLeaveTheList } from './rules/lists/closed-requests-leave-the-list.ts';
import { countedPagesReadable } from './rules/lists/counted-page-is-readable.ts';
import { ordersAreListed } from './rules/lists/orders-are-listed.ts';
import { pagesMatchTheirPagination } from './rules/lists/pages-match-their-pagination.ts';
import {
  pagesNeitherRepeatNorSkipItems,
  pageSizesShowTheSame,
} from './rules/lists/pages-neither-repeat-nor-skip-items.ts';
import { quotesAreListed } from './rules/lists/quotes-are-listed.ts';
import {
  readsAnswerWhatWasAsked,
  readsStayReadable,
} from './rules/lists/reads-answer-what-was-asked.ts';
import { requestsAreListed } from './rules/lists/requests-are-listed.ts';
import {
  listsAgreeWithReads,
  custodianSeesTheSame,
} from './rules/lists/same-item-in-two-places.ts';
import { settlementsAreListed } from './rules/lists/settlements-are-listed.ts';
import { settlementsAreOfSettledOrders } from './rules/lists/settlements-are-of-settled-orders.ts';
import { statusFilterHoldsOneStatus } from './rules/lists/status-filter-holds-one-status.ts';
import { totalItemsCountsTheList } from './rules/lists/total-items-counts-the-list.ts';
import { acceptedDeadlines } from './rules/orders/accepted-order-outlives-deadline.ts';
import { acceptedQuoteShown } from './rules/orders/accepted-quote-shown.ts';
import { cancelEndsOrder } from './rules/orders/cancel-ends-order.ts';
import { cancelsMustBeGranted } from './rules/orders/cancel-must-be-granted.ts';
import { cancelTooLate } from './rules/orders/cancel-refused-while-executing.ts';
import { creationsMustBeGranted } from './rules/orders/creation-must-be-granted.ts';
import { orderEcho, rfqEcho } from './rules/orders/echoed-fields.ts';
import { orderDeadlines } from './rules/orders/expires-at-deadline.ts';
import { cancelShowsReason } from './rules/orders/cancel-shows-reason.ts';
import { failureReasonApplies } from './rules/orders/failure-reason-applies.ts';
import { failureReasonShown, failureReasonFits } from './rules/orders/failure-reason.ts';
import { acceptanceFieldsSet, settlementFieldsSet } from './rules/orders/fields-set-by-state.ts';
import { orderImmutable } from './rules/orders/immutable-fields.ts';
import { newOrderIsPending } from './rules/orders/new-order-is-pending.ts';
import { refusedCreations } from './rules/orders/refused-creation-makes-no-order.ts';
import { refusedRequestsChangeNothing } from './rules/orders/refused-request-changes-nothing.ts';
import { withinMaximum } from './rules/orders/source-amount-within-maximum.ts';
import { orderTransitions } from './rules/orders/state-transitions.ts';
import { timestampsMatchCalls } from './rules/orders/timestamps-match-calls.ts';
import { requestHidesOrderDetails } from './rules/privacy/request-hides-order-details.ts';
import { senderHiddenBesideOrders } from './rules/privacy/sender-hidden-beside-orders.ts';
import { senderHiddenFromMakers } from './rules/privacy/sender-hidden-from-makers.ts';
import { sendersIndistinguishable } from './rules/privacy/senders-indistinguishable.ts';
import { statsHideSenders } from './rules/privacy/stats-hide-senders.ts';
import {
  acceptanceNeeded,
  acceptanceMakesQuoted,
  acceptances,
} from './rules/quotes/accept-only-pending.ts';
import { rates } from './rules/quotes/amounts-and-rates.ts';
import { quoteEcho } from './rules/quotes/echoed-terms.ts';
import { quoteDeadlines } from './rules/quotes/expires-at-valid-until.ts';
import { quoteImmutable } from './rules/quotes/immutable-terms.ts';
import { lateAcceptances } from './rules/quotes/late-acceptance-refused.ts';
import { quotesMustBeGranted } from './rules/quotes/must-be-granted.ts';
import { atMostOneAccepted } from './rules/quotes/one-quote-accepted.ts';
import { refusedQuotesUnlisted } from './rules/quotes/refused-quote-is-unlisted.ts';
import { quoteSelection } from './rules/quotes/selection-rejects-rivals.ts';
import { quoteTransitions } from './rules/quotes/state-transitions.ts';
import { submission } from './rules/quotes/submitted-quote-is-pending.ts';
import { acceptedOrderSettles } from './rules/settlements/accepted-order-settles.ts';
import { settlementEcho } from './rules/settlements/echoed-fields.ts';
import { failedSettlementRollsBack } from './rules/settlements/failed-settlement-rolls-back.ts';
import { settlementImmutable } from './rules/settlements/immutable-fields.ts';
import { settlementDuration } from './rules/settlements/settles-in-about-four-seconds.ts';
import { bodyTypes, streamMessages } from './rules/wire/body-types.ts';
import { resultEnvelope, paginationFields } from './rules/wire/envelope.ts';
import { meta } from './rules/wire/meta.ts';
import {
  operationsReturnTheirResults,
  custodianAnswerAgrees,
  acceptanceNeedsNoBody,
} from './rules/wire/operation-results.ts';
import { refusalBodies, refusalCodes, refusalStatus } from './rules/wire/refusals.ts';
import { fieldRules } from './rules/wire/resource-fields.ts';
import { serviceAssignedIds, eachQuoteItsOwnId } from './rules/wire/service-assigned-ids.ts';
import { timestampPrecision } from './rules/wire/timestamp-precision.ts';
import { valueFormats } from './rules/wire/value-formats.ts';
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
