import {
  senderAnonymity,
  requestParticulars,
  statsAnonymity,
} from './rules/privacy/sender-anonymity.ts';
import { makerAccess, roleAccess, badTokensRefused } from './rules/auth/role-and-token-access.ts';
import { ownSideOnly, orderAccess } from './rules/auth/order-access.ts';
import { listMatchesRead } from './rules/lists/list-matches-read.ts';
import { operationResults } from './rules/wire/operation-results.ts';
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
import { pagination } from './rules/lists/page-arithmetic.ts';
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
import { tokenReissue } from './rules/auth/token-reissue.ts';
import { claims, whoamiIdentity, tokenResults } from './rules/auth/token-claims.ts';
import { refusedCreations } from './rules/orders/refused-creation-makes-no-order.ts';
import { refusedRequestsChangeNothing } from './rules/orders/refused-request-changes-nothing.ts';
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
  failureReasonFits,
  senderAnonymity,
  requestParticulars,
  statsAnonymity,
  unrelatedParty,
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
