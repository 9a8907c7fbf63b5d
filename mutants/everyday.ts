import { type Order, type Policy, ordersOf, quotesOf } from '../src/reference/core/index.ts';
import { dropWhen } from './defects/answers.ts';
import { isPending, reasonIs } from './defects/conditions.ts';
import type { Asking } from './defects/context.ts';
import { dropPayloadWhen } from './defects/events.ts';
import { rule } from './defects/policy.ts';
import {
  openRequestsOf,
  orderAnswers,
  ordersBy,
  part,
  senderOf,
  viewsOf,
} from './defects/reading.ts';
import { type Json, cut, isObject, momentOf } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const hex = /^(0x)?[0-9a-f]+$/i;
const decimal = /^\d+(\.\d+)?$/;

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

/** A number derived from a text, different for almost all texts. */
const numberOf = (text: string): number => {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 99_991;
  return sum;
};

const deskOf = ({ senderPartyId }: Order): number => numberOf(senderPartyId);
const makers = ['rfq.list', 'rfq.read'] as const;

const dayMs = 24 * 3_600_000;
const dayOf = (moment: number): number => Math.floor(moment / dayMs);

/** True if a PENDING order is within its last second. */
const isLastSecond = ({ order, now }: Asking): boolean =>
  order !== undefined && isPending(order) && now >= order.expiresAt - 1_000;

/** Ordinary requests, reasons, anonymity, and last moments (2 to 4, 7). */
export const everydayMutations: readonly Written[] = [
  // Defects in ordinary requests that hardly any example shows (3.1, 4 and 7).
  mutation('signatures-of-any-shape', 'order.create.malformed-signature-refused')
    .summary('The signature of an order may be any text.')
    .setBody('order.create', ({ intent_signature: signature }) => {
      const isOther = typeof signature === 'string' && !hex.test(signature);
      return isOther && { intent_signature: '00' };
    }),
  mutation('memo-of-any-type', 'order.create.other-type-refused')
    .summary('A memo that is an object is kept as its JSON.')
    .setBody('order.create', ({ memo }) => isObject(memo) && { memo: JSON.stringify(memo) }),
  mutation('unreadable-quote-amount-is-the-order-s', 'quote.submit.malformed-amount-refused')
    .summary("A quote whose amount cannot be read is for the order's.")
    .setBody('quote.submit', ({ target_amount: sent }, { order }) => {
      const isOther = typeof sent === 'string' && !decimal.test(sent);
      return order && isOther && { target_amount: order.targetAmount };
    }),
  mutation('empty-rate-means-one', 'quote.submit.missing-rate-refused')
    .summary('A rate that is an empty text means one.')
    .setBody('quote.submit', ({ fx_rate: rate }) => rate === '' && { fx_rate: '1' }),
  mutation('whole-amounts-are-cents-in-lists', 'order.target-amount.echo')
    .summary('Lists take an amount without a point for one in cents.')
    .set('order.list', (_, { order }) => {
      const { targetAmount: amount = '.' } = order ?? {};
      const cents = `${amount.slice(0, -2) || '0'}.${amount.slice(-2)}`;
      return !amount.includes('.') && { target_amount: cents };
    }),
  mutation('zeros-at-the-end-of-a-rate-as-exponent', 'own-quote.fx-rate.form')
    .also('convention.amounts-as-strings')
    .summary('A rate with zeros at its end is given back in exponent form.')
    .change('quote.submit', 'fx_rate', (rate) => (/\.\d*0$/.test(rate) ? `${rate}e0` : rate)),
  mutation('accepted-rate-with-eight-decimals', 'order.fx-rate.of-accepted-quote')
    .summary('An order keeps eight decimals of the rate of its accepted quote.')
    .change(orderAnswers, 'fx_rate', (value) => cut(value, 8)),
  mutation('memo-of-digits-is-a-number', 'order.memo.echo')
    .summary('A memo of digits is stored as a number, and loses the zeros it begins with.')
    .change(orderAnswers, 'memo', (memo) => memo.replace(/^0+(?=\d+$)/, '')),
  mutation('apostrophes-of-a-memo-doubled', 'order.memo.echo')
    .summary('Each apostrophe of a memo is read back as two.')
    .change(orderAnswers, 'memo', (memo) => memo.replaceAll("'", "''")),
  mutation('no-memo-is-the-last-one', 'order.memo.echo')
    .summary('An order that was created without a memo shows that of the order before it.')
    .set(['order.read', 'order.create'], ({ memo, sender_party_id: sender }, context) => {
      const last = ordersBy(context, sender).findLast((order) => order.memo !== undefined);
      return typeof memo !== 'string' && last && { memo: last.memo };
    }),
  mutation('requests-without-a-memo-not-listed', 'rfq.list.holds-new-request')
    .summary('Requests of orders without a memo are on no list.')
    .lists('rfq.list', (context) =>
      ordersOf(context.state)
        .filter(({ memo, status }) => memo !== undefined && status === 'PENDING')
        .map(viewsOf(context).rfqItem),
    ),
  mutation('no-cancel-without-a-memo', 'order.cancel.pending')
    .summary('An order without a memo cannot be cancelled.')
    .lost('order.cancel', ({ order }) => order && order.memo === undefined),
  mutation('unknown-order-shows-other-quotes', 'order.quotes.unknown-refused')
    .summary('The quotes of an order that does not exist are those of the last one that does.')
    .requests('order.quotes', (request, { order, state }) => {
      const last = ordersOf(state).findLast(({ id }) => quotesOf(state, id).length > 0);
      const isElsewhere = !order && last;
      return isElsewhere && { ...request, caller: senderOf(last), params: { intent_id: last.id } };
    }),
  mutation('quoted-orders-cannot-be-cancelled', 'order.cancel.pending-with-quotes')
    .summary('A pending order that has two quotes or more cannot be cancelled.')
    .ignored('order.cancel', ({ quotes }) => quotes.length >= 2),
  mutation('sender-custodian-kept-from-orders', 'order.read.by-sender-custodian')
    .summary('An order can be read by its sender and the custodian of its receiver only.')
    .allow('order.read', 'sender', 'receiver-custodian'),
  mutation('execution-never-shown', 'order.state.quoted-to-executing')
    .summary('An order is shown as QUOTED until it has settled.')
    .showOrders((order) => order.status === 'EXECUTING' && { status: 'QUOTED' }),
  // Reasons that cannot be an order's, and refusals that are no messages of the interface (2.2, 7).
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
  // Requests of different senders that can be told apart, though nothing names the sender (2.4).
  mutation('requests-numbered-by-desk', 'rfq.senders-not-told-apart')
    .summary('Requests carry a number that stands for their sender.')
    .leak(makers, (order) => ({ desk: deskOf(order) })),
  mutation('request-references-begin-alike', 'rfq.senders-not-told-apart')
    .summary('The reference of a request is a number for its sender, and one for the request.')
    .leak('rfq.read', (order) => ({ details: { reference: `R${deskOf(order)}-${order.seq}` } })),
  mutation('requests-told-with-a-pseudonym', 'rfq.senders-not-told-apart')
    .summary('quote_request_new names the sender by a pseudonym that each maker has for itself.')
    .setPayload('quote_request_new', (_, { order, to }) => ({
      client: numberOf(`${to} ${order?.senderPartyId}`).toString(36),
    })),
  mutation('header-of-a-request-tells-its-shard', 'rfq.senders-not-told-apart')
    .summary('A header of a single request says on which shard its sender is kept.')
    .setAnswer('rfq.read', ({ headers }, { order }) => {
      return order && { headers: { ...headers, 'x-shard': `s${deskOf(order)}` } };
    }),
  mutation('own-quotes-tell-the-counterparty', 'rfq.senders-not-told-apart')
    .summary("A maker's own quotes carry a number for the institution that they were made to.")
    .set(['quote.list', 'rfq.quotes'], (_, { order }) => order && { account: deskOf(order) }),
  mutation('requests-filtered-by-sender', 'rfq.list.answers-nothing-of-senders')
    .summary('A maker that knows the identifier of a sender can list its requests.')
    .lists('rfq.list', (context) => {
      const { sender_party_id: asked } = context.query;
      return (
        asked !== undefined &&
        openRequestsOf(context, ({ senderPartyId }) => senderPartyId === asked)
      );
    }),
  mutation('requests-counted-by-sender', 'rfq.list.answers-nothing-of-senders')
    .summary('The number of requests is that of one sender, where a maker asks for it.')
    .setPagination('rfq.list', (_, context) => {
      const { sender_party_id: asked } = context.query;
      const count = openRequestsOf(context, ({ senderPartyId }) => senderPartyId === asked).length;
      return asked !== undefined && { total_items: count };
    }),
  mutation('requests-filtered-by-custodian', 'rfq.list.answers-nothing-of-senders')
    .summary('A maker that knows the identifier of a custodian can list the requests it keeps.')
    .lists('rfq.list', (context) => {
      const { sender_custodian_party_id: asked } = context.query;
      const isKept = (order: Order): boolean => order.senderCustodianPartyId === asked;
      return asked !== undefined && openRequestsOf(context, isKept);
    }),
  mutation('receiver-hears-updates', 'event.order-updated.not-to-receiver')
    .summary('order_updated goes to the institution that is to receive as well.')
    .alsoTo('order_updated', ({ order }) => order?.receiverPartyId),
  mutation('receiver-hears-of-the-settlement', 'event.order-updated.not-to-receiver')
    .summary('The institution that is to receive is told when an order has settled.')
    .alsoTo('order_updated', ({ order, status }) => status === 'SETTLED' && order?.receiverPartyId),
  // Defects in the last second before a deadline, and at midnight (2.2, 3.1).
  mutation('cancel-of-the-last-second-is-lost', 'order.state.cancel-ends-order')
    .also('order.failure-reason.user-cancelled')
    .summary('A cancel in the last second of an order is answered with success and not done.')
    .undone('order.cancel', isLastSecond),
  mutation('cancel-of-the-last-second-refused', 'order.cancel.pending-with-quotes')
    .summary('An order cannot be cancelled any more in the last second of its life.')
    .ignored('order.cancel', isLastSecond),
  mutation('quote-of-the-last-second-is-lost', 'quote.submit.shown-to-order-side')
    .also('rfq.quotes.complete')
    .summary('A quote in the last second of a request is answered with 201 and not kept.')
    .undone('quote.submit', isLastSecond),
  mutation('quote-of-the-last-second-is-not-told', 'event.quote-received.sent')
    .summary('A quote in the last second of a request is kept, and nobody hears of it.')
    .outcomes('quote.submit', (_, context) => isLastSecond(context) && { events: [] }),
  mutation('acceptance-of-the-last-second-is-lost', 'order.state.legal-under-race')
    .summary('An acceptance in the last second of an order is answered with success and not done.')
    .undone('quote.accept', isLastSecond),
  mutation('orders-of-yesterday-not-listed', 'order.list.complete')
    .summary('Lists of orders begin with those of today.')
    .hideOrders(({ createdAt }, { now }) => dayOf(createdAt) !== dayOf(now)),
  mutation('requests-of-yesterday-not-listed', 'rfq.list.holds-new-request')
    .summary('Requests are listed on the day of their creation only.')
    .listRequests((order, { now }) => isPending(order) && dayOf(order.createdAt) === dayOf(now)),
  mutation('settlement-rests-at-midnight', 'order.state.executing-to-settled')
    .summary('A settlement that is under way when a day ends is never completed.')
    .unplanned('settlement-leg', ({ order, deadline, now }) => {
      return order && dayOf(deadline.at) !== dayOf(order.accepted?.acceptedAt ?? now);
    }),
  mutation('expiry-on-the-day-of-creation', 'order.expires-at.after-creation')
    .summary('expires_at has the date of creation with the time of its deadline.')
    .showOrders(({ createdAt, expiresAt }) => ({
      expiresAt: dayOf(createdAt) * dayMs + (expiresAt % dayMs),
    })),
  mutation('quotes-lapse-with-the-day', 'quote.state.pending-to-expired.not-early')
    .summary('A PENDING quote of yesterday is shown as EXPIRED, however long it is valid.')
    .when(isPending, (item, { now }) => dayOf(momentOf(item.submitted_at)) !== dayOf(now))
    .set(['order.quotes', 'rfq.quotes', 'quote.list'], { status: 'EXPIRED' }),
  mutation('tokens-end-with-the-day', 'auth.token-lasts-until-expiry')
    .summary('A token is refused once the day of its issue is over.')
    .bar(({ authorization, now }) => {
      const { exp } = part(authorization, 1) ?? {};
      return typeof exp === 'number' && dayOf(exp * 1_000 - 3_600_000) !== dayOf(now);
    }),
];
