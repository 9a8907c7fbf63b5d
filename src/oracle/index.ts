import { ownListRules } from './rules/auth/lists-hold-own-items-only.ts';
import { orderAccess } from './rules/auth/order-access.ts';
import { readsMustBeGranted } from './rules/auth/read-must-be-granted.ts';
import { tokenIssueRules } from './rules/auth/token-issue-and-lifetime.ts';
import { tokenRules } from './rules/auth/tokens-and-their-claims.ts';
import { authorisationRules } from './rules/auth/unauthorised-requests-refused.ts';
import { frameRules } from './rules/events/frames-of-a-stream.ts';
import { heartbeatInterval } from './rules/events/heartbeats-every-30-seconds.ts';
import { orderUpdateRules } from './rules/events/order-updated.ts';
import { quoteEventRules } from './rules/events/quote-received.ts';
import { quoteRequestRules } from './rules/events/quote-requests.ts';
import { silentRefusalRules } from './rules/events/refusal-sends-no-event.ts';
import { selectionEventRules } from './rules/events/selection-events.ts';
import { completionRules } from './rules/events/settlement-completed.ts';
import { streamGrantRules } from './rules/events/stream-must-be-granted.ts';
import { streamLifeRules } from './rules/events/streams-stay-open.ts';
import { completenessRules } from './rules/lists/items-are-listed.ts';
import { exclusionRules } from './rules/lists/lists-hold-nothing-else.ts';
import { pageRules } from './rules/lists/pages-neither-repeat-nor-skip-items.ts';
import { paginationRules } from './rules/lists/pagination-counts.ts';
import { viewRules } from './rules/lists/reads-agree.ts';
import { cancelRules } from './rules/orders/cancels.ts';
import { creationRules } from './rules/orders/creations.ts';
import { deadlineRules } from './rules/orders/deadlines.ts';
import { echoRules } from './rules/orders/echoed-fields.ts';
import { failureReasonRules } from './rules/orders/failure-reason.ts';
import { fieldsSetRules } from './rules/orders/fields-set-by-state.ts';
import { constancyRules } from './rules/orders/immutable-fields.ts';
import { refusedRequestsChangeNothing } from './rules/orders/refused-request-changes-nothing.ts';
import { amountRules } from './rules/quotes/amounts-and-rates.ts';
import { effectsExplained } from './rules/orders/effects-explained.ts';
import { transitionRules } from './rules/orders/state-transitions.ts';
import { timestampsMatchCalls } from './rules/orders/timestamps-match-calls.ts';
import { anonymityRules } from './rules/privacy/sender-hidden-from-makers.ts';
import { sendersIndistinguishable } from './rules/privacy/senders-indistinguishable.ts';
import { acceptanceRules } from './rules/quotes/acceptances.ts';
import { quoteEcho } from './rules/quotes/echoed-terms.ts';
import { proposalsMustBeGranted, quotesMustBeGranted } from './rules/quotes/must-be-granted.ts';
import { selectionRules } from './rules/quotes/selection.ts';
import { submissionRules } from './rules/quotes/submissions.ts';
import { settlementRules } from './rules/settlements/settlements.ts';
import { envelopeRules } from './rules/wire/envelope.ts';
import { formRules } from './rules/wire/forms.ts';
import { resultRules } from './rules/wire/operation-results.ts';
import { refusalRules } from './rules/wire/refusals.ts';
import type { Rule } from './rule.ts';

export type { Finding } from '../results/findings.ts';
export type { Rule } from './rule.ts';
export { type HistoryView, type OracleContext, viewOf } from './trace/history-view.ts';

/** Every rule, in the order of the document's parts. All of them judge all histories. */
export const allRules: readonly Rule[] = [
  // preface, conventions, part 1
  ...envelopeRules,
  ...refusalRules,
  ...formRules,
  ...authorisationRules,
  orderAccess,
  ...ownListRules,
  // part 2
  ...paginationRules,
  ...fieldsSetRules,
  ...constancyRules,
  ...echoRules,
  quoteEcho,
  ...amountRules,
  timestampsMatchCalls,
  ...settlementRules,
  ...failureReasonRules,
  ...cancelRules,
  ...anonymityRules,
  sendersIndistinguishable,
  // part 3
  ...creationRules,
  ...transitionRules,
  effectsExplained,
  ...acceptanceRules,
  ...deadlineRules,
  ...submissionRules,
  ...selectionRules,
  quotesMustBeGranted,
  proposalsMustBeGranted,
  readsMustBeGranted,
  ...streamGrantRules,
  // part 4
  ...resultRules,
  ...pageRules,
  ...exclusionRules,
  ...completenessRules,
  ...viewRules,
  // part 5
  ...tokenIssueRules,
  ...tokenRules,
  // part 6
  ...frameRules,
  heartbeatInterval,
  ...streamLifeRules,
  ...orderUpdateRules,
  ...quoteRequestRules,
  ...quoteEventRules,
  ...selectionEventRules,
  ...completionRules,
  // part 7
  refusedRequestsChangeNothing,
  ...silentRefusalRules,
];
