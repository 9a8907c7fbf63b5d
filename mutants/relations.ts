import { type Order, quotesOf, settlementOf } from '../src/reference/core/index.ts';
import { byReceiverCustodian } from './defects/callers.ts';
import { isPending, statusIs } from './defects/conditions.ts';
import type { Asking } from './defects/context.ts';
import { viewsOf } from './defects/reading.ts';
import { endedAs } from './defects/stored.ts';
import { mutation, type Written } from './mutation.ts';

const nameOf = (partyId: string | undefined): string | undefined => partyId?.split('::', 1)[0];

const nobody = { partyId: 'Nobody::00', role: 'custodian' } as const;

const isNotReceiving = (order: Order, { caller }: Asking): boolean =>
  caller.partyId !== order.receiverCustodianPartyId;

/** Defects in permissions by relation to an order (parts 1.2 to 1.4). */
export const relationMutations: readonly Written[] = [
  mutation('refusal-tells-a-stranger-the-order', 'order.read.foreign-institution-refused')
    .summary('The refusal of a settled order to another institution carries the order.')
    .setAnswer('order.read', ({ status, body }, { order, party }) => {
      const { id, sourceContractId } = order ?? {};
      const isTold = status >= 400 && party?.role === 'institution' && order?.status === 'SETTLED';
      const told = { intent_id: id, source_contract_id: sourceContractId };
      return isTold && { body: { ...(body as object), order: told } };
    }),
  mutation('outsider-reads-settled-orders', 'order.read.foreign-institution-refused')
    .summary('Once an order has settled any institution may read it.')
    .asSender('order.read', 'institution', statusIs('SETTLED')),
  mutation('outsider-reads-pending-orders', 'order.read.foreign-institution-refused')
    .summary('An institution may read any order that nobody has quoted yet.')
    .asSender('order.read', 'institution', statusIs('PENDING')),
  mutation('any-custodian-reads-once-accepted', 'order.read.foreign-custodian-refused')
    .summary('A custodian may read any order that has an accepted quote.')
    .asSenderCustodian('order.read', 'custodian', ({ accepted }) => accepted),
  mutation('outsider-reads-executing-orders', 'order.read.foreign-institution-refused')
    .summary('While an order executes any institution may read it.')
    .asSender('order.read', 'institution', statusIs('EXECUTING')),
  mutation('any-custodian-reads-reverted-orders', 'order.read.foreign-custodian-refused')
    .summary('Any custodian may read an order whose settlement was reverted.')
    .asSenderCustodian('order.read', 'custodian', endedAs('REVERT')),
  mutation('custodians-known-by-name', 'order.read.foreign-custodian-refused')
    .summary('Of the custodians of an order the names are compared, not the keys.')
    .asSenderCustodian('order.read', 'custodian', ({ receiverCustodianPartyId }, { caller }) => {
      return nameOf(receiverCustodianPartyId) === nameOf(caller.partyId);
    }),
  mutation('custodian-of-both-only-reads', 'service.sender-custodian-accepts')
    .summary('A custodian of both sides is taken for that of the receiver alone.')
    .actingAs('quote.accept', ({ caller }, order) => {
      return caller.partyId === order?.receiverCustodianPartyId && nobody;
    }),
  mutation('outsider-cancels-pending', 'order.cancel.foreign-institution-refused')
    .summary('A cancel does not look at whose order it is.')
    .asSender('order.cancel', 'institution'),
  mutation('outsider-lists-quotes', 'order.quotes.foreign-institution-refused')
    .summary('The quotes of an order are open to every institution.')
    .asSender('order.quotes', 'institution'),
  mutation('any-custodian-lists-quotes', 'order.quotes.foreign-custodian-refused')
    .summary('The quotes of an order are open to every custodian.')
    .asSenderCustodian('order.quotes', 'custodian'),
  mutation('outsider-accepts-quote', 'quote.accept.foreign-institution-refused')
    .summary('An institution may accept a quote on the order of another.')
    .asSender('quote.accept', 'institution'),
  mutation('any-custodian-accepts-quote', 'quote.accept.foreign-custodian-refused')
    .summary('A custodian without a part in an order may accept a quote on it.')
    .asSenderCustodian('quote.accept', 'custodian', isNotReceiving),
  mutation('receiver-custodian-accepts-when-rivals', 'quote.accept.by-receiver-custodian-refused')
    .summary("The receiver's custodian may accept a quote, as it is a custodian of the order.")
    .allow('quote.accept', 'sender', 'sender-custodian', 'receiver-custodian'),
  mutation('receiver-custodian-accepts-proposal', 'proposal.accept.by-receiver-custodian-refused')
    .summary("The receiver's custodian may accept the proposal of an order.")
    .allow('proposal.accept', 'sender-custodian', 'receiver-custodian'),
  mutation(
    'receiver-custodian-accepts-proposal-again',
    'proposal.accept.by-receiver-custodian-refused',
  )
    .summary("Once the sender's custodian has accepted a proposal the receiver's may as well.")
    .asSenderCustodian('proposal.accept', 'custodian', (order, about) => {
      return order.proposalAccepted && !isNotReceiving(order, about);
    }),
  mutation('any-custodian-accepts-proposal', 'proposal.accept.foreign-custodian-refused')
    .summary('A custodian without a part in an order may accept its proposal.')
    .asSenderCustodian('proposal.accept', 'custodian', isNotReceiving),
  mutation('receiver-custodian-cancels', 'order.cancel.receiver-custodian-refused')
    .summary("The receiver's custodian may cancel a QUOTED order.")
    .asSender('order.cancel', 'custodian', (order, { caller }) => {
      return order.status === 'QUOTED' && caller.partyId === order.receiverCustodianPartyId;
    }),
  mutation('receiver-custodian-kept-from-reading', 'order.read.by-receiver-custodian')
    .summary("The receiver's custodian may not read an order that nobody has accepted a quote on.")
    .lost('order.read', ({ order, caller }) => {
      return !order?.accepted && byReceiverCustodian(order, { order, party: caller });
    }),
  mutation('sender-custodian-kept-from-quotes', 'order.quotes.by-sender-custodian')
    .summary('The custodian of the sender may list quotes only after one was accepted.')
    .actingAs('order.quotes', ({ caller }, order) => {
      const isOwn = order?.senderCustodianPartyId === caller.partyId;
      return isOwn && order.status === 'PENDING' && nobody;
    }),
  mutation('lists-show-orders-of-all-institutions-when-filtered', 'order.list.own-only')
    .summary('A filter by SETTLED forgets whose orders are asked for.')
    .listOrdersFiltered('SETTLED', ({ orders, party }) => {
      return party?.role === 'institution' && orders.filter(statusIs('SETTLED'));
    }),
  mutation('custodians-list-expired-orders-of-all', 'order.list.custodied-only')
    .summary('The list of a custodian holds every order that was cancelled or failed.')
    .listOrdersFiltered('FAILED', ({ orders, party }) => {
      return party?.role === 'custodian' && orders.filter(statusIs('FAILED'));
    }),
  mutation('sender-custodian-list-without-settled', 'order.list.sender-custodian-included')
    .also('order.list.custodian-status-filter')
    .summary('An order leaves the list of its custodian once it has settled.')
    .listOrders(({ ownOrders, party, fits }) => {
      const listed = ownOrders.filter((order) => fits(order) && order.status !== 'SETTLED');
      return party?.role === 'custodian' && listed;
    }),
  mutation('losers-read-settlements', 'settlement.read.foreign-maker-refused')
    .summary('A market maker that quoted and lost may read the settlement of the winner.')
    .actingAs('settlement.read', ({ caller, params, state }) => {
      const settled = settlementOf(state, params.intent_id ?? '');
      const isMaker = settled && caller.role === 'market-maker';
      return isMaker && { partyId: settled.makerPartyId, role: 'market-maker' };
    }),
  mutation('settlements-of-everybody-on-the-list', 'settlement.list.won-only')
    .summary('The list of settlements holds those of all market makers.')
    .lists('settlement.list', (context) =>
      context.orders
        .flatMap(({ id }) => settlementOf(context.state, id) ?? [])
        .map(viewsOf(context).settlement),
    ),
  mutation('rival-quotes-under-a-request-once-closed', 'rfq.quotes.own-only')
    .summary('Once a request is closed a maker finds the quotes of its rivals under it.')
    .listOwnQuotes('rfq.quotes', ({ order, quotes }) => order && !isPending(order) && quotes),
  mutation('rival-quotes-among-the-accepted', 'quote.list.own-only')
    .summary('Own quotes filtered by ACCEPTED are those of every maker.')
    .listOwnQuotes('quote.list', ({ orders, query, state }) => {
      const accepted = orders.flatMap(({ id }) => quotesOf(state, id)).filter(statusIs('ACCEPTED'));
      return query.status === 'ACCEPTED' && accepted;
    }),
  mutation('second-maker-refused', 'service.several-makers-quote')
    .summary('Once a market maker has quoted, no other may.')
    .lost('quote.submit', ({ quotes, caller }) =>
      quotes.some(({ makerPartyId }) => makerPartyId !== caller.partyId),
    ),
  mutation('third-maker-refused', 'service.several-makers-quote')
    .summary('Two market makers may quote a request, a third may not.')
    .lost('quote.submit', ({ quotes, caller }) => {
      const makers = new Set(quotes.map(({ makerPartyId }) => makerPartyId));
      makers.delete(caller.partyId);
      return makers.size >= 2;
    }),
];
