import type { Written } from './mutation.ts';
import {
  actingAs,
  answers,
  lists,
  orderAsked,
  quotesOn as quotesOfAll,
  requests,
  rules,
  senderCustodianOf,
  senderOf,
  viewsOf,
} from './tools.ts';
import { ordersOf, settlementOf } from '../src/reference/core/index.ts';

const nameOf = (partyId: string | undefined): string | undefined => partyId?.split('::', 1)[0];

/** Part 1.2 to 1.4: what a party may do by its relation to an order. */
export const relationMutations: readonly Written[] = [
  {
    id: 'refusal-tells-a-stranger-the-order',
    breaks: ['order.read.foreign-institution-refused'],
    summary: 'The refusal of a settled order to another institution carries the order.',
    tamper: answers('order.read', (wire, context) => {
      const order = orderAsked(context);
      const isTold = wire.status >= 400 && context.party?.role === 'institution';
      return isTold && order?.status === 'SETTLED'
        ? {
            ...wire,
            body: {
              ...(wire.body as object),
              order: { intent_id: order.id, source_contract_id: order.sourceContractId },
            },
          }
        : wire;
    }),
  },
  {
    id: 'outsider-reads-settled-orders',
    breaks: ['order.read.foreign-institution-refused'],
    summary: 'Once an order has settled any institution may read it.',
    tamper: actingAs('order.read', ({ caller }, order) =>
      caller.role === 'institution' && order?.status === 'SETTLED' ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'outsider-reads-pending-orders',
    breaks: ['order.read.foreign-institution-refused'],
    summary: 'An institution may read any order that nobody has quoted yet.',
    tamper: actingAs('order.read', ({ caller }, order) =>
      caller.role === 'institution' && order?.status === 'PENDING' ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'any-custodian-reads-once-accepted',
    breaks: ['order.read.foreign-custodian-refused'],
    summary: 'A custodian may read any order that has an accepted quote.',
    tamper: actingAs('order.read', ({ caller }, order) =>
      caller.role === 'custodian' && order?.accepted ? senderCustodianOf(order) : undefined,
    ),
  },
  {
    id: 'outsider-reads-executing-orders',
    breaks: ['order.read.foreign-institution-refused'],
    summary: 'While an order executes any institution may read it.',
    tamper: actingAs('order.read', ({ caller }, order) =>
      caller.role === 'institution' && order?.status === 'EXECUTING' ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'any-custodian-reads-reverted-orders',
    breaks: ['order.read.foreign-custodian-refused'],
    summary: 'Any custodian may read an order whose settlement was reverted.',
    tamper: actingAs('order.read', ({ caller }, order) =>
      caller.role === 'custodian' && order?.failureReason === 'REVERT'
        ? senderCustodianOf(order)
        : undefined,
    ),
  },
  {
    id: 'custodians-known-by-name',
    breaks: ['order.read.foreign-custodian-refused'],
    summary: 'Of the custodians of an order the names are compared, not the keys.',
    tamper: actingAs('order.read', ({ caller }, order) =>
      caller.role === 'custodian' &&
      nameOf(order?.receiverCustodianPartyId) === nameOf(caller.partyId)
        ? order && senderCustodianOf(order)
        : undefined,
    ),
  },
  {
    id: 'custodian-of-both-only-reads',
    breaks: ['service.sender-custodian-accepts'],
    summary: 'A custodian of both sides is taken for that of the receiver alone.',
    tamper: actingAs('quote.accept', ({ caller }, order) =>
      caller.partyId === order?.receiverCustodianPartyId
        ? { partyId: 'Nobody::00', role: 'custodian' }
        : undefined,
    ),
  },
  {
    id: 'outsider-cancels-pending',
    breaks: ['order.cancel.foreign-institution-refused'],
    summary: 'A cancel does not look at whose order it is.',
    tamper: actingAs('order.cancel', ({ caller }, order) =>
      caller.role === 'institution' && order ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'outsider-lists-quotes',
    breaks: ['order.quotes.foreign-institution-refused'],
    summary: 'The quotes of an order are open to every institution.',
    tamper: actingAs('order.quotes', ({ caller }, order) =>
      caller.role === 'institution' && order ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'any-custodian-lists-quotes',
    breaks: ['order.quotes.foreign-custodian-refused'],
    summary: 'The quotes of an order are open to every custodian.',
    tamper: actingAs('order.quotes', ({ caller }, order) =>
      caller.role === 'custodian' && order ? senderCustodianOf(order) : undefined,
    ),
  },
  {
    id: 'outsider-accepts-quote',
    breaks: ['quote.accept.foreign-institution-refused'],
    summary: 'An institution may accept a quote on the order of another.',
    tamper: actingAs('quote.accept', ({ caller }, order) =>
      caller.role === 'institution' && order ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'any-custodian-accepts-quote',
    breaks: ['quote.accept.foreign-custodian-refused'],
    summary: 'A custodian without a part in an order may accept a quote on it.',
    tamper: actingAs('quote.accept', ({ caller }, order) =>
      caller.role === 'custodian' && order && caller.partyId !== order.receiverCustodianPartyId
        ? senderCustodianOf(order)
        : undefined,
    ),
  },
  {
    id: 'receiver-custodian-accepts-when-rivals',
    breaks: ['quote.accept.by-receiver-custodian-refused'],
    summary: "The receiver's custodian may accept a quote, as it is a custodian of the order.",
    tamper: rules(({ access }) => ({
      access: {
        may: {
          ...access.may,
          'quote.accept': ['sender', 'sender-custodian', 'receiver-custodian'],
        },
      },
    })),
  },
  {
    id: 'receiver-custodian-accepts-proposal',
    breaks: ['proposal.accept.by-receiver-custodian-refused'],
    summary: "The receiver's custodian may accept the proposal of an order.",
    tamper: rules(({ access }) => ({
      access: {
        may: { ...access.may, 'proposal.accept': ['sender-custodian', 'receiver-custodian'] },
      },
    })),
  },
  {
    id: 'receiver-custodian-accepts-proposal-again',
    breaks: ['proposal.accept.by-receiver-custodian-refused'],
    summary: "Once the sender's custodian has accepted a proposal the receiver's may as well.",
    tamper: actingAs('proposal.accept', ({ caller }, order) =>
      order?.proposalAccepted === true && caller.partyId === order.receiverCustodianPartyId
        ? senderCustodianOf(order)
        : undefined,
    ),
  },
  {
    id: 'any-custodian-accepts-proposal',
    breaks: ['proposal.accept.foreign-custodian-refused'],
    summary: 'A custodian without a part in an order may accept its proposal.',
    tamper: actingAs('proposal.accept', ({ caller }, order) =>
      caller.role === 'custodian' && order && caller.partyId !== order.receiverCustodianPartyId
        ? senderCustodianOf(order)
        : undefined,
    ),
  },
  {
    id: 'receiver-custodian-cancels',
    breaks: ['order.cancel.receiver-custodian-refused'],
    summary: "The receiver's custodian may cancel a QUOTED order.",
    tamper: actingAs('order.cancel', ({ caller }, order) =>
      order && caller.partyId === order.receiverCustodianPartyId && order.status === 'QUOTED'
        ? senderOf(order)
        : undefined,
    ),
  },
  {
    id: 'receiver-custodian-kept-from-reading',
    breaks: ['order.read.by-receiver-custodian'],
    summary: "The receiver's custodian may not read an order that nobody has accepted a quote on.",
    tamper: requests('order.read', (request, { state }) => {
      const order = ordersOf(state).find(({ id }) => id === request.params.intent_id);
      const receives = order?.receiverCustodianPartyId === request.caller.partyId;
      const sends = order?.senderCustodianPartyId === request.caller.partyId;
      return receives && !sends && !order?.accepted ? { ...request, params: {} } : undefined;
    }),
  },
  {
    id: 'sender-custodian-kept-from-quotes',
    breaks: ['order.quotes.by-sender-custodian'],
    summary: 'The custodian of the sender may list quotes only after one was accepted.',
    tamper: actingAs('order.quotes', ({ caller }, order) =>
      order?.senderCustodianPartyId === caller.partyId && order.status === 'PENDING'
        ? { partyId: 'Nobody::00', role: 'custodian' }
        : undefined,
    ),
  },
  {
    id: 'lists-show-orders-of-all-institutions-when-filtered',
    breaks: ['order.list.own-only'],
    summary: 'A filter by SETTLED forgets whose orders are asked for.',
    tamper: lists('order.list', (context) =>
      context.query.status === 'SETTLED' && context.party?.role === 'institution'
        ? ordersOf(context.state)
            .filter(({ status }) => status === 'SETTLED')
            .toReversed()
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'custodians-list-expired-orders-of-all',
    breaks: ['order.list.custodied-only'],
    summary: 'The list of a custodian holds every order that was cancelled or failed.',
    tamper: lists('order.list', (context) =>
      context.party?.role === 'custodian' && context.query.status === 'FAILED'
        ? ordersOf(context.state)
            .filter(({ status }) => status === 'FAILED')
            .toReversed()
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'sender-custodian-list-without-settled',
    breaks: ['order.list.sender-custodian-included', 'order.list.custodian-status-filter'],
    summary: 'An order leaves the list of its custodian once it has settled.',
    tamper: lists('order.list', (context) =>
      context.party?.role === 'custodian'
        ? ordersOf(context.state)
            .filter(
              ({ senderCustodianPartyId: of, receiverCustodianPartyId: to, status }) =>
                (of === context.party?.partyId || to === context.party?.partyId) &&
                status !== 'SETTLED' &&
                (context.query.status === undefined || context.query.status === status),
            )
            .toReversed()
            .map(viewsOf(context).order)
        : undefined,
    ),
  },
  {
    id: 'losers-read-settlements',
    breaks: ['settlement.read.foreign-maker-refused'],
    summary: 'A market maker that quoted and lost may read the settlement of the winner.',
    tamper: actingAs('settlement.read', ({ caller, params }, _order, { state }) => {
      const settled = settlementOf(state, params.intent_id ?? '');
      return settled && caller.role === 'market-maker'
        ? { partyId: settled.makerPartyId, role: 'market-maker' }
        : undefined;
    }),
  },
  {
    id: 'settlements-of-everybody-on-the-list',
    breaks: ['settlement.list.won-only'],
    summary: 'The list of settlements holds those of all market makers.',
    tamper: lists('settlement.list', (context) =>
      ordersOf(context.state)
        .flatMap(({ id }) => settlementOf(context.state, id) ?? [])
        .toReversed()
        .map(viewsOf(context).settlement),
    ),
  },
  {
    id: 'rival-quotes-under-a-request-once-closed',
    breaks: ['rfq.quotes.own-only'],
    summary: 'Once a request is closed a maker finds the quotes of its rivals under it.',
    tamper: lists('rfq.quotes', (context) => {
      const order = orderAsked(context);
      return order && order.status !== 'PENDING'
        ? quotesOfAll(context, order.id).map(viewsOf(context).ownQuote)
        : undefined;
    }),
  },
  {
    id: 'rival-quotes-among-the-accepted',
    breaks: ['quote.list.own-only'],
    summary: 'Own quotes filtered by ACCEPTED are those of every maker.',
    tamper: lists('quote.list', (context) =>
      context.query.status === 'ACCEPTED'
        ? ordersOf(context.state)
            .flatMap(({ id }) => quotesOfAll(context, id))
            .filter(({ status }) => status === 'ACCEPTED')
            .toReversed()
            .map(viewsOf(context).ownQuote)
        : undefined,
    ),
  },
  {
    id: 'second-maker-refused',
    breaks: ['service.several-makers-quote'],
    summary: 'Once a market maker has quoted, no other may.',
    tamper: requests('quote.submit', (request, context) => {
      const quotes = quotesOfAll(context, request.params.intent_id ?? '');
      return quotes.some(({ makerPartyId }) => makerPartyId !== request.caller.partyId)
        ? { ...request, params: {} }
        : undefined;
    }),
  },
  {
    id: 'third-maker-refused',
    breaks: ['service.several-makers-quote'],
    summary: 'Two market makers may quote a request, a third may not.',
    tamper: requests('quote.submit', (request, context) => {
      const makers = new Set(
        quotesOfAll(context, request.params.intent_id ?? '').map(
          ({ makerPartyId }) => makerPartyId,
        ),
      );
      makers.delete(request.caller.partyId);
      return makers.size >= 2 ? { ...request, params: {} } : undefined;
    }),
  },
];
