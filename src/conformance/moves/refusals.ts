import { beyondAllowance } from '../../client/allowance.ts';
import type { Exchange } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import { Order } from '../../spec/resources.ts';
import type { CastName, RequirementId } from '../../spec/requirements/index.ts';
import type { Trial } from '../check.ts';
import { type Fields, fieldsOf, isRefusal, outcomeOf, said, succeeded, textOf } from './answers.ts';
import { targetTime } from './moments.ts';
import { madeUpParties, type OrderRef, readOrder } from './orders.ts';
import { crowdedOut } from './room.ts';
import { unopened } from './unopened.ts';

/** Whether a call got as far as the target, and was not turned away for the pace of asking. */
export function saysNothing(exchange: Exchange): string | undefined {
  if (exchange.response?.status === 429) return 'the target asked to slow down';
  const { code, message } = exchange.error ?? {};
  if (message === beyondAllowance) return message;
  return code === 'refused' || code === 'aborted' ? 'the target was not reached' : undefined;
}

/**
 * Judges that something was refused. Any 4xx is a refusal, since statuses are open. A success, a 5xx, a reset or no
 * answer at all is none; 429 and a target that cannot be reached show nothing, and leave it undecided.
 */
export function refused(
  trial: Trial,
  requirement: RequirementId,
  exchange: Exchange,
  what = 'what must be refused',
): boolean {
  const silent = saysNothing(exchange);
  if (silent !== undefined) {
    trial.undecided(requirement, `${said(exchange)}: ${silent}`);
    return false;
  }
  return trial.judge(requirement, isRefusal(exchange), {
    message: `${said(exchange)} to ${what}.`,
    expected: 'a refusal (4xx)',
    actual: outcomeOf(exchange),
    seen: [exchange],
  });
}

/** Judges what is odd, and may be served or refused: a fault of the service it must not be. */
export function servedOrRefused(
  trial: Trial,
  requirement: RequirementId,
  exchange: Exchange,
  what: string,
): void {
  if (succeeded(exchange)) trial.judge(requirement, true, { message: '' });
  else refused(trial, requirement, exchange, what);
}

/** What nobody may do any more once the deadline of an order, or of the quote that it names, has passed. */
const timed: readonly (EndpointName | undefined)[] = [
  'quote.submit',
  'quote.accept',
  'order.cancel',
  'proposal.accept',
];

/**
 * Whether what was refused may have been too late. On a target that is slow, or asks to be asked less, a deadline
 * passes that was far away when the ground was laid.
 */
function mayBeLate(trial: Trial, exchange: Exchange): boolean {
  if (!isRefusal(exchange) || !timed.includes(exchange.endpoint)) return false;
  const { intent_id: order, quote_id: quote } = exchange.params;
  const { latest } = targetTime(trial, exchange);
  const deadlines = trial.target.history.records.flatMap((record) => {
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
 * Judges that something was allowed: any success; 429, a target that cannot be reached and a refusal that may have come
 * of a deadline, of parties that had to be made up, of many open orders or of a proposal that nobody can accept, leave
 * it undecided.
 */
export function allowed(
  trial: Trial,
  requirement: RequirementId,
  exchange: Exchange,
  what = 'what must be allowed',
): boolean {
  const late = mayBeLate(trial, exchange) ? 'a deadline may have passed by then' : undefined;
  const silent =
    saysNothing(exchange) ??
    late ??
    madeUpParties(trial, exchange) ??
    crowdedOut(trial, exchange) ??
    unopened(trial, exchange);
  if (silent !== undefined) {
    trial.undecided(requirement, `${said(exchange)}: ${silent}`);
    return false;
  }
  return trial.judge(requirement, succeeded(exchange), {
    message: `${said(exchange)} to ${what}.`,
    expected: 'a success (2xx)',
    actual: outcomeOf(exchange),
    seen: [exchange],
  });
}

export interface Twins {
  /** What must be refused. It comes first, since its twin may use up what both need. */
  readonly negative: () => Promise<Exchange>;
  /** The same but for one thing, which must succeed: else the refusal may have had another reason. */
  readonly positive: () => Promise<Exchange>;
  /** The one thing, as "the outsider's token in place of the sender's". */
  readonly differsBy: string;
}

/**
 * Judges a refusal beside its positive twin. A refusal counts only where the twin succeeds; where the twin is refused
 * too, nothing is known.
 */
export async function twin(
  trial: Trial,
  requirement: RequirementId,
  { negative, positive, differsBy }: Twins,
): Promise<boolean> {
  const no = await negative();
  if (!isRefusal(no)) return refused(trial, requirement, no, `a request with ${differsBy}`);
  const yes = await positive();
  if (succeeded(yes)) return refused(trial, requirement, no);
  trial.undecided(
    requirement,
    `a request with ${differsBy} was refused, but so was its twin without: ${said(yes)}`,
  );
  return false;
}

/**
 * Judges a refusal whose twin was tried already: it counts where the twin was served; what is no refusal counts always.
 */
export function refusedBeside(
  trial: Trial,
  requirement: RequirementId,
  no: Exchange,
  yes: Exchange,
  what: string,
): void {
  if (succeeded(yes) || !isRefusal(no)) refused(trial, requirement, no, what);
  else trial.undecided(requirement, `${said(no)}, but so was its twin: ${said(yes)}`);
}

/** What of an order another party's refused request must not change. */
const orderFields = Object.keys(Order.properties);
const shown = (order: Fields): Fields =>
  Object.fromEntries(
    orderFields.flatMap((name) => {
      const value = order[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );

/** States that an order may leave by itself while nobody does anything. */
const movesByItself: readonly unknown[] = ['QUOTED', 'EXECUTING'];

/**
 * Judges that doing something left an order as it was, by what its sender reads before and after. Where time alone
 * may have changed it meanwhile (its deadline passed, its settlement went on), nothing is known.
 */
export async function unchanged(
  trial: Trial,
  requirement: RequirementId,
  order: OrderRef & { readonly expiresAt?: number | undefined },
  act: () => Promise<Exchange>,
  by: CastName = 'sender',
): Promise<Exchange> {
  const before = await readOrder(trial, order, by);
  const exchange = await act();
  const after = await readOrder(trial, order, by);
  const [was, is] = [shown(before.data), shown(after.data)];
  const same = JSON.stringify(was) === JSON.stringify(is);
  const latest = after.exchange.received + trial.target.clock.offset.most;
  const expired = order.expiresAt === undefined || latest >= order.expiresAt;
  if (!same && (movesByItself.includes(was['status']) || expired)) {
    trial.undecided(requirement, 'the order may have changed by itself meanwhile');
  } else {
    trial.judge(requirement, same, {
      message: `An order changed by a request that ${said(exchange)}.`,
      expected: was,
      actual: is,
      seen: [before.exchange, exchange, after.exchange],
    });
  }
  return exchange;
}
