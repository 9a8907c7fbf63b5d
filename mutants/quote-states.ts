import { type Command, orderOf, type Quote, quoteOf } from '../src/reference/core/index.ts';
import type { ResponseContext } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import {
  items,
  type Json,
  orderIn,
  quoteIn,
  quotesOn,
  type Request,
  rules,
  together,
} from './tools.ts';

const own = ['quote.list', 'rfq.quotes'] as const;
const everywhere = ['order.quotes', ...own] as const;

/** What becomes of quotes (3.2). */
export const quoteStateMutations: readonly Written[] = [
  {
    id: 'submitted-quote-is-accepted',
    breaks: ['quote.state.starts-pending'],
    summary: 'A submission answers with a quote that is ACCEPTED, as the request was well formed.',
    tamper: items('quote.submit', (item) => ({ ...item, status: 'ACCEPTED' })),
  },
  {
    id: 'submitted-quote-as-its-body-says',
    breaks: ['quote.state.starts-pending'],
    summary: 'A body that has a status gives it to the quote.',
    tamper: items('quote.submit', (item, { requestBody }) => ({
      ...item,
      status: (requestBody as Json | undefined)?.status ?? item.status,
    })),
  },
  {
    id: 'accepted-quote-pending-until-settled',
    breaks: ['quote.state.pending-to-accepted'],
    summary: 'The selected quote reads as PENDING for its maker until the order has settled.',
    tamper: items(own, (item, context) =>
      item.status === 'ACCEPTED' && orderIn(context, item)?.status !== 'SETTLED'
        ? { ...item, status: 'PENDING' }
        : item,
    ),
  },
  {
    id: 'accepted-quote-pending-for-order-side',
    breaks: ['quote.state.pending-to-accepted', 'quote.state.views-agree'],
    summary: 'The order side goes on seeing the selected quote as PENDING.',
    tamper: items('order.quotes', (item) =>
      item.status === 'ACCEPTED' ? { ...item, status: 'PENDING' } : item,
    ),
  },
  {
    id: 'accepted-quote-pending-after-revert',
    breaks: ['quote.state.listed-transitions-only'],
    summary: 'The selected quote is PENDING again once the settlement was reverted.',
    tamper: items(everywhere, (item, context) =>
      item.status === 'ACCEPTED' && orderIn(context, item)?.failureReason === 'REVERT'
        ? { ...item, status: 'PENDING' }
        : item,
    ),
  },
  {
    id: 'rivals-stay-pending',
    breaks: ['quote.state.pending-to-rejected'],
    summary: 'Nothing becomes of rival quotes when one is selected.',
    tamper: rules(({ quotes }) => ({
      quotes: {
        unselected: (quote, selected) =>
          quote.makerPartyId === selected.makerPartyId
            ? quotes.unselected(quote, selected)
            : 'PENDING',
      },
    })),
  },
  {
    id: 'rivals-expire-instead',
    breaks: ['quote.state.pending-to-rejected'],
    summary: 'Rival quotes are EXPIRED when one is selected.',
    tamper: rules(({ quotes }) => ({
      quotes: {
        unselected: (quote, selected) =>
          quote.makerPartyId === selected.makerPartyId
            ? quotes.unselected(quote, selected)
            : 'EXPIRED',
      },
    })),
  },
  {
    id: 'every-other-rival-rejected',
    breaks: ['quote.state.pending-to-rejected.every-rival'],
    summary: 'A selection rejects every other one of the rivals.',
    tamper: rules(() => ({
      stored: {
        quote: (after, before, { command }) =>
          after.status === 'REJECTED' && before && isAcceptance(command) && after.seq % 2 === 1
            ? { ...after, status: 'PENDING' }
            : after,
      },
    })),
  },
  {
    id: 'custodian-rejects-nobody',
    breaks: ['quote.state.pending-to-rejected.by-custodian'],
    summary: 'When the custodian selects a quote its rivals stay PENDING.',
    tamper: rules(() => ({
      stored: {
        quote: (after, _before, { command }) =>
          after.status === 'REJECTED' &&
          isAcceptance(command) &&
          command.caller.role === 'custodian'
            ? { ...after, status: 'PENDING' }
            : after,
      },
    })),
  },
  {
    id: 'far-off-quotes-lapse',
    breaks: ['quote.state.pending-to-expired.not-early'],
    summary:
      'A quote that is valid for longer than 31 bits of milliseconds shows as EXPIRED at once.',
    tamper: items(['order.quotes', 'rfq.quotes', 'quote.list'], (item, { now }) =>
      item.status === 'PENDING' && Date.parse(String(item.valid_until)) - now > 2 ** 31
        ? { ...item, status: 'EXPIRED' }
        : item,
    ),
  },
  {
    id: 'quotes-never-expire',
    breaks: ['quote.state.pending-to-expired'],
    summary: 'A quote stays PENDING beyond its deadline, and is refused on acceptance only.',
    tamper: () => ({
      command: (command, { state }) =>
        command.type === 'due' &&
        command.deadline.kind === 'quote-expiry' &&
        quoteOf(state, command.deadline.quoteId ?? '')?.status === 'PENDING'
          ? { ...command, deadline: { ...command.deadline, quoteId: 'none' } }
          : command,
    }),
  },
  {
    id: 'only-last-quote-expires',
    breaks: ['quote.state.pending-to-expired'],
    summary: 'One timer for each order: with two quotes on it only the last to come expires.',
    tamper: () => ({
      command: (command, context) => {
        if (command.type !== 'due' || command.deadline.kind !== 'quote-expiry') return command;
        const { intentId, quoteId } = command.deadline;
        const order = orderOf(context.state, intentId);
        const last = quotesOn(context, intentId).at(-1);
        return order?.status === 'PENDING' && last && last.id !== quoteId
          ? { ...command, deadline: { ...command.deadline, quoteId: 'none' } }
          : command;
      },
    }),
  },
  {
    id: 'only-first-quote-expires',
    breaks: ['quote.state.pending-to-expired'],
    summary: 'Once a quote on an order has lapsed no other quote on it does.',
    tamper: () => ({
      command: (command, context) => {
        if (command.type !== 'due' || command.deadline.kind !== 'quote-expiry') return command;
        const { intentId } = command.deadline;
        const hasLapsed = quotesOn(context, intentId).some(({ status }) => status === 'EXPIRED');
        return hasLapsed
          ? { ...command, deadline: { ...command.deadline, quoteId: 'none' } }
          : command;
      },
    }),
  },
  {
    id: 'lapsed-quotes-are-rejected',
    breaks: ['quote.state.pending-to-expired', 'quote.state.listed-transitions-only'],
    summary: 'A quote whose deadline passes is REJECTED.',
    tamper: rules(() => ({ quotes: { expiredAs: 'REJECTED' } })),
  },
  {
    id: 'quotes-expire-a-second-early',
    breaks: ['quote.state.pending-to-expired.not-early'],
    summary: 'Quotes read as EXPIRED in their last second.',
    tamper: items(everywhere, (item, context) => {
      const quote = quoteIn(context, item);
      return quote?.status === 'PENDING' && quote.validUntil - context.now < 1_000
        ? { ...item, status: 'EXPIRED' }
        : item;
    }),
  },
  {
    id: 'rejected-quotes-expire-later',
    breaks: ['quote.state.rejected-absorbs'],
    summary: 'A rejected quote reads as EXPIRED for its maker once its deadline has passed.',
    tamper: items(own, (item, context) => {
      const quote = quoteIn(context, item);
      return quote?.status === 'REJECTED' && quote.validUntil < context.now
        ? { ...item, status: 'EXPIRED' }
        : item;
    }),
  },
  {
    id: 'expired-quotes-rejected-on-acceptance',
    breaks: ['quote.state.expired-absorbs'],
    summary: 'A selection makes rival quotes REJECTED even where they had expired.',
    tamper: items(everywhere, (item, context) => {
      const order = orderIn(context, item);
      return item.status === 'EXPIRED' &&
        order?.accepted &&
        order.accepted.quoteId !== item.quote_id
        ? { ...item, status: 'REJECTED' }
        : item;
    }),
  },
  {
    id: 'accepted-quote-expires-when-settled',
    breaks: ['quote.state.accepted-stays-through-settlement'],
    summary: 'The accepted quote reads as EXPIRED once its deadline has passed, settled or not.',
    tamper: items(everywhere, (item, context) => {
      const quote = quoteIn(context, item);
      return quote?.status === 'ACCEPTED' &&
        orderIn(context, item)?.status === 'SETTLED' &&
        quote.validUntil < context.now
        ? { ...item, status: 'EXPIRED' }
        : item;
    }),
  },
  {
    id: 'accepted-quote-overtaken-by-its-deadline',
    breaks: ['quote.state.accepted-stays-through-settlement'],
    summary: 'An accepted quote whose deadline passed before the order settled reads as EXPIRED.',
    tamper: items(everywhere, (item, context) => {
      const quote = quoteIn(context, item);
      const { settled } = orderIn(context, item) ?? {};
      return quote?.status === 'ACCEPTED' && settled && quote.validUntil < settled.at
        ? { ...item, status: 'EXPIRED' }
        : item;
    }),
  },
  {
    id: 'two-quotes-of-winner-accepted',
    breaks: ['quote.state.one-accepted-per-order'],
    summary: "All of the winner's quotes on the order are ACCEPTED.",
    tamper: rules(({ quotes }) => ({
      quotes: {
        unselected: (quote, selected) =>
          quote.makerPartyId === selected.makerPartyId
            ? 'ACCEPTED'
            : quotes.unselected(quote, selected),
      },
    })),
  },
  {
    id: 'simultaneous-acceptances-both-succeed',
    breaks: ['quote.state.one-accepted-under-race'],
    summary: 'An acceptance in the same moment as another is answered with success as well.',
    tamper: () => ({
      outcome: (outcome, command, { state, now }) => {
        if (!isAcceptance(command)) return outcome;
        const order = orderOf(state, command.params.intent_id ?? '');
        const quote = quoteOf(state, command.params.quote_id ?? '');
        if (!order?.accepted || !quote || order.accepted.quoteId === quote.id) return outcome;
        if (outcome.reply?.ok !== false || now - order.accepted.acceptedAt > 5) return outcome;
        const accepted = {
          ...order.accepted,
          quoteId: quote.id,
          makerPartyId: quote.makerPartyId,
          rate: quote.rate,
          sourceAmount: quote.cost,
        };
        const { views } = state.world.policy;
        const shown = { ...order, accepted };
        const data =
          command.caller.role === 'custodian' ? views.acceptance(shown) : views.order(shown);
        return { ...outcome, reply: { ok: true, status: 200, data } };
      },
    }),
  },
  {
    id: 'selection-rejects-on-other-orders',
    breaks: ['quote.state.other-orders-untouched'],
    summary: 'A maker that loses one order finds its earlier pending quotes on others REJECTED.',
    tamper: together(
      () => ({
        outcome: (outcome, command, context) => {
          if (isAcceptance(command) && outcome.reply?.ok) {
            for (const quote of quotesOn(context, command.params.intent_id ?? '')) {
              if (quote.id !== command.params.quote_id && quote.status === 'PENDING') {
                context.memory.set(`lost ${quote.makerPartyId}`, context.now);
              }
            }
          }
          return outcome;
        },
      }),
      items(everywhere, (item, context) => {
        const quote = quoteIn(context, item);
        const lost = context.memory.get(`lost ${quote?.makerPartyId ?? ''}`) as number | undefined;
        return quote?.status === 'PENDING' && lost !== undefined && lost > quote.submittedAt
          ? { ...item, status: 'REJECTED' }
          : item;
      }),
    ),
  },
  {
    id: 'own-list-shows-no-rejection',
    breaks: ['quote.state.views-agree'],
    summary: 'The list of own quotes never shows a rejection: the quote stays PENDING there.',
    tamper: items('quote.list', (item) =>
      item.status === 'REJECTED' ? { ...item, status: 'PENDING' } : item,
    ),
  },
  {
    id: 'older-of-two-losing-quotes-stays-pending',
    breaks: ['quote.state.pending-to-rejected'],
    summary:
      'A selection rejects the last quote of each other maker and leaves what it quoted before.',
    tamper: items(everywhere, (item, context) => {
      const quote = quoteIn(context, item);
      return quote?.status === 'REJECTED' && quote.id !== ofOneMaker(context, quote).at(-1)?.id
        ? { ...item, status: 'PENDING' }
        : item;
    }),
  },
  {
    id: 'no-rejection-under-request-for-who-quoted-twice',
    breaks: ['quote.state.pending-to-rejected', 'quote.state.views-agree'],
    summary: 'Under a request the rejected quotes of a maker that quoted twice are still PENDING.',
    tamper: items('rfq.quotes', (item, context) => {
      const quote = quoteIn(context, item);
      return quote?.status === 'REJECTED' && ofOneMaker(context, quote).length > 1
        ? { ...item, status: 'PENDING' }
        : item;
    }),
  },
  {
    id: 'receiver-custodian-sees-no-selection',
    breaks: ['quote.state.views-agree', 'quote.state.pending-to-accepted'],
    summary: "To the receiver's custodian the selected quote is still PENDING.",
    tamper: items('order.quotes', (item, context) => {
      const order = orderIn(context, item);
      const { partyId } = context.party ?? {};
      const isReceiver =
        partyId === order?.receiverCustodianPartyId && partyId !== order?.senderCustodianPartyId;
      return isReceiver && item.status === 'ACCEPTED' ? { ...item, status: 'PENDING' } : item;
    }),
  },
  {
    id: 'revert-rejects-the-winner',
    breaks: ['quote.state.pending-to-accepted'],
    summary: 'When a settlement is reverted the quote that was selected becomes REJECTED.',
    tamper: items(everywhere, (item, context) =>
      item.status === 'ACCEPTED' && orderIn(context, item)?.failureReason === 'REVERT'
        ? { ...item, status: 'REJECTED' }
        : item,
    ),
  },
  {
    id: 'cancel-revives-rejected-quotes',
    breaks: ['quote.state.rejected-absorbs', 'quote.state.listed-transitions-only'],
    summary: 'A cancel of a QUOTED order makes the rejected quotes PENDING again.',
    tamper: items(everywhere, (item, context) =>
      item.status === 'REJECTED' && orderIn(context, item)?.failureReason === 'USER_CANCELLED'
        ? { ...item, status: 'PENDING' }
        : item,
    ),
  },
];

const isAcceptance = (command: Command): command is Request =>
  command.type === 'request' && command.endpoint === 'quote.accept';

/** The quotes on an order that came from the maker of one of them, oldest first. */
const ofOneMaker = (context: ResponseContext, quote: Quote): readonly Quote[] =>
  quotesOn(context, quote.intentId).filter(
    ({ makerPartyId }) => makerPartyId === quote.makerPartyId,
  );
