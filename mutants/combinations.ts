import type { Order } from '../src/reference/core/index.ts';
import type { Asking, Subject } from './defects/context.ts';
import { mutation, type Written } from './mutation.ts';

type Quoted = Pick<Subject, 'order' | 'quotes'>;

/** True if a quote of this order lapsed while nobody had accepted another. */
const hasLapsed = ({ quotes }: Quoted): boolean =>
  quotes.some(({ status }) => status === 'EXPIRED');

const isByCustodian = ({ caller }: Pick<Asking, 'caller'>): boolean => caller.role === 'custodian';

/** True if an order was accepted within its last ten seconds. `now`: moment of an acceptance that is under way. */
const wasAcceptedLate = (order: Order | undefined, now = 0): boolean =>
  order !== undefined && (order.accepted?.acceptedAt ?? now) >= order.expiresAt - 10_000;

const isYen = (order: Order | undefined): boolean =>
  order !== undefined && [order.sourceCurrency, order.targetCurrency].includes('JPY');

const isLarge = (order: Order | undefined): boolean =>
  order !== undefined && /^\d{8}/.test(order.targetAmount);

const isSmall = (order: Order | undefined): boolean =>
  order !== undefined && order.targetAmount.startsWith('0.');

const makersOf = ({ quotes }: Quoted): number =>
  new Set(quotes.map(({ makerPartyId }) => makerPartyId)).size;

/** Defects that need two or three moments of an order's course together (3, 4, 6). */
export const combinationMutations: readonly Written[] = [
  mutation('custodian-refused-where-a-rival-lapsed', 'service.sender-custodian-accepts')
    .summary('A custodian cannot accept on an order of which another quote has lapsed.')
    .ignored('quote.accept', (asked) => isByCustodian(asked) && hasLapsed(asked)),
  mutation('late-acceptance-with-a-proposal-hangs', 'order.state.executing-to-failed')
    .also('order.state.executing-to-settled')
    .summary('An order whose proposal was accepted, and a quote shortly before its end, hangs.')
    .unplanned('settlement-leg', ({ order, now }) => {
      return order?.proposalAccepted && wasAcceptedLate(order, now);
    }),
  mutation(
    'acceptance-of-the-last-second-after-a-lapse-is-lost',
    'order.accepted.sets-quote-fields',
  )
    .also('order.state.pending-to-quoted', 'order.state.legal-under-race')
    .summary('Where a quote has lapsed, an acceptance in the last second of another is not done.')
    .outcomes('quote.accept', ({ reply }, { order, quote, quotes, state, now }) => {
      const isLast = quote !== undefined && quote.validUntil - now < 1_000;
      return (
        isLast && reply?.ok && hasLapsed({ order, quotes }) && { state, events: [], deadlines: [] }
      );
    }),
  mutation('settlement-untold-once-a-quote-came-late', 'event.settlement-completed.sent')
    .summary(
      'A maker is not told of a settlement in yen, or below one unit, that was accepted shortly before the end.',
    )
    .unsent('settlement_completed', ({ order }) => {
      return wasAcceptedLate(order) && (isYen(order) || isSmall(order));
    }),
  mutation('two-losers-of-a-late-acceptance-not-told', 'event.quote-rejected.sent')
    .summary('Where two makers lose by an acceptance shortly before the end, neither is told.')
    .unsent('quote_rejected', ({ order, quotes }) => {
      return wasAcceptedLate(order) && makersOf({ order, quotes }) > 2;
    }),
  mutation('failed-yen-orders-told-to-nobody-with-proposal', 'event.order-updated.on-failed')
    .summary('That an order in yen with an accepted proposal failed is told to nobody.')
    .unsent('order_updated', ({ order, status }) => {
      return status === 'FAILED' && order?.proposalAccepted && isYen(order);
    }),
  mutation('large-orders-with-a-proposal-go-on-after-a-cancel', 'order.state.cancel-ends-order')
    .summary(
      'A cancel of a large order with an accepted proposal and quotes of two makers is lost.',
    )
    .outcomes('order.cancel', ({ reply }, { order, quotes, state }) => {
      const isMeant = isLarge(order) && order?.proposalAccepted && makersOf({ order, quotes }) > 1;
      return isMeant && reply?.ok && { state, events: [], deadlines: [] };
    }),
  mutation('small-orders-with-lapsed-quotes-do-not-expire', 'order.state.pending-to-expired')
    .summary('An order below one unit with three quotes, one of them lapsed, does not expire.')
    .forget('order-expiry', ({ order, quotes }) => {
      return isSmall(order) && quotes.length > 2 && hasLapsed({ order, quotes });
    }),
  mutation('large-orders-of-a-late-acceptance-hang', 'order.state.executing-to-failed')
    .also('order.state.executing-to-settled')
    .summary('A large order that was accepted seconds before its deadline stays EXECUTING.')
    .unplanned('settlement-leg', ({ order, now }) => {
      return isLarge(order) && wasAcceptedLate(order, now);
    }),
  mutation('own-rival-undoes-the-custodians-acceptance', 'service.sender-custodian-accepts')
    .summary('A custodian cannot accept the second of two quotes of a maker on a large order.')
    .ignored('quote.accept', (asked) => {
      const { order, quotes, quote } = asked;
      const own = quotes.filter(({ makerPartyId }) => makerPartyId === quote?.makerPartyId);
      return isByCustodian(asked) && isLarge(order) && own.length > 1;
    }),
];
