import type { RequirementId } from '../../spec/requirements/index.ts';

const uniqueId =
  'Generate the id for each new object, and let the database hold it unique. An id made of a time, a hash of the terms or a counter that starts again comes twice.';
const termsOfAcceptedQuote =
  'Copy the terms from the quote whose id is in the path of the acceptance, all from the same row: not from the best, the first or the latest quote.';
const decimals =
  'Compute with decimals, in one orientation of the rate, and round once, at the end. A fee, or a rate that was cut for display, makes the three disagree.';
const onlyTheSixReasons =
  'Show one of the six values on orders that ended without settling and on no other, the same in every view.';
export const oneViewCode =
  'Build both views with the same code from the same stored object. Where one comes from a cache or a read model, bring it up to date in the same step.';
const withTheStatus =
  'Write the field in the same transaction as the new status, so that no reader sees one without the other, and show it in lists and to custodians as well as in the read of the sender.';
const clockOfTheRequest =
  'Read the clock while handling the request, and store that moment. Look for the time of another request or object, for a time zone, and for a host whose clock is wrong: `assay probe` shows the offset.';
const settlesByItself =
  'Start the settlement from the acceptance itself and let it run to its end without anybody asking. Store each step before you show it: a job that is lost at a restart, or skipped where the custodian accepted, leaves orders standing.';
const failsWhole =
  'Handle the failure of the settlement and of validation as an end of their own: FAILED, no hash, no settlement, nothing left half done.';
const onlyByAcceptance =
  'Let nothing but the acceptance of a quote make an order QUOTED. A status in a body, a first quote or an accepted proposal changes none.';
const expiresByDeadline =
  'Expire by the deadline and the state alone, whatever else is there: quotes, rejected or lapsed rivals, an accepted proposal. If a sweep does it, let reads judge the deadline as well, so that nobody sees the old state between two sweeps.';
const fullPrecision =
  'Compare with the stored deadline in full precision. Rounding it to seconds, or a sweep that looks ahead, ends things before their time.';
const timerOfTheQuote =
  'Cancel the timer of the order when a quote is accepted, and arm one for the `valid_until` of that quote; from then on only this one counts.';
const cancelEndsAll =
  'Let a cancel end the order at once, stop its timers and its settlement, and take its request from the list of makers.';
const tableOfTransitions =
  'Write the transitions down as a table and let every change of status go through it. Show a state only once it is stored; a read model that runs behind or ahead makes observers see jumps.';
const noWayOut =
  'Let end states have no way out: check the current state inside the update. Timers, late callbacks and repeated requests come to ended orders as well.';
const bothIds =
  'Use both ids of the path in the query, the order as well as the quote, and no key that another object shares. Nothing may be kept between requests.';
const oneTransaction =
  'Take the decision and the change in one transaction: an update that names the state it expects (`... where status = ...`) or a lock on the order. The second of two requests then finds the new state and is refused.';
const cancelAllowed =
  'Allow a cancel as long as the order is PENDING or QUOTED, however many quotes it has and whoever accepted.';
const checkedAsItCancels =
  'Check the state inside the transaction that cancels, and refuse with a 4xx once the settlement runs.';

/** Orders, quotes and settlements: their fields, transitions, deadlines and races. */
export const ofOrders = {
  'order.intent-id.unique': uniqueId,
  'quote.quote-id.unique': uniqueId,
  'order.expires-at.after-creation':
    'Add the lifetime of orders to `created_at`. Look for seconds taken for milliseconds, and for a zone that is applied twice.',
  'order.expires-at.acceptable-until':
    'Compare with `expires_at` itself, without a margin before it, and let nothing but its state and its deadlines close an order.',
  'order.quote-id.names-accepted-quote': termsOfAcceptedQuote,
  'order.market-maker-party-id.is-winner': termsOfAcceptedQuote,
  'order.fx-rate.of-accepted-quote': termsOfAcceptedQuote,
  'order.source-amount-actual.of-accepted-quote': termsOfAcceptedQuote,
  'order.source-amount-actual.agrees-with-rate': decimals,
  'order.twins.same-amounts': decimals,
  'quote.source-amount.agrees-with-rate': decimals,
  'order.source-amount-actual.at-most-max':
    'Refuse the acceptance of a quote whose source amount is above `source_amount_max`. Compare as decimals: as text `9` is above `10`, and as floats large amounts lose their cents.',
  'order.settled-at.at-settlement':
    'Store the moment at which the last leg completed: not that of the acceptance, and not that of the read.',
  'order.failure-reason.admissible': onlyTheSixReasons,
  'order.failure-reason.only-when-ended': onlyTheSixReasons,
  'order.failure-reason.not-when-settled': onlyTheSixReasons,
  'order.failure-reason.views-agree': onlyTheSixReasons,
  'quote.intent-id.names-order': 'Take the id from the path under which the quote was submitted.',
  'quote.views-agree': oneViewCode,
  'order.state.views-agree': oneViewCode,
  'quote.state.views-agree': oneViewCode,
  'order.list.agrees-with-read': oneViewCode,
  'order.read.custodian-sees-same': oneViewCode,
  'order.quotes.custodian-sees-same': oneViewCode,
  'rfq.read.agrees-with-list': oneViewCode,
  'quote.list.agrees-with-request': oneViewCode,
  'settlement.read.agrees-with-list': oneViewCode,
  'settlement.mm-quoted-source-amount.as-quote':
    'Take the source amount of the quote that was accepted, not of the first, the best or the latest one.',
  'order.quote-id.set-on-acceptance': withTheStatus,
  'order.market-maker-party-id.set-on-acceptance': withTheStatus,
  'order.fx-rate.set-on-acceptance': withTheStatus,
  'order.source-amount-actual.set-on-acceptance': withTheStatus,
  'order.quote-accepted-at.set-on-acceptance': withTheStatus,
  'order.transaction-hash.set-on-settlement': withTheStatus,
  'order.settled-at.set-on-settlement': withTheStatus,
  'order.accepted.sets-quote-fields': withTheStatus,
  'order.settled.sets-hash': withTheStatus,
  'order.created-at.at-creation': clockOfTheRequest,
  'order.quote-accepted-at.at-acceptance': clockOfTheRequest,
  'quote.submitted-at.at-submission': clockOfTheRequest,
  'service.order-to-settlement': settlesByItself,
  'order.state.quoted-to-executing': settlesByItself,
  'order.state.executing-to-settled': settlesByItself,
  'quote.accept.custodian-order-settles': settlesByItself,
  'service.several-makers-quote':
    'Keep the request open to every maker until a quote is accepted; the first quote takes it from nobody.',
  'settlement.atomic': failsWhole,
  'order.state.pending-to-failed': failsWhole,
  'order.state.executing-to-failed': failsWhole,
  'order.state.starts-pending': onlyByAcceptance,
  'order.state.pending-to-quoted': onlyByAcceptance,
  'order.state.quote-needed': onlyByAcceptance,
  'quote.state.starts-pending': onlyByAcceptance,
  'quote.submit.order-stays-pending': onlyByAcceptance,
  'order.state.pending-to-expired': expiresByDeadline,
  'order.state.pending-to-expired.though-quoted': expiresByDeadline,
  'quote.state.pending-to-expired': expiresByDeadline,
  'order.state.pending-to-expired.not-early': fullPrecision,
  'order.state.quoted-to-expired.not-early': fullPrecision,
  'quote.state.pending-to-expired.not-early': fullPrecision,
  'order.state.quoted-to-expired': timerOfTheQuote,
  'order.state.accepted-outlives-expires-at': timerOfTheQuote,
  'order.state.cancel-ends-order': cancelEndsAll,
  'order.cancel.never-settles': cancelEndsAll,
  'order.cancel.request-closes': cancelEndsAll,
  'order.state.listed-transitions-only': tableOfTransitions,
  'quote.state.listed-transitions-only': tableOfTransitions,
  'order.state.settled-absorbs': noWayOut,
  'order.state.expired-absorbs': noWayOut,
  'order.state.failed-absorbs': noWayOut,
  'quote.state.rejected-absorbs': noWayOut,
  'quote.state.expired-absorbs': noWayOut,
  'order.state.other-orders-untouched': bothIds,
  'quote.state.other-orders-untouched': bothIds,
  'order.read.returns-that-order': bothIds,
  'order.cancel.only-that-order': bothIds,
  'order.quotes.only-that-order': bothIds,
  'quote.accept.quote-of-other-order-refused': bothIds,
  'rfq.read.returns-that-request': bothIds,
  'rfq.quotes.only-that-request': bothIds,
  'settlement.read.returns-that-settlement': bothIds,
  'stream.intent-filter.only-that-order': bothIds,
  'order.state.legal-under-race': oneTransaction,
  'order.accept.second-quote-refused': oneTransaction,
  'quote.state.one-accepted-per-order': oneTransaction,
  'quote.state.one-accepted-under-race': oneTransaction,
  'quote.state.usable-until-deadline':
    'Compare with `valid_until` itself: no margin before it, and no shorter lifetime of your own for quotes.',
  'order.cancel.pending': cancelAllowed,
  'order.cancel.pending-with-quotes': cancelAllowed,
  'order.cancel.quoted': cancelAllowed,
  'order.cancel.executing-refused': checkedAsItCancels,
  'order.cancel.settled-refused': checkedAsItCancels,
  'order.cancel.expired-stays':
    'Check the state inside the transaction that cancels. Whatever the answer is, an order that has ended keeps its end.',
  'proposal.accept.order-stays-legal':
    'Accepting a proposal is no acceptance of a quote: it sets none of the fields of one, and moves no order that has ended.',
  'limit.settlement-duration':
    'About four seconds are meant. Where a ledger takes longer this is a warning, which fails no run.',
} satisfies Partial<Record<RequirementId, string>>;
