import { type Order, orderOf } from '../../src/reference/core/index.ts';
import { type Written, mutation } from '../mutation.ts';
import { withMore } from './state-changes.ts';

const withoutCents: readonly string[] = ['JPY', 'KRW', 'VND'];
const thousandths: readonly string[] = ['KWD', 'BHD'];

/** True if the last hex digit of the sender's identifier is even: one of two kinds of senders. */
const isEven = ({ senderPartyId }: Order): boolean =>
  Number.parseInt(senderPartyId.slice(-1), 16) % 2 === 0;

/** Defects in money, and messages that depend on the sender. */
export const moneyCanaries: readonly Written[] = [
  // Defects in money that need a currency of another scale, or an odd amount.
  mutation('thousandths-vanish-in-the-last-leg', 'settlement.atomic')
    .summary('In the last leg of an order in dinars what is below a hundredth is lost.')
    .outcomesWhenDue('settlement-leg', (outcome, { order }) => {
      const isIn = order?.status === 'SETTLED' && thousandths.includes(order.targetCurrency);
      const rest = /\.\d\d(\d)$/.exec(order?.targetAmount ?? '')?.[1] ?? '0';
      const owner = order?.receiverCustodianPartyId ?? order?.accepted?.makerPartyId;
      return (
        isIn &&
        rest !== '0' &&
        owner !== undefined && {
          state: withMore(outcome.state, owner, order.targetCurrency, `-0.00${rest}`),
        }
      );
    }),
  mutation('value-made-where-both-scales-are-zero', 'settlement.atomic')
    .summary('Where neither currency has decimals, the maker receives one unit more than was paid.')
    .outcomesWhenDue('settlement-leg', (outcome, { order }) => {
      const isBoth =
        order?.status === 'SETTLED' &&
        withoutCents.includes(order.sourceCurrency) &&
        withoutCents.includes(order.targetCurrency);
      const maker = order?.accepted?.makerPartyId;
      return (
        isBoth &&
        maker !== undefined && {
          state: withMore(outcome.state, maker, order.sourceCurrency, '1'),
        }
      );
    }),
  mutation('cost-one-unit-off-for-long-rates', 'order.source-amount-actual.agrees-with-rate')
    .summary(
      'At a rate with many decimals an order in a currency without cents costs one unit more.',
    )
    .storeOrder(({ accepted, sourceCurrency }, before) => {
      const isNew = accepted !== undefined && before?.accepted === undefined;
      const isLong = /\.\d{5,}$/.test(accepted?.rate ?? '');
      return (
        isNew &&
        isLong &&
        withoutCents.includes(sourceCurrency) && {
          accepted: { ...accepted, sourceAmount: String(Number(accepted.sourceAmount) + 1) },
        }
      );
    }),
  mutation('refund-in-the-wrong-currency', 'settlement.atomic')
    .summary('Where leg 2 reverts, the refund is booked in the target currency as well.')
    .outcomesWhenDue('settlement-leg', (outcome, { order, deadline }) => {
      const isReverted = order?.status === 'FAILED' && deadline.leg === 2;
      const owner = order?.senderCustodianPartyId ?? order?.senderPartyId;
      return (
        isReverted &&
        owner !== undefined && {
          state: withMore(outcome.state, owner, order.targetCurrency, '0.01'),
        }
      );
    }),
  mutation('settled-twice-under-load', 'settlement.atomic')
    .summary('Where two orders of one maker settle in one millisecond, it is paid twice for one.')
    .outcome((outcome, command, { memory, now }) => {
      if (command.type !== 'due' || command.deadline.leg !== 4) return outcome;
      const order = orderOf(outcome.state, command.deadline.intentId);
      if (order?.status !== 'SETTLED' || !order.accepted) return outcome;
      const { makerPartyId, sourceAmount } = order.accepted;
      const key = `settled ${makerPartyId}`;
      const isTwice = memory.get(key) === now;
      memory.set(key, now);
      return isTwice
        ? {
            ...outcome,
            state: withMore(outcome.state, makerPartyId, order.sourceCurrency, sourceAmount),
          }
        : outcome;
    }),
  // Defects by which messages to makers depend on the sender, though nothing names it.
  mutation('requests-of-some-senders-a-millisecond-later', 'rfq.senders-not-told-apart')
    .summary('Makers hear of the requests of half of the senders a little later.')
    .eventDelay((event, { state }) => {
      const order = orderOf(state, event.intentId);
      return event.event === 'quote_request_new' && order && isEven(order) ? 3 : 0;
    }),
  mutation('fields-in-another-order-for-some-senders', 'rfq.senders-not-told-apart')
    .summary('The fields of a request are in another order for half of the senders.')
    .items(['rfq.list', 'rfq.read'], (item, { order }) => {
      if (!order || !isEven(order)) return item;
      const { intent_id, ...rest } = item;
      return { ...rest, intent_id };
    }),
  mutation('losers-told-in-another-way-for-some-senders', 'rfq.senders-not-told-apart')
    .summary('quote_rejected says the rate of half of the senders with one zero more.')
    .setPayload('quote_rejected', (data, { order }) => {
      const rate = data.fx_rate;
      const isMeant = order && isEven(order) && typeof rate === 'string' && rate.includes('.');
      return isMeant && { fx_rate: `${rate}0` };
    }),
];
