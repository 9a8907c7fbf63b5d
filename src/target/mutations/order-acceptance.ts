import type { Written } from './mutation.ts';
import {
  items,
  orderAnswers,
  orderIn,
  payloads,
  quotesOn,
  rules,
  shifted,
  together,
  without,
} from './tools.ts';

/** Fields of an order that an acceptance or a settlement sets, and its failure reason (2.2). */
export const orderAcceptanceMutations: readonly Written[] = [
  {
    id: 'quote-id-only-when-executing',
    breaks: ['order.quote-id.set-on-acceptance'],
    summary: 'quote_id of an order is set when its settlement starts, not on acceptance.',
    tamper: items(orderAnswers, (item) =>
      item.status === 'QUOTED' ? without(item, 'quote_id') : item,
    ),
  },
  {
    id: 'winner-hidden-from-custodian',
    breaks: ['order.market-maker-party-id.set-on-acceptance'],
    summary: 'A custodian reads an accepted order without its market maker.',
    tamper: items(['order.read', 'order.list'], (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'market_maker_party_id') : item,
    ),
  },
  {
    id: 'rate-missing-in-list-once-settled',
    breaks: ['order.fx-rate.set-on-acceptance'],
    summary: 'Filtered by SETTLED, orders are listed without their rate.',
    tamper: items('order.list', (item, { query }) =>
      query.status === 'SETTLED' ? without(item, 'fx_rate') : item,
    ),
  },
  {
    id: 'actual-amount-only-when-settled',
    breaks: [
      'order.source-amount-actual.set-on-acceptance',
      'quote.accept.returns-source-amount-actual',
    ],
    summary: 'source_amount_actual is set when the order settles, not on acceptance.',
    tamper: items(orderAnswers, (item) =>
      item.status === 'SETTLED' ? item : without(item, 'source_amount_actual'),
    ),
  },
  {
    id: 'accepted-at-missing-after-custodian',
    breaks: ['order.quote-accepted-at.set-on-acceptance'],
    summary: 'An order whose quote the custodian accepted has no quote_accepted_at when read.',
    tamper: together(
      () => ({
        outcome: (outcome, command, { memory }) => {
          if (
            command.type === 'request' &&
            command.endpoint === 'quote.accept' &&
            command.caller.role === 'custodian' &&
            outcome.reply?.ok
          ) {
            memory.set(command.params.intent_id ?? '', true);
          }
          return outcome;
        },
      }),
      items(['order.read', 'order.list'], (item, { memory }) =>
        memory.has(String(item.intent_id)) ? without(item, 'quote_accepted_at') : item,
      ),
    ),
  },
  {
    id: 'best-quote-shown-while-pending',
    breaks: ['order.fx-rate.not-before-acceptance'],
    summary: 'A pending order with quotes shows the rate of the first.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const first = quotesOn(context, String(item.intent_id))[0];
      return item.status === 'PENDING' && first ? { ...item, fx_rate: first.rate } : item;
    }),
  },
  {
    id: 'only-quote-counts-as-chosen',
    breaks: ['order.quote-id.not-before-acceptance'],
    summary: 'A pending order with a single quote names that quote in lists.',
    tamper: items('order.list', (item, context) => {
      const quotes = quotesOn(context, String(item.intent_id));
      return item.status === 'PENDING' && quotes.length === 1
        ? { ...item, quote_id: quotes[0]?.id }
        : item;
    }),
  },
  {
    id: 'maker-of-last-quote-on-expired',
    breaks: ['order.market-maker-party-id.not-before-acceptance'],
    summary: 'An order that expired unaccepted names the maker of its last quote.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const last = quotesOn(context, String(item.intent_id)).at(-1);
      return item.status === 'EXPIRED' && item.quote_id === undefined && last
        ? { ...item, market_maker_party_id: last.makerPartyId }
        : item;
    }),
  },
  {
    id: 'actual-amount-starts-as-maximum',
    breaks: ['order.source-amount-actual.not-before-acceptance'],
    summary: 'A created order is returned with its maximum as the actual amount.',
    tamper: items('order.create', (item) => ({
      ...item,
      source_amount_actual: item.source_amount_max,
    })),
  },
  {
    id: 'accepted-at-of-proposal',
    breaks: ['order.quote-accepted-at.not-before-acceptance'],
    summary: 'An accepted proposal fills in quote_accepted_at.',
    tamper: items(['proposal.accept', 'order.read', 'order.list'], (item, context) =>
      item.quote_accepted_at === undefined && orderIn(context, item)?.proposalAccepted
        ? { ...item, quote_accepted_at: item.created_at }
        : item,
    ),
  },
  {
    id: 'rate-changes-when-settled',
    breaks: ['order.fx-rate.unchanged'],
    summary: 'Once settled an order shows its rate with four decimals at most.',
    tamper: items(orderAnswers, (item) =>
      item.status === 'SETTLED'
        ? { ...item, fx_rate: String(item.fx_rate).replace(/(\.\d{4})\d+$/, '$1') }
        : item,
    ),
  },
  {
    id: 'actual-amount-rounded-when-settled',
    breaks: ['order.source-amount-actual.unchanged'],
    summary: 'Once settled the actual amount is shown as whole units.',
    tamper: items(orderAnswers, (item) =>
      item.status === 'SETTLED'
        ? { ...item, source_amount_actual: String(item.source_amount_actual).replace(/\.\d+$/, '') }
        : item,
    ),
  },
  {
    id: 'winner-gone-once-failed',
    breaks: ['order.market-maker-party-id.unchanged'],
    summary: 'An order whose settlement failed names no market maker any more.',
    tamper: rules(({ views }) => ({
      views: {
        order: (order) =>
          order.failureReason === 'REVERT'
            ? without(views.order(order) as never, 'market_maker_party_id')
            : views.order(order),
      },
    })),
  },
  {
    id: 'settled-event-names-a-rival-quote',
    breaks: ['order.quote-id.unchanged'],
    summary: 'order_updated of a settled order names another quote than the accepted one.',
    tamper: payloads('order_updated', (data, event, context) => {
      const rival = quotesOn(context, event.intentId).find(({ status }) => status === 'REJECTED');
      return data.status === 'SETTLED' && rival ? { ...data, quote_id: rival.id } : data;
    }),
  },
  {
    id: 'accepted-at-moves-when-executing',
    breaks: ['order.quote-accepted-at.unchanged'],
    summary: 'quote_accepted_at becomes the start of the settlement.',
    tamper: rules(() => ({
      stored: {
        order: (after, before, { now }) =>
          after.status === 'EXECUTING' && before?.status === 'QUOTED' && after.accepted
            ? { ...after, accepted: { ...after.accepted, acceptedAt: now } }
            : after,
      },
    })),
  },
  {
    id: 'hash-known-when-executing',
    breaks: ['order.transaction-hash.not-before-settlement'],
    summary: 'The hash of the transaction shows while the settlement still runs.',
    tamper: items('order.read', (item) =>
      item.status === 'EXECUTING'
        ? { ...item, transaction_hash: String(item.quote_id).replaceAll('-', '').repeat(2) }
        : item,
    ),
  },
  {
    id: 'settled-at-foretold',
    breaks: ['order.settled-at.not-before-settlement'],
    summary: 'Lists show as settled_at when an executing order is going to settle.',
    tamper: items('order.list', (item) =>
      item.status === 'EXECUTING'
        ? { ...item, settled_at: shifted(item.quote_accepted_at, 4_000) }
        : item,
    ),
  },
  {
    id: 'hash-missing-for-custodian',
    breaks: ['order.transaction-hash.set-on-settlement'],
    summary: 'A custodian reads settled orders without their hash.',
    tamper: items('order.read', (item, { party }) =>
      party?.role === 'custodian' ? without(item, 'transaction_hash') : item,
    ),
  },
  {
    id: 'settled-at-missing-in-filtered-lists',
    breaks: ['order.settled-at.set-on-settlement', 'order.settled.sets-hash'],
    summary: 'Filtered lists show settled orders without settled_at.',
    tamper: items('order.list', (item, { query }) =>
      query.status === undefined ? item : without(item, 'settled_at'),
    ),
  },
  {
    id: 'hash-changes-with-each-reader',
    breaks: ['order.transaction-hash.unchanged'],
    summary: 'The hash that a custodian reads is in reverse.',
    tamper: items(['order.read', 'order.list'], (item, { party }) =>
      party?.role === 'custodian' && typeof item.transaction_hash === 'string'
        ? { ...item, transaction_hash: item.transaction_hash.split('').toReversed().join('') }
        : item,
    ),
  },
  {
    id: 'settled-at-is-now',
    breaks: ['order.settled-at.unchanged'],
    summary: 'settled_at of an order is the moment at which it is read.',
    tamper: items('order.read', (item, { now }) =>
      item.settled_at === undefined ? item : { ...item, settled_at: new Date(now).toISOString() },
    ),
  },
  {
    id: 'order-names-first-quote',
    breaks: ['order.quote-id.names-accepted-quote'],
    summary: 'With several quotes an accepted order names the one that came first.',
    tamper: items(['order.read', 'order.list'], (item, context) => {
      const first = quotesOn(context, String(item.intent_id))[0];
      return item.quote_id !== undefined && first ? { ...item, quote_id: first.id } : item;
    }),
  },
  {
    id: 'order-names-last-of-three-makers',
    breaks: ['order.market-maker-party-id.is-winner'],
    summary: 'With three quotes an accepted order names the maker that came last.',
    tamper: items(orderAnswers, (item, context) => {
      const quotes = quotesOn(context, String(item.intent_id));
      return item.market_maker_party_id !== undefined && quotes.length > 2
        ? { ...item, market_maker_party_id: quotes.at(-1)?.makerPartyId }
        : item;
    }),
  },
  {
    id: 'order-has-rate-of-best',
    breaks: ['order.fx-rate.of-accepted-quote'],
    summary: 'An order takes the highest of the rates that were quoted, whichever was accepted.',
    tamper: items(orderAnswers, (item, context) => {
      const rates = quotesOn(context, String(item.intent_id)).map(({ rate }) => rate);
      const best = rates.toSorted((one, other) => +other - +one)[0];
      return item.fx_rate === undefined ? item : { ...item, fx_rate: best };
    }),
  },
  {
    id: 'order-pays-the-maximum',
    breaks: ['order.source-amount-actual.of-accepted-quote'],
    summary: 'When the custodian accepts, the order pays its maximum.',
    tamper: rules(() => ({
      stored: {
        order: (after, before, { command }) =>
          after.accepted &&
          !before?.accepted &&
          command.type === 'request' &&
          command.caller.role === 'custodian'
            ? { ...after, accepted: { ...after.accepted, sourceAmount: after.sourceAmountMax } }
            : after,
      },
    })),
  },
  {
    id: 'fee-on-top-of-the-quote',
    breaks: ['order.source-amount-actual.agrees-with-rate'],
    summary: 'A hundredth is added to what the accepted quote costs.',
    tamper: rules(({ money }) => ({
      money: { cost: (amount, rate) => money.cost(amount, rate).times('1.01') },
    })),
  },
  {
    id: 'maximum-not-held',
    breaks: ['order.source-amount-actual.at-most-max'],
    summary: 'A quote above the maximum may be accepted.',
    tamper: rules(() => ({ money: { affordable: () => true } })),
  },
  {
    id: 'maximum-missed-by-a-cent',
    breaks: ['order.source-amount-actual.at-most-max'],
    summary: 'A quote that costs up to one unit more than the maximum may be accepted.',
    tamper: rules(({ money }) => ({
      money: {
        affordable: (cost, order) =>
          money.affordable(cost, order) || +cost - +order.sourceAmountMax <= 1,
      },
    })),
  },
  {
    id: 'maximum-compared-as-text',
    breaks: ['order.source-amount-actual.at-most-max'],
    summary: 'The maximum is compared by its digits as texts.',
    tamper: rules(() => ({
      money: { affordable: (cost, order) => cost <= order.sourceAmountMax },
    })),
  },
  {
    id: 'accepted-at-of-the-quote',
    breaks: ['order.quote-accepted-at.at-acceptance'],
    summary: 'quote_accepted_at is when the quote was submitted.',
    tamper: items(orderAnswers, (item, context) => {
      const quote = quotesOn(context, String(item.intent_id)).find(
        ({ id }) => id === item.quote_id,
      );
      return quote
        ? { ...item, quote_accepted_at: new Date(quote.submittedAt).toISOString() }
        : item;
    }),
  },
  {
    id: 'settled-at-of-acceptance',
    breaks: ['order.settled-at.at-settlement'],
    summary: 'settled_at is one second before the quote was accepted.',
    tamper: rules(({ views }) => ({
      views: {
        order: (order) => {
          const view = views.order(order) as Record<string, unknown>;
          return view.settled_at === undefined
            ? view
            : { ...view, settled_at: shifted(view.quote_accepted_at, -1_000) };
        },
      },
    })),
  },
  {
    id: 'reason-in-own-words',
    breaks: ['order.failure-reason.admissible'],
    summary: 'A reverted settlement has the reason DVP_REVERTED.',
    tamper: rules(() => ({
      settlement: { revert: { state: 'FAILED', reason: 'DVP_REVERTED' as never } },
    })),
  },
  {
    id: 'reason-while-executing',
    breaks: ['order.failure-reason.only-when-ended'],
    summary: 'An order in execution already carries the reason TIMEOUT, in case.',
    tamper: items('order.read', (item) =>
      item.status === 'EXECUTING' ? { ...item, failure_reason: 'TIMEOUT' } : item,
    ),
  },
  {
    id: 'timeout-for-unquoted-expiry',
    breaks: ['order.failure-reason.no-quote'],
    summary: 'An order that nobody quoted expires with the reason TIMEOUT.',
    tamper: rules(({ orders }) => ({
      orders: {
        expiryReason: (order, quotes, money) =>
          quotes.length === 0 ? 'TIMEOUT' : orders.expiryReason(order, quotes, money),
      },
    })),
  },
  {
    id: 'revert-called-timeout',
    breaks: ['order.failure-reason.revert'],
    summary: 'A reverted settlement has the reason TIMEOUT.',
    tamper: rules(() => ({ settlement: { revert: { state: 'FAILED', reason: 'TIMEOUT' } } })),
  },
  {
    id: 'timeout-called-revert',
    breaks: ['order.failure-reason.timeout'],
    summary: 'A settlement that outlasts its window has the reason REVERT.',
    tamper: rules(() => ({ settlement: { timeout: { state: 'FAILED', reason: 'REVERT' } } })),
  },
  {
    id: 'cancel-of-quoted-is-withdrawn',
    breaks: ['order.failure-reason.user-cancelled'],
    summary: 'A cancel of a QUOTED order has the reason OPERATOR_WITHDRAWN.',
    tamper: rules(() => ({
      stored: {
        order: (after) =>
          after.failureReason === 'USER_CANCELLED' && after.accepted
            ? { ...after, failureReason: 'OPERATOR_WITHDRAWN' }
            : after,
      },
    })),
  },
  {
    id: 'withdrawal-called-cancel',
    breaks: ['order.failure-reason.operator-withdrawn'],
    summary: 'A withdrawal by the operator has the reason USER_CANCELLED.',
    tamper: rules(({ orders }) => ({
      orders: { withdrawn: { ...orders.withdrawn, reason: 'USER_CANCELLED' } },
    })),
  },
  {
    id: 'revert-called-slippage',
    breaks: ['order.failure-reason.slippage', 'order.failure-reason.revert'],
    summary: 'SLIPPAGE is given for an order that reverted.',
    tamper: rules(() => ({ settlement: { revert: { state: 'FAILED', reason: 'SLIPPAGE' } } })),
  },
];
