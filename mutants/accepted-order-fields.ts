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

/** Fields of an order that an acceptance or a settlement sets: when they are there (2.2). */
export const acceptanceFieldMutations: readonly Written[] = [
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
    id: 'hash-of-a-cancelled-acceptance',
    breaks: ['settlement.atomic'],
    summary: 'An order that was cancelled after a quote had been accepted carries a hash.',
    tamper: items(['order.read', 'order.list'], (item) =>
      item.failure_reason === 'USER_CANCELLED' && typeof item.quote_id === 'string'
        ? { ...item, transaction_hash: item.quote_id.replaceAll('-', '').repeat(2) }
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
];
