import type { Exchange } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { CheckContext } from '../engine/check.ts';
import {
  fieldsOf,
  isRefusal,
  answerEvidence,
  describeExchange,
  succeeded,
  textOf,
} from '../../protocol/answers.ts';
import { targetTime } from './context.ts';
import { madeUpPartyExcuse } from './orders.ts';
import { endedExcuse, openLimitExcuse, proposalExcuse } from './excuses.ts';

/** Reason why an answer decides nothing. Checks never see a missing answer (see `answeredOnly`). */
const nothingSaidReason = (exchange: Exchange): string | undefined =>
  exchange.response?.status === 429 ? 'the target asked to slow down' : undefined;

/**
 * Judges that something was refused. Any 4xx is a refusal, since statuses are open. A success or a 5xx is none; 429
 * shows nothing, and leaves it undecided.
 */
export function assertRefused(
  t: CheckContext,
  requirement: RequirementId,
  exchange: Exchange,
  what = 'what must be refused',
): boolean {
  const silent = nothingSaidReason(exchange);
  if (silent !== undefined) {
    t.inconclusive(requirement, `${describeExchange(exchange)}: ${silent}`);
    return false;
  }
  return t.assert(requirement, isRefusal(exchange), {
    message: `${describeExchange(exchange)} to ${what}.`,
    deviation: 'let through',
    must: { refused: '4xx' },
    actual: answerEvidence(exchange),
    seen: [exchange],
  });
}

/** Judges an unusual request. It may be served or refused, but must not cause a server fault. */
export function assertNoServerFault(
  t: CheckContext,
  requirement: RequirementId,
  exchange: Exchange,
  what: string,
): void {
  if (succeeded(exchange)) t.assert(requirement, true, { message: '' });
  else assertRefused(t, requirement, exchange, what);
}

/** Operations that nobody may do after the deadline of the order, or of the quote that they name. */
const timed: readonly (EndpointName | undefined)[] = [
  'quote.submit',
  'quote.accept',
  'order.cancel',
  'proposal.accept',
];

/**
 * True if a refused request may have been too late. On a target that is slow or limits its rate, a deadline can pass
 * that was far away when the situation was set up.
 */
function mayBeLate(t: CheckContext, exchange: Exchange): boolean {
  if (!isRefusal(exchange) || !timed.includes(exchange.endpoint)) return false;
  const { intent_id: order, quote_id: quote } = exchange.params;
  const { latest } = targetTime(t, exchange);
  const deadlines = t.target.history.records.flatMap((record) => {
    if (record.kind !== 'exchange') return [];
    const data = fieldsOf(record);
    const ofOrder = record.endpoint === 'order.create' && textOf(data, 'intent_id') === order;
    const ofQuote =
      record.endpoint === 'quote.submit' && quote !== undefined && data['quote_id'] === quote;
    const moment = ofOrder ? data['expires_at'] : ofQuote ? data['valid_until'] : undefined;
    return parseTimestamp(moment) ?? [];
  });
  return deadlines.some((deadline) => latest >= deadline);
}

/**
 * Judges that something was allowed: any success. Undecided: 429, and a refusal that may have come from a deadline,
 * from made-up parties, from many open orders, from a proposal that nobody can accept, or from an order that has ended
 * by itself.
 */
export function assertAllowed(
  t: CheckContext,
  requirement: RequirementId,
  exchange: Exchange,
  what = 'what must be allowed',
): boolean {
  const late = mayBeLate(t, exchange) ? 'a deadline may have passed by then' : undefined;
  const silent =
    nothingSaidReason(exchange) ??
    late ??
    madeUpPartyExcuse(t, exchange) ??
    openLimitExcuse(t, exchange) ??
    proposalExcuse(t, exchange) ??
    endedExcuse(t, exchange);
  if (silent !== undefined) {
    t.inconclusive(requirement, `${describeExchange(exchange)}: ${silent}`);
    return false;
  }
  return t.assert(requirement, succeeded(exchange), {
    message: `${describeExchange(exchange)} to ${what}.`,
    deviation: 'refused',
    must: { answered: '2xx' },
    actual: answerEvidence(exchange),
    seen: [exchange],
  });
}

export interface ControlledRefusal {
  /** The call that must be refused. It comes first, since the control may use up what both need. */
  readonly refusedCall: () => Promise<Exchange>;
  /** The same call with one difference. It must succeed: else the refusal may have had another reason. */
  readonly controlCall: () => Promise<Exchange>;
  /** The difference, as "the outsider's token in place of the sender's". */
  readonly differsBy: string;
}

/** Judges a refusal beside its control: if the control is refused too, the refusal shows nothing. */
export async function assertRefusedWithControl(
  t: CheckContext,
  requirement: RequirementId,
  { refusedCall, controlCall, differsBy }: ControlledRefusal,
): Promise<void> {
  const no = await refusedCall();
  const yes = isRefusal(no) ? await controlCall() : undefined;
  assertRefusedGivenControl(t, requirement, no, yes, `a request with ${differsBy}`);
}

/** Judges a refusal if the control was sent already. An answer that is no refusal always counts. */
function assertRefusedGivenControl(
  t: CheckContext,
  requirement: RequirementId,
  no: Exchange,
  yes: Exchange | undefined,
  what: string,
): void {
  if (!isRefusal(no) || !yes || succeeded(yes)) assertRefused(t, requirement, no, what);
  else
    t.inconclusive(
      requirement,
      `${describeExchange(no)} to ${what}, but its control: ${describeExchange(yes)}`,
    );
}
