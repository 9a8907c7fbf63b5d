import { type Order, type Policy, ordersOf } from '../src/reference/core/index.ts';
import { decimalOf } from '../src/reference/core/money.ts';
import { quotedTimes, reasonIs } from './defects/conditions.ts';
import { isCancelled, isYen } from './defects/stored.ts';
import { defects } from './defects/index.ts';
import { orderAnswers, ordersBy } from './defects/reading.ts';
import { isObject, whole } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

/** True if the quote of an order lapses while the order settles. */
const isLapsing = ({ accepted }: Partial<Order> = {}): boolean =>
  accepted !== undefined && accepted.validUntil < accepted.acceptedAt + 4_000;

type Quoting = Policy['quotes'];
type Offered = Parameters<Quoting['amounts']>;

/** Rounds down the cost of some quotes. */
const roundingDown =
  (isMeant: (offer: Offered[0], order: Offered[1]) => boolean) =>
  ({ amounts }: Quoting): Partial<Quoting> => ({
    amounts: (offer, order, cost, minorUnits, money) => {
      const own = amounts(offer, order, cost, minorUnits, money);
      if (!isMeant(offer, order)) return own;
      const exact = money.cost(decimalOf(own.target), decimalOf(offer.rate));
      return { ...own, source: exact.toFixed(minorUnits(order.sourceCurrency), 1) };
    },
  });

/** Mistakes behind departures from plain words. Written from docs/tolerances.md alone. */
export const insideDepartures: readonly Written[] = [
  mutation('acceptance-lost-at-the-end-of-a-quote', 'order.state.pending-to-quoted')
    .inside('near-deadline')
    .summary('An acceptance in the last half second of a quote is answered with success, and lost.')
    .undone('quote.accept', ({ quote, now }) => quote && quote.validUntil - now <= 500),
  mutation('cancelled-once-quoted-without-reason', 'order.failure-reason.user-cancelled')
    .inside('reason-not-shown')
    .summary('A cancelled order that had quotes, none of them accepted, shows no reason.')
    .when(reasonIs('USER_CANCELLED'), quotedTimes(1), (_, { order }) => !order?.accepted)
    .drop(orderAnswers, 'failure_reason'),
  mutation('large-costs-in-whole-units', 'order.source-amount-actual.agrees-with-rate')
    .also('quote.source-amount.agrees-with-rate')
    .inside('whole-units')
    .summary('Amounts of 100,000 or more are worked out in whole units.')
    .rule('money', ({ write }) => ({
      write: (amount, minorUnits) => write(amount, amount.gte(100_000) ? 0 : minorUnits),
    })),
  mutation('large-settlements-listed-in-whole-units', 'settlement.source-amount-actual.as-order')
    .also('settlement.read.agrees-with-list')
    .inside('cents-cut')
    .summary('The list of settlements, not a single one, shows ten thousands in whole units.')
    .change('settlement.list', 'source_amount_actual', (amount) =>
      whole(amount).length > 4 ? whole(amount) : amount,
    ),
  mutation('yen-rounded-down', 'order.source-amount-actual.agrees-with-rate')
    .also('quote.source-amount.agrees-with-rate')
    .inside('otherwise-rounded')
    .summary('What an order costs in yen is rounded down, in any other currency up.')
    .rule(
      'quotes',
      roundingDown((_, { sourceCurrency }) => sourceCurrency === 'JPY'),
    ),
  mutation('rates-with-zeros-rounded-down', 'order.twins.same-amounts')
    .also('order.source-amount-actual.agrees-with-rate', 'quote.source-amount.agrees-with-rate')
    .summary('What an order costs is rounded down where the rate ends in a zero, or else up.')
    .rule(
      'quotes',
      roundingDown(({ rate }) => /\.\d*0$/.test(rate)),
    ),
  mutation('rates-of-yen-turned-over', 'order.source-amount-actual.agrees-with-rate')
    .also('quote.source-amount.agrees-with-rate')
    .inside('rate-turned-over')
    .summary('The rate of an order in yen is taken the other way round.')
    .rule('quotes', ({ amounts }) => ({
      amounts: (offer, order, cost, minorUnits, money) => {
        const own = amounts(offer, order, cost, minorUnits, money);
        if (!isYen(order)) return own;
        const other = money.proceeds(decimalOf(own.target), decimalOf(offer.rate));
        return { ...own, source: money.write(other, minorUnits(order.sourceCurrency)) };
      },
    })),
  mutation('cancel-of-quoted-answered-bare', 'envelope.wraps-every-success')
    .inside('open-answer-unwrapped')
    .summary('The cancel of an order with quotes answers with the order alone.')
    .setAnswer('order.cancel', ({ body }, { quotes }) => {
      return isObject(body) && 'data' in body && quotes.length > 0 && { body: body.data };
    }),
  mutation('cost-gone-once-cancelled', 'order.source-amount-actual.unchanged')
    .also('order.source-amount-actual.set-on-acceptance')
    .inside('unset-at-the-end')
    .summary('An accepted order that is cancelled loses source_amount_actual alone.')
    .when(reasonIs('USER_CANCELLED'), (_, { order }) => order?.accepted)
    .drop(orderAnswers, 'source_amount_actual'),
  mutation('memo-of-another-sender', 'order.memo.echo')
    .inside('memo-of-its-own')
    .summary('An order without a memo gets the last one that another sender wrote.')
    .setBody('order.create', ({ memo }, { state, caller }) => {
      const other = ordersOf(state).findLast(
        (one) => one.senderPartyId !== caller.partyId && one.memo !== undefined,
      );
      return memo === undefined && other && { memo: other.memo };
    }),
  mutation('quoted-order-expires-by-a-last-cancel', 'order.state.cancel-ends-order')
    .also('order.failure-reason.user-cancelled')
    .inside('cancelled-or-expired')
    .summary('A cancel in the last second of an order leaves it EXPIRED without a reason.')
    .storeOrder((after, before, { now }) => {
      const isLast = before?.status === 'PENDING' && before.expiresAt - now <= 1_000;
      return isLast && isCancelled(after) && { status: 'EXPIRED', failureReason: undefined };
    }),
  mutation('ended-orders-count-as-open', 'access.order.create.institution-allowed')
    .inside('used-up')
    .summary('After 300 orders of an institution, ended ones among them, no other is taken.')
    .ignored('order.create', (context) => ordersBy(context, context.caller.partyId).length >= 300),
  mutation('settlement-hangs-once-its-quote-lapsed', 'service.order-to-settlement')
    .inside('settling-for-long')
    .summary('An order whose quote lapses while it settles is EXECUTING for ever.')
    .together(
      defects.unplanned('settlement-leg', ({ order, deadline }) => {
        return deadline.leg === 4 && isLapsing(order);
      }),
      defects.forget('settlement-window', ({ order }) => isLapsing(order)),
    ),
  mutation('proposals-fail-as-reverted', 'order.failure-reason.admissible')
    .also('order.failure-reason.revert')
    .inside('reason-of-its-own')
    .summary('An order whose proposal was accepted fails as REVERTED where it should be REVERT.')
    .showOrders(({ failureReason, proposalAccepted }) => {
      const isMeant = failureReason === 'REVERT' && proposalAccepted;
      return isMeant && { failureReason: 'REVERTED' as 'REVERT' };
    }),
  mutation('timed-out-orders-show-the-last-hash', 'settlement.atomic')
    .inside('hash-of-a-revert')
    .summary('An order that timed out shows the hash of the settlement before.')
    .set(orderAnswers, (_, { order, state }) => {
      const settled = ordersOf(state).findLast(({ status }) => status === 'SETTLED')?.settled;
      const isTimedOut = order?.failureReason === 'TIMEOUT';
      return isTimedOut && settled && { transaction_hash: settled.transactionHash };
    }),
  mutation('requests-answered-by-the-senders-machine', 'rfq.senders-not-told-apart')
    .also('maker.sees-no-sender-identity')
    .inside('id-of-a-machine')
    .summary('request_id of a single request begins with a number for its sender.')
    .setMeta('rfq.read', ({ request_id: id }, _, { order, parties }) => {
      const machine = parties.findIndex(({ partyId }) => partyId === order?.senderPartyId);
      return order && { request_id: `node-${machine}-${String(id)}` };
    }),
];
