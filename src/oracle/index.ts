import {
  senderAnonymity,
  requestParticulars,
  statsAnonymity,
} from './rules/privacy/sender-anonymity.ts';
import { makerAccess, roleAccess, badTokensRefused } from './rules/auth/role-and-token-access.ts';
import { ownSideOnly, orderAccess } from './rules/auth/order-access.ts';
import { listMatchesRead } from './rules/lists/list-matches-read.ts';
import { operationResults } from './rules/wire/operation-results.ts';
import { orderImmutable } from './rules/orders/immutable-fields.ts';
import { quoteImmutable } from './rules/quotes/immutable-terms.ts';
import { settlementImmutable } from './rules/settlements/immutable-fields.ts';
import { valueFormats } from './rules/wire/value-formats.ts';
import { timestampPrecision } from './rules/wire/timestamp-precision.ts';
import { acceptedDeadlines } from './rules/orders/accepted-order-outlives-deadline.ts';
import { orderDeadlines } from './rules/orders/expires-at-deadline.ts';
import { quoteDeadlines } from './rules/quotes/expires-at-valid-until.ts';
import { lateAcceptances } from './rules/quotes/late-acceptance-refused.ts';
import { orderEcho, rfqEcho } from './rules/orders/echoed-fields.ts';
import { quoteEcho } from './rules/quotes/echoed-terms.ts';
import { settlementEcho } from './rules/settlements/echoed-fields.ts';
import { resultEnvelope, meta, paginationFields } from './rules/wire/envelope.ts';
import { fieldRules } from './rules/wire/resource-fields.ts';
import {
  misplacedItems,
  closedRequestsLeave,
  statusFilters,
} from './rules/lists/misplaced-items.ts';
import { missingItems } from './rules/lists/missing-items.ts';
import { quotesMustBeGranted } from './rules/quotes/must-be-granted.ts';
import { cancelsMustBeGranted } from './rules/orders/cancel-must-be-granted.ts';
import {
  streamsMustBeGranted,
  filteredStreamsMustBeGranted,
} from './rules/events/stream-must-be-granted.ts';
import { readsMustBeGranted } from './rules/auth/read-must-be-granted.ts';
import { requestExpiryAnnounced, requestsAnnounced } from './rules/events/quote-request.ts';
import {
  selectionEventsCorrect,
  selectionsAnnounced,
} from './rules/events/quote-accepted-rejected.ts';
import { settlementsAnnounced } from './rules/events/settlement-completed.ts';
import { acceptanceFieldsSet, settlementFieldsSet } from './rules/orders/fields-set-by-state.ts';
import { acceptedQuoteShown } from './rules/orders/accepted-quote-shown.ts';
import { withinMaximum } from './rules/orders/source-amount-within-maximum.ts';
import { rates } from './rules/quotes/amounts-and-rates.ts';
import { makerEventOrder } from './rules/events/maker-event-order.ts';
import { creationsAnnounced } from './rules/events/order-creation.ts';
import { orderUpdatesCorrect, orderUpdatesSent } from './rules/events/order-updated.ts';
import { countedPagesReadable } from './rules/lists/counted-page-is-readable.ts';
import { pagination } from './rules/lists/page-arithmetic.ts';
import { quotesAnnounced, quoteEventsCorrect } from './rules/events/quote-received.ts';
import { atMostOneAccepted } from './rules/quotes/one-quote-accepted.ts';
import { quoteSelection } from './rules/quotes/selection-rejects-rivals.ts';
import { quoteTransitions } from './rules/quotes/state-transitions.ts';
import { submission } from './rules/quotes/submitted-quote-is-pending.ts';
import { failureReasonFits, failureReasonShown } from './rules/orders/failure-reason.ts';
import { acceptedOrderSettles } from './rules/settlements/accepted-order-settles.ts';
import { failedSettlementRollsBack } from './rules/settlements/failed-settlement-rolls-back.ts';
import { refusedQuotesUnlisted } from './rules/quotes/refused-quote-is-unlisted.ts';
import type { Rule } from './rule.ts';
import { timestampsMatchCalls } from './rules/orders/timestamps-match-calls.ts';
import { settlementDuration } from './rules/settlements/settles-in-about-four-seconds.ts';
import {
  acceptanceMakesQuoted,
  acceptanceNeeded,
  acceptances,
} from './rules/quotes/accept-only-pending.ts';
import { cancelEndsOrder } from './rules/orders/cancel-ends-order.ts';
import { cancelTooLate } from './rules/orders/cancel-refused-while-executing.ts';
import { newOrderIsPending } from './rules/orders/new-order-is-pending.ts';
import { orderTransitions } from './rules/orders/state-transitions.ts';
import { streamOutlivesEvents, streamStaysOpen } from './rules/events/stream-stays-open.ts';
import {
  streamFilter,
  heartbeatInterval,
  eventPayloads,
} from './rules/events/heartbeat-interval.ts';
import { tokenReissue } from './rules/auth/token-reissue.ts';
import { claims, whoamiIdentity, tokenResults } from './rules/auth/token-claims.ts';
import { refusedRequestsChangeNothing } from './rules/orders/refused-request-changes-nothing.ts';
import { refusedCreations } from './rules/orders/refused-creation-makes-no-order.ts';
import { unrelatedParty } from './rules/privacy/unrelated-party.ts';
import { pageWalks } from './rules/lists/page-walk.ts';
import { bodyTypes, streamMessages, refusalStatus } from './rules/wire/body-types.ts';

export type { Finding, Rule } from './rule.ts';
export { type HistoryView, type OracleContext, viewOf } from './trace/history-view.ts';

/** Every rule, in the order of the document's parts. All of them judge all histories. */
export const allRules: readonly Rule[] = [
  // preface, conventions, part 1
  bodyTypes,
  valueFormats,
  timestampPrecision,
  roleAccess,
  orderAccess,
  makerAccess,
  // part 2
  resultEnvelope,
  meta,
  paginationFields,
  pagination,
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
  senderAnonymity,
  requestParticulars,
  statsAnonymity,
  unrelatedParty,
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
  readsMustBeGranted,
  filteredStreamsMustBeGranted,
  streamsMustBeGranted,
  ownSideOnly,
  // part 4
  operationResults,
  pageWalks,
  countedPagesReadable,
  statusFilters,
  missingItems,
  misplacedItems,
  closedRequestsLeave,
  listMatchesRead,
  // part 5
  badTokensRefused,
  tokenReissue,
  claims,
  tokenResults,
  whoamiIdentity,
  // part 6
  streamMessages,
  eventPayloads,
  streamFilter,
  heartbeatInterval,
  streamStaysOpen,
  streamOutlivesEvents,
  orderUpdatesSent,
  orderUpdatesCorrect,
  creationsAnnounced,
  quotesAnnounced,
  quoteEventsCorrect,
  requestsAnnounced,
  requestExpiryAnnounced,
  selectionsAnnounced,
  selectionEventsCorrect,
  settlementsAnnounced,
  makerEventOrder,
  // part 7
  refusalStatus,
  refusedCreations,
  refusedRequestsChangeNothing,
  refusedQuotesUnlisted,
];
