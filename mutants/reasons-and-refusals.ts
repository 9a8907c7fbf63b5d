import type { Policy } from '../src/reference/core/index.ts';
import { dropWhen } from './defects/answers.ts';
import { reasonIs } from './defects/conditions.ts';
import { dropPayloadWhen } from './defects/events.ts';
import { rule } from './defects/policy.ts';
import { orderAnswers } from './defects/reading.ts';
import { isObject, type Json } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

type ExpiryReason = Policy['orders']['expiryReason'];

/** Another reason for some expiries. */
const expiring = (
  reason: ReturnType<ExpiryReason>,
  when: (quotes: Parameters<ExpiryReason>[1]) => boolean,
) =>
  rule('orders', ({ expiryReason }) => ({
    expiryReason: (order, quotes, money) =>
      when(quotes) ? reason : expiryReason(order, quotes, money),
  }));

const isCancelled = reasonIs('USER_CANCELLED');
const codeOf = (body: unknown): unknown => isObject(body) && body.code;

/** Reasons that cannot be an order's, and refusals that are no messages of the interface (2.2, 7). */
export const reasonMutations: readonly Written[] = [
  mutation('timeout-for-quoted-expiry', 'order.failure-reason.applies')
    .summary('An order with quotes of which none was accepted expires with the reason TIMEOUT.')
    .tamper(expiring('TIMEOUT', ({ length }) => length > 0)),
  mutation('revert-for-unquoted-expiry', 'order.failure-reason.applies')
    .summary('An order that nobody quoted expires with the reason REVERT.')
    .tamper(expiring('REVERT', ({ length }) => length === 0)),
  mutation('slippage-for-unquoted-expiry', 'order.failure-reason.applies')
    .summary('An order that nobody quoted expires with the reason SLIPPAGE.')
    .tamper(expiring('SLIPPAGE', ({ length }) => length === 0)),
  mutation('cancel-shows-no-reason', 'order.failure-reason.user-cancelled')
    .summary('Orders show why they failed, save those that were cancelled.')
    .together(
      dropWhen(orderAnswers, isCancelled, 'failure_reason'),
      dropPayloadWhen('order_updated', ({ data }) => isCancelled(data), 'failure_reason'),
    ),
  mutation('cancel-of-quoted-shows-no-reason', 'order.failure-reason.user-cancelled')
    .summary('Orders that were cancelled while QUOTED show no reason.')
    .together(
      dropWhen(orderAnswers, (one) => isCancelled(one) && !!one.quote_id, 'failure_reason'),
      dropPayloadWhen(
        'order_updated',
        ({ data, order }) => isCancelled(data) && order?.accepted,
        'failure_reason',
      ),
    ),
  mutation('refusals-coded-as-user-cancelled', 'error.reasons-are-outcomes')
    .summary('What is asked of a cancelled order is refused with the code USER_CANCELLED.')
    .setAnswer(['quote.accept', 'order.cancel', 'quote.submit'], ({ status, body }, { order }) => {
      const isAbout = status >= 400 && order?.failureReason === 'USER_CANCELLED';
      return isAbout && { body: { ...(body as Json), code: 'USER_CANCELLED' } };
    }),
  mutation('dear-quote-refused-as-slippage', 'error.reasons-are-outcomes')
    .summary('Accepting a quote above the maximum is refused with the error SLIPPAGE.')
    .setAnswer('quote.accept', ({ body }) => {
      return codeOf(body) === 'above_maximum' && { body: { error: { code: 'SLIPPAGE' } } };
    }),
  mutation('conflicts-as-web-pages', 'error.body-json')
    .summary('What does not fit the state of an order is refused with a web page.')
    .setAnswer([...orderAnswers, 'quote.submit'], ({ status }) => {
      const page = '<html><body><h1>Conflict</h1></body></html>';
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      return status === 409 && { body: page, headers };
    }),
  mutation('unknown-settlement-in-plain-text', 'error.body-json')
    .summary('A settlement that is not there is refused with a line of text.')
    .setAnswer('settlement.read', ({ status }) => status >= 400 && { body: 'no such settlement' }),
  mutation('refused-quote-answered-with-cut-json', 'error.body-json')
    .summary('A quote with a value that is invalid is refused with JSON that is cut off.')
    .setAnswer('quote.submit', ({ status, body }) => {
      return [400, 422].includes(status) && { body: JSON.stringify(body).slice(0, -1) };
    }),
  mutation('heartbeat-in-plain-text', 'event.payload-json')
    .summary('The data of a heartbeat is a word.')
    .setFrame('heartbeat', (text) => text.replace(/^data:.*$/m, 'data: alive')),
  mutation('heartbeat-without-data', 'event.payload-json')
    .summary('A heartbeat has a name and no data.')
    .setFrame('heartbeat', (text) => text.replace(/^data:.*\n/m, '')),
  mutation('settles-at-once', 'limit.settlement-duration')
    .summary('Settlement takes no time: an order settles in the moment of its acceptance.')
    .deadline((deadline, { now }) => {
      const isOfSettlement = ['settlement-start', 'settlement-leg'].includes(deadline.kind);
      return isOfSettlement ? { ...deadline, at: now } : deadline;
    }),
  mutation('source-amount-is-the-submitted-amount', 'quote.source-amount.agrees-with-rate')
    .also('order.source-amount-actual.agrees-with-rate')
    .summary('What a quote costs is the amount that was submitted, whatever the rate.')
    .storeQuote(({ submittedAmount: amount }) => {
      return { sourceAmount: amount, targetAmount: amount, cost: amount };
    }),
];
