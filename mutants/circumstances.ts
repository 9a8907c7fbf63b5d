import { orderOf } from '../src/reference/core/index.ts';
import type { Order } from '../src/reference/core/index.ts';
import { part } from './defects/reading.ts';
import { mutation, type Written } from './mutation.ts';

const isYen = (order: Order | undefined): boolean =>
  order !== undefined && [order.sourceCurrency, order.targetCurrency].includes('JPY');

/** A whole amount, as if its last two digits were cents. */
const inHundreds = (amount = ''): string =>
  amount.replace(/^(\d*)(\d\d)$/, (_, units, rest) => `${units || '0'}.${rest}`);

const isLarge = (order: Order | undefined): boolean =>
  order !== undefined && /^\d{8}/.test(order.targetAmount);

/** Defects that need two or three circumstances together, each harmless alone (2 to 4, 6). */
export const circumstanceMutations: readonly Written[] = [
  mutation('yen-settle-slowly', 'limit.settlement-duration')
    .summary('An order in yen takes five seconds more to settle.')
    .deadline((deadline, { state }) => {
      const isLast = deadline.kind === 'settlement-leg' && deadline.leg === 4;
      const isSlow = isLast && isYen(orderOf(state, deadline.intentId));
      return isSlow ? { ...deadline, at: deadline.at + 5_000 } : deadline;
    }),
  mutation('yen-in-hundreds-for-makers', 'rfq.target-amount.as-order')
    .summary('Requests for yen are shown with an amount in hundreds, as if yen had cents.')
    .set(['rfq.list', 'rfq.read'], (_, { order }) => {
      return order?.targetCurrency === 'JPY' && { target_amount: inHundreds(order.targetAmount) };
    }),
  mutation('yen-delivered-in-hundreds', 'settlement.mm-delivered-target-amount.as-order')
    .summary('What a maker delivered in yen is shown in hundreds.')
    .set(['settlement.list', 'settlement.read'], (_, { order }) => {
      const { targetCurrency, targetAmount } = order ?? {};
      return targetCurrency === 'JPY' && { mm_delivered_target_amount: inHundreds(targetAmount) };
    }),
  mutation('yen-without-their-last-digits-in-lists', 'order.list.agrees-with-read')
    .also('order.target-amount.echo')
    .summary('Lists of orders cut yen to hundreds of thousands.')
    .set('order.list', (_, { order }) => {
      const { targetCurrency, targetAmount } = order ?? {};
      return (
        targetCurrency === 'JPY' && {
          target_amount: targetAmount?.replace(/\d{5}$/, '00000'),
        }
      );
    }),
  mutation('large-orders-never-expire', 'order.state.pending-to-expired')
    .summary('An order of ten millions or more does not expire.')
    .forget('order-expiry', ({ order }) => isLarge(order)),
  mutation('yen-quotes-do-not-lapse', 'quote.state.pending-to-expired')
    .summary('Quotes on orders in yen stay PENDING when their deadline has passed.')
    .forget('quote-expiry', ({ order }) => isYen(order)),
  mutation('large-orders-cannot-be-cancelled-once-quoted', 'order.cancel.pending')
    .also('order.cancel.pending-with-quotes')
    .summary('An order of ten millions or more that has a quote cannot be cancelled.')
    .ignored('order.cancel', ({ order, quotes }) => isLarge(order) && quotes.length > 0),
  mutation('custodian-rejects-nobody-of-large-orders', 'quote.state.pending-to-rejected')
    .also('quote.state.pending-to-rejected.by-custodian')
    .summary('Where a custodian accepts on an order of ten millions or more, rivals stay PENDING.')
    .storeQuote(({ status, targetAmount }, _before, { command }) => {
      const isByCustodian = command.type === 'request' && command.caller.role === 'custodian';
      const isPassedOver = status === 'REJECTED' && /^\d{8}/.test(targetAmount);
      return isPassedOver && isByCustodian && { status: 'PENDING' };
    }),
  mutation('updates-lost-after-a-proposal', 'event.order-updated.on-settled')
    .also('event.order-updated.sent')
    .summary(
      'Of an order in yen whose proposal was accepted the sender is not told that it settled.',
    )
    .unsent('order_updated', ({ order, status, toSender }) => {
      return toSender && status === 'SETTLED' && order?.proposalAccepted && isYen(order);
    }),
  mutation('rejection-untold-without-memo', 'event.quote-rejected.sent')
    .summary('Where an order has no memo and its custodian accepts, losers are not told.')
    .unsent('quote_rejected', ({ order }) => order?.memo === undefined && order?.proposalAccepted),
  mutation('large-orders-of-one-custodian-not-settled', 'order.state.executing-to-settled')
    .summary('An order of ten millions with one custodian for both sides executes for ever.')
    .unplanned('settlement-leg', ({ order }) => {
      const isJoint = order?.senderCustodianPartyId === order?.receiverCustodianPartyId;
      return isJoint && isLarge(order);
    }),
  mutation('small-orders-cancelled-once-quoted-go-on', 'order.state.cancel-ends-order')
    .summary('A cancel of an order below one unit is lost where a custodian accepted its quote.')
    .outcomes('order.cancel', (_, { order, state }) => {
      const isSmall = order?.targetAmount.startsWith('0.');
      return isSmall && order?.accepted && { state, events: [], deadlines: [] };
    }),
  mutation('third-quote-of-a-large-order-hidden-from-custodian', 'order.quotes.custodian-sees-same')
    .summary('A custodian sees the first quote alone on orders of ten millions or more.')
    .listQuotes(({ party, order, quotes }) => {
      return party?.role === 'custodian' && isLarge(order) && quotes.slice(0, 1);
    }),
  mutation('of-two-tokens-at-once-the-first-is-bad', 'auth.fresh-token-accepted')
    .summary('Of two tokens that are asked for at once only the last is good.')
    .tamper(() => {
      const latest = new Map<unknown, number>();
      return {
        claims: (own, context) => {
          const { now } = context;
          const jti = context.count('tokens');
          latest.set(`${String(own.sub)} ${now}`, jti);
          return { ...own, jti: `${jti}`, iat_ms: now };
        },
        admits: (decided, { authorization }) => {
          const { sub, jti, iat_ms: issued } = part(authorization, 1) ?? {};
          const last = latest.get(`${String(sub)} ${String(issued)}`);
          const isReplaced = last !== undefined && String(last) !== jti;
          return decided === 'admitted' && isReplaced ? false : undefined;
        },
      };
    }),
  mutation('tokens-asked-for-at-once-are-mixed-up', 'token.create.no-token-needed')
    .summary('Of two tokens that are asked for at once the second is refused.')
    .setAnswer('token.create', (_, { now, party, memory }) => {
      const key = `token ${party?.partyId} ${now}`;
      const isSecond = memory.has(key);
      memory.set(key, true);
      return isSecond && { status: 409, body: { code: 'busy' } };
    }),
];
