import { orderOf, quoteOf } from '../src/reference/core/index.ts';
import { acceptanceFields } from '../src/spec/requirements/index.ts';
import type { Written } from './mutation.ts';
import { items, orderAnswers, quotesOn, rules, shifted, text, together, without } from './tools.ts';

/** Fields of an order that an acceptance or a settlement sets: what they say; failure reasons (2.2). */
export const acceptedTermMutations: readonly Written[] = [
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
    id: 'winner-may-be-accepted-again',
    breaks: ['order.accept.second-quote-refused'],
    summary: 'On a QUOTED order another quote of the maker that was selected can be accepted.',
    tamper: () => ({
      outcome(outcome, command, { state }) {
        if (command.type !== 'request' || command.endpoint !== 'quote.accept') return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        const other = quoteOf(state, command.params.quote_id ?? '');
        const won = order?.status === 'QUOTED' ? order.accepted : undefined;
        const isOther = other?.makerPartyId === won?.makerPartyId && other?.id !== won?.quoteId;
        if (outcome.reply?.ok !== false || !order || !won || !isOther) return outcome;
        const data = state.world.policy.views.order(order);
        return { ...outcome, reply: { ok: true, status: 200, data } };
      },
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
    id: 'maximum-compared-as-floats',
    breaks: ['order.source-amount-actual.at-most-max'],
    summary: 'The maximum is compared as a floating-point number.',
    tamper: rules(() => ({
      money: { affordable: (cost, order) => +cost <= +order.sourceAmountMax },
    })),
  },
  {
    id: 'maximum-compared-in-cents',
    breaks: ['order.source-amount-actual.at-most-max'],
    summary: 'The maximum is compared after both amounts were rounded to cents.',
    tamper: rules(() => ({
      money: {
        affordable: (cost, order) => +(+cost).toFixed(2) <= +(+order.sourceAmountMax).toFixed(2),
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
    id: 'reason-kept-when-settled',
    breaks: ['order.failure-reason.not-when-settled'],
    summary: 'An order carries TIMEOUT from its execution on, and keeps it when it has settled.',
    tamper: items('order.read', (item) =>
      item.status === 'SETTLED' ? { ...item, failure_reason: 'TIMEOUT' } : item,
    ),
  },
  {
    id: 'timeout-forgets-the-quote',
    breaks: [
      'order.quote-id.unchanged',
      'order.market-maker-party-id.unchanged',
      'order.fx-rate.unchanged',
      'order.source-amount-actual.unchanged',
      'order.quote-accepted-at.unchanged',
    ],
    summary: 'An order that outlasted its settlement window shows its accepted quote no more.',
    tamper: items(orderAnswers, (item) =>
      item.failure_reason === 'TIMEOUT' ? without(item, ...acceptanceFields) : item,
    ),
  },
  {
    id: 'list-calls-timeout-revert',
    breaks: ['order.failure-reason.views-agree'],
    summary: 'In lists an order that outlasted its settlement window has the reason REVERT.',
    tamper: items('order.list', (item) =>
      item.failure_reason === 'TIMEOUT' ? { ...item, failure_reason: 'REVERT' } : item,
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
    id: 'refused-cancel-names-the-reason',
    breaks: ['order.failure-reason.revert'],
    summary:
      'A cancel sets its reason before it is refused, and a settlement that reverts later keeps it.',
    tamper: together(
      () => ({
        outcome: (outcome, command, { memory }) => {
          if (command.type === 'request' && command.endpoint === 'order.cancel') {
            memory.set(`cancel ${command.params.intent_id}`, true);
          }
          return outcome;
        },
      }),
      items(['order.read', 'order.list'], (item, { memory }) =>
        item.failure_reason === 'REVERT' && memory.has(`cancel ${text(item.intent_id)}`)
          ? { ...item, failure_reason: 'USER_CANCELLED' }
          : item,
      ),
    ),
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
