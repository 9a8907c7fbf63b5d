import { type Order, type Quote, ordersOf } from '../src/reference/core/index.ts';
import { withOrder } from './canaries/state-changes.ts';
import { statusIs } from './defects/conditions.ts';
import {
  isByCustodian,
  isCancelled,
  isLarge,
  isOfCustodian,
  isYen,
  quotesBy,
} from './defects/stored.ts';
import { delayed, outcomes } from './defects/outcomes.ts';
import { part } from './defects/reading.ts';
import { momentOf, shifted } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';
import { isNoId } from './refusals.ts';

/** A whole amount, as if its last two digits were cents. */
const inHundreds = (amount = ''): string =>
  amount.replace(/^(\d*)(\d\d)$/, (_, units, rest) => `${units || '0'}.${rest}`);

/** A multiple of ten as some decimal libraries print it by default. */
const asExponent = (amount: unknown): string => {
  const [, digits = '', zeros = ''] = /^(\d*[1-9])(0+)(?:\.0+)?$/.exec(String(amount)) ?? [];
  return zeros === '' ? String(amount) : `${digits}E+${zeros.length}`;
};

/** True if an order was accepted within its last ten seconds. `now`: moment of an acceptance that is under way. */
const wasAcceptedLate = (order: Order | undefined, now = 0): boolean =>
  order !== undefined && (order.accepted?.acceptedAt ?? now) >= order.expiresAt - 10_000;

const isSmall = (order: Order | undefined): boolean =>
  order !== undefined && order.targetAmount.startsWith('0.');

const makersOf = (quotes: readonly Quote[]): number =>
  new Set(quotes.map(({ makerPartyId }) => makerPartyId)).size;

const setsQuoteFields = 'order.accepted.sets-quote-fields';

/** Defects that need several circumstances together, and bugs of real systems. */
export const circumstanceMutations: readonly Written[] = [
  // Defects that need two or three circumstances together, each harmless alone (2 to 4, 6).
  mutation('yen-settle-slowly', 'limit.settlement-duration')
    .summary('An order in yen takes five seconds more to settle.')
    .delayed('settlement-leg', 5_000, ({ deadline, order }) => deadline.leg === 4 && isYen(order)),
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
      const cut = targetAmount?.replace(/\d{5}$/, '00000');
      return targetCurrency === 'JPY' && { target_amount: cut };
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
      const isPassedOver = status === 'REJECTED' && /^\d{8}/.test(targetAmount);
      return isPassedOver && isOfCustodian(command) && { status: 'PENDING' };
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
    .undone('order.cancel', ({ order }) => isSmall(order) && order?.accepted),
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
  // Bugs of kinds that order, payment and event systems had, each in one place of many.
  mutation('list-derives-expiry-from-the-deadline', 'order.list.agrees-with-read')
    .also('order.state.settled-absorbs')
    .summary('The list of orders shows a SETTLED order as EXPIRED once `expires_at` has passed.')
    .set('order.list', (item, { now, order }) => {
      return item.status === 'SETTLED' && now >= Number(order?.expiresAt) && { status: 'EXPIRED' };
    }),
  mutation('listed-validity-cut-to-the-order', 'quote.views-agree')
    .summary("The order's side sees a `valid_until` cut to `expires_at`; its maker the longer one.")
    .set('order.quotes', ({ valid_until: until }, { order }) => {
      const { expiresAt = Infinity } = order ?? {};
      return momentOf(until) > expiresAt && { valid_until: new Date(expiresAt).toISOString() };
    }),
  mutation('update-with-an-internal-state', 'order.status.form')
    .summary('The update of an order whose accepted quote lapsed carries a state of the inside.')
    .setPayload('order_updated', (_, { order, status }) => {
      return status === 'EXPIRED' && order?.accepted && { status: 'QUOTE_LAPSED' };
    }),
  mutation('requests-of-reverted-orders-come-back', 'rfq.list.accepted-order-left')
    .summary('The request of an order that was reverted is listed again until `expires_at`.')
    .listRequests(({ status, failureReason, expiresAt }, { now }) => {
      return status === 'PENDING' || (failureReason === 'REVERT' && now < expiresAt);
    }),
  mutation('refused-acceptance-expires-the-order', 'order.failure-reason.applies')
    .summary('An acceptance between `expires_at` and the next sweep ends its order as a TIMEOUT.')
    .together(
      delayed('order-expiry', 1_500),
      outcomes('quote.accept', (outcome, { order, now }) => {
        if (order?.status !== 'PENDING' || now < order.expiresAt) return undefined;
        const { id, senderPartyId, senderCustodianPartyId } = order;
        const data = { intent_id: id, status: 'EXPIRED' };
        const told = [senderPartyId, senderCustodianPartyId].flatMap((to) =>
          to === undefined ? [] : [{ event: 'order_updated' as const, to, intentId: id, data }],
        );
        const ended = { status: 'EXPIRED', failureReason: 'TIMEOUT' } as const;
        const state = withOrder(outcome.state, id, ended);
        return { events: [...outcome.events, ...told], state };
      }),
    ),
  mutation('timers-of-closed-streams-go-on', 'event.heartbeat.order-stream')
    .also('limit.heartbeat-interval.order-stream')
    .summary("A party's second stream carries the heartbeats of its first one as well.")
    .setFrame('heartbeat', (text, { memory, party, stream }) => {
      const first = (memory.get(`first ${party?.partyId}`) as number | undefined) ?? stream;
      memory.set(`first ${party?.partyId}`, first);
      return stream > first ? text + text : text;
    }),
  mutation('bursts-lose-an-event', 'event.order-updated.sent')
    .also('event.quote-received.every-quote')
    .summary('A stream holds six messages: of a burst of more the others are lost.')
    .frame((text, context) => {
      const { now, stream, event } = context;
      if (event === 'heartbeat' || event === 'connected') return text;
      return context.count(`${stream} ${now}`) > 6 ? undefined : text;
    }),
  mutation('computed-tens-with-an-exponent', 'order.source-amount-actual.form')
    .summary('An amount that was computed and is a multiple of ten is written with an exponent.')
    .change(['order.read', 'order.list'], 'source_amount_actual', asExponent),
  mutation('cancelled-orders-expire-once-more', 'event.order-updated.once')
    .summary('The sweep at `expires_at` announces orders once more that were cancelled before.')
    .event((event, { now, state, memory }) => {
      const late = ordersOf(state).filter((order) => {
        const isOwn = order.senderPartyId === event.to && !memory.has(order.id);
        return isCancelled(order) && isOwn && order.expiresAt <= now;
      });
      const again = late.map(({ id, status }) => {
        memory.set(id, true);
        const data = { intent_id: id, status };
        return { ...event, event: 'order_updated', intentId: id, data };
      });
      return [event, ...again];
    }),
  mutation('totals-count-rows-of-a-join', 'pagination.total-items.counts')
    .summary('The total of the list of orders counts an order once for each of its quotes.')
    .setPagination('order.list', ({ total_items: all, page_size: size }, { state }, data) => {
      const extra = data.reduce<number>((sum, item) => {
        const id = (item as { intent_id: string }).intent_id;
        const quotes = [...state.version.read().quotes.all()].filter((one) => one.intentId === id);
        return sum + Math.max(0, quotes.length - 1);
      }, 0);
      return { total_items: all + extra, total_pages: Math.ceil((all + extra) / size) };
    }),
  mutation('malformed-id-fails-one-endpoint', 'error.refusal-is-4xx')
    .summary('A settlement that is asked for by a malformed id is answered with a fault.')
    .fault('settlement.read', (_, { params }) => isNoId(params.intent_id)),
  mutation('one-list-in-local-time', 'settlement.read.agrees-with-list')
    .summary('The list of settlements shows local time, two hours ahead, with a Z.')
    .change('settlement.list', 'settled_at', (at) => shifted(at, 2 * 3_600_000)),
  // Defects that need two or three moments of an order's course together (3, 4, 6).
  mutation('custodian-refused-where-a-rival-lapsed', 'service.sender-custodian-accepts')
    .summary('A custodian cannot accept on an order of which another quote has lapsed.')
    .ignored(
      'quote.accept',
      (asked) => isByCustodian(asked) && asked.quotes.some(statusIs('EXPIRED')),
    ),
  mutation('late-acceptance-with-a-proposal-hangs', 'order.state.executing-to-failed')
    .also('order.state.executing-to-settled')
    .summary('An order whose proposal was accepted, and a quote shortly before its end, hangs.')
    .unplanned('settlement-leg', ({ order, now }) => {
      return order?.proposalAccepted && wasAcceptedLate(order, now);
    }),
  mutation('acceptance-of-the-last-second-after-a-lapse-is-lost', setsQuoteFields)
    .also('order.state.pending-to-quoted', 'order.state.legal-under-race')
    .summary('Where a quote has lapsed, an acceptance in the last second of another is not done.')
    .undone('quote.accept', ({ quote, quotes, now }) => {
      return quote && quote.validUntil - now < 1_000 && quotes.some(statusIs('EXPIRED'));
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
      return wasAcceptedLate(order) && makersOf(quotes) > 2;
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
    .undone('order.cancel', ({ order, quotes }) => {
      return isLarge(order) && order?.proposalAccepted && makersOf(quotes) > 1;
    }),
  mutation('small-orders-with-lapsed-quotes-do-not-expire', 'order.state.pending-to-expired')
    .summary('An order below one unit with three quotes, one of them lapsed, does not expire.')
    .forget('order-expiry', ({ order, quotes }) => {
      return isSmall(order) && quotes.length > 2 && quotes.some(statusIs('EXPIRED'));
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
      const own = quotesBy(quote?.makerPartyId, quotes);
      return isByCustodian(asked) && isLarge(order) && own.length > 1;
    }),
];
