import { anonymity, particulars, statsAnonymity } from './privacy.ts';
import { makerAccess, roleAccess, tokens } from './access.ts';
import { ownSide, relations } from './relations.ts';
import { agreement } from './agreement.ts';
import { answers } from './answers.ts';
import { orderConstancy, quoteConstancy, settlementConstancy } from './constancy.ts';
import { conventions } from './conventions.ts';
import { precision } from './precision.ts';
import { acceptedDeadlines, lateAcceptances, orderDeadlines, quoteDeadlines } from './deadlines.ts';
import { orderEcho, quoteEcho, rfqEcho, settlementEcho } from './echo.ts';
import { envelope, meta, paginationFields } from './envelope.ts';
import { fieldRules } from './fields.ts';
import { belonging, requestsLeft, statusFilters } from './belonging.ts';
import { completeness } from './completeness.ts';
import { due } from './due.ts';
import { dueCancels } from './due-cancels.ts';
import { equalStreams, limitedStreams } from './limited-streams.ts';
import { dueReads } from './due-reads.ts';
import { requestsClosed, requestsTold } from './request-events.ts';
import { selectionsRight, selectionsTold } from './selection-events.ts';
import { settlementsTold } from './settlement-events.ts';
import { acceptanceMoments, settlementMoments } from './moments.ts';
import { acceptedQuote, maximum, rates } from './money.ts';
import { makerOrder } from './maker-order.ts';
import { creationsTold } from './creations-told.ts';
import { updatesRight, updatesSent } from './order-events.ts';
import { pagesThere } from './pages-there.ts';
import { pagination } from './pages.ts';
import { quotesTold, quotesToldRight } from './quote-events.ts';
import { oneAccepted, quoteProgress, selection, submission } from './quotes.ts';
import { reasons } from './reasons.ts';
import { refusedQuotes } from './refused-quotes.ts';
import type { Rule } from './rule.ts';
import { settlementDuration, stamps } from './stamps.ts';
import { acceptanceNeeded, acceptances } from './acceptances.ts';
import { cancels } from './cancels.ts';
import { creation, orderStates } from './states.ts';
import { outlivesEvents, staysOpen } from './stream-ends.ts';
import { filters, heartbeats, payloads } from './streams.ts';
import { tokenIssue } from './token-issue.ts';
import { claims, identities, tokenResults } from './tokens.ts';
import { unaskedOrders } from './unasked-orders.ts';
import { unrelated } from './unrelated.ts';
import { walks } from './walks.ts';
import { bodies, messages, refusals } from './wire.ts';

export type { Observation, Rule } from './rule.ts';
export { type HistoryView, type JudgeContext, viewOf } from './view.ts';

/** Every rule, in the order of the document's parts. All of them judge all histories. */
export const allRules: readonly Rule[] = [
  // preface, conventions, part 1
  bodies,
  conventions,
  precision,
  roleAccess,
  relations,
  makerAccess,
  // part 2
  envelope,
  meta,
  paginationFields,
  pagination,
  ...fieldRules,
  acceptanceMoments,
  settlementMoments,
  orderConstancy,
  quoteConstancy,
  settlementConstancy,
  orderEcho,
  quoteEcho,
  rfqEcho,
  settlementEcho,
  acceptedQuote,
  rates,
  maximum,
  stamps,
  settlementDuration,
  reasons,
  anonymity,
  particulars,
  statsAnonymity,
  unrelated,
  // part 3
  creation,
  orderStates,
  acceptanceNeeded,
  acceptances,
  cancels,
  orderDeadlines,
  acceptedDeadlines,
  submission,
  quoteProgress,
  oneAccepted,
  selection,
  quoteDeadlines,
  lateAcceptances,
  due,
  dueCancels,
  dueReads,
  limitedStreams,
  equalStreams,
  ownSide,
  // part 4
  answers,
  walks,
  pagesThere,
  statusFilters,
  completeness,
  belonging,
  requestsLeft,
  agreement,
  // part 5
  tokens,
  tokenIssue,
  claims,
  tokenResults,
  identities,
  // part 6
  messages,
  payloads,
  filters,
  heartbeats,
  staysOpen,
  outlivesEvents,
  updatesSent,
  updatesRight,
  creationsTold,
  quotesTold,
  quotesToldRight,
  requestsTold,
  requestsClosed,
  selectionsTold,
  selectionsRight,
  settlementsTold,
  makerOrder,
  // part 7
  refusals,
  unaskedOrders,
  refusedQuotes,
];
