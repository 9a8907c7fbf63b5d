import type { RequirementId } from '../src/spec/requirements/index.ts';

const nothingInTheWay =
  'That nothing else was the reason of a refusal (a body, a limit, the state of the order) only the check knows that prepared it.';
const streamInTheWay =
  'Whether another stream of the party, or a limit on streams, was the reason of a refusal only the check knows that opened them.';
const cancelAndExpiry =
  'How a target ends cancelled orders is open; that one was cancelled just before it expired only the check knows that timed it.';
const toTheMillisecond =
  'Rules leave some milliseconds around a deadline; only the check knows that it drives the clock, and what this shows.';

/** Requirements that checks assert although a rule judges them, with the facts that a history cannot show. */
export const alsoAsserted: Readonly<Partial<Record<RequirementId, string>>> = {
  'access.maker.events.market-maker-allowed': streamInTheWay,
  'access.order.cancel.institution-allowed': nothingInTheWay,
  'access.order.create.institution-allowed': nothingInTheWay,
  'access.order.events.custodian-allowed': streamInTheWay,
  'access.order.events.institution-allowed': streamInTheWay,
  'access.proposal.accept.custodian-allowed': nothingInTheWay,
  'access.quote.accept.custodian-allowed': nothingInTheWay,
  'access.quote.accept.institution-allowed': nothingInTheWay,
  'access.quote.submit.market-maker-allowed': nothingInTheWay,
  'auth.fresh-token-accepted':
    'A 401 may be about the order that was asked for; only the check knows that the party may ask for it.',
  'auth.token-lasts-until-expiry':
    'Which of several tokens a request carried the history does not tell; only the check knows that it was the older one.',
  'error.refusal-changes-nothing':
    'What a refusal used up shows in the right request that follows, beside a control that no refusal went before.',
  'error.refusal-is-4xx':
    'Only a check knows that a request names nothing or is odd, so that a success or a broken connection is a wrong answer.',
  'error.refusal-sends-no-event':
    'An announcement that names nothing known comes of a refused creation only if it never comes at other times.',
  'order.accept.expired-quote-refused': toTheMillisecond,
  'order.cancel.only-that-order':
    "Whether an order ended because of another one's cancel is known to who looked at it right before and after that.",
  'order.cancel.pending': nothingInTheWay,
  'order.cancel.pending-with-quotes': nothingInTheWay,
  'order.cancel.quoted': nothingInTheWay,
  'order.expires-at.after-creation':
    'How long orders live is open; that two orders had the same terms and one thing else only the check knows that made them.',
  'order.state.cancel-ends-order': cancelAndExpiry,
  'order.state.legal-under-race':
    'That requests met each other, or a deadline, is certain only to the check that timed them; rules count what the places of their answers leave no doubt of.',
  'order.state.pending-to-expired.not-early': toTheMillisecond,
  'proposal.accept.by-sender-custodian': nothingInTheWay,
  'quote.state.usable-until-deadline': nothingInTheWay,
  'service.sender-accepts': nothingInTheWay,
  'service.sender-custodian-accepts': nothingInTheWay,
};
