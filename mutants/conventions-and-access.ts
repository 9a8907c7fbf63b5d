import {
  type Order,
  type PartyRecord,
  type Policy,
  type Settlement,
  ordersOf,
  quotesOf,
  settlementOf,
} from '../src/reference/core/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { RequirementId } from '../src/spec/requirements/index.ts';
import type { Role } from '../src/spec/vocabulary.ts';
import { isPending, statusIs } from './defects/conditions.ts';
import { byCustodian, byReceiverCustodian, endedAs } from './defects/stored.ts';
import type { Asking } from './defects/context.ts';
import { orderAnswers, orderReads, viewsOf } from './defects/reading.ts';
import { type Json, momentOf } from './defects/values.ts';
import { type Written, mutation } from './mutation.ts';

const wholeSecond = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/;

const shortened = (item: Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(wholeSecond, '$1Z') : value,
    ]),
  );

const plainText = { 'content-type': 'text/plain; charset=utf-8' };

const nameOf = (partyId: string | undefined): string | undefined => partyId?.split('::', 1)[0];

const nobody = { partyId: 'Nobody::00', role: 'custodian' } as const;

const isNotReceiving = (order: Order, { caller }: Asking): boolean =>
  caller.partyId !== order.receiverCustodianPartyId;

/** A role that may read settlements, whosever they are. */
const readableBy = (role: Role, { access: { roles, readsSettlement } }: Policy) => ({
  access: {
    roles: { ...roles, 'settlement.read': ['market-maker', role] as const },
    readsSettlement: (settlement: Settlement, caller: PartyRecord) =>
      caller.role === role || readsSettlement(settlement, caller),
  },
});

/** An endpoint that is open to a role that it is not for; there the role's lists are empty. */
const open = (id: string, endpoint: EndpointName, role: Role): Written =>
  mutation(id, `access.${endpoint}.${role}-refused` as RequirementId)
    .summary(`The endpoint ${endpoint} lets every ${role} in.`)
    .openTo(endpoint, role);

/** An endpoint that is shut for a role that it is for. */
export const shut = (id: string, endpoint: EndpointName, role: Role): Written =>
  mutation(id, `access.${endpoint}.${role}-allowed` as RequirementId)
    .summary(`The endpoint ${endpoint} refuses every ${role}.`)
    .shutTo(endpoint, role);

/** Conventions, and permissions by relation and by role (parts 1, 2 and 4). */
export const accessMutations: readonly Written[] = [
  // The preface, and the conventions of part 2.
  mutation('cancel-answers-in-plain-text', 'body.json', 'envelope.wraps-every-success')
    .summary('A cancel is answered with the word OK in place of JSON.')
    .setAnswer('order.cancel', ({ status }) => status < 300 && { headers: plainText, body: 'OK' }),
  mutation('settlement-list-announced-as-text', 'body.content-type')
    .summary('The list of settlements is JSON that is announced as plain text.')
    .setAnswer('settlement.list', ({ headers }) => ({ headers: { ...headers, ...plainText } })),
  mutation('whole-seconds-lose-their-milliseconds', 'convention.timestamps')
    .summary('A moment on a whole second is written without its milliseconds in lists of orders.')
    .items('order.list', shortened),
  mutation('lists-of-orders-timed-to-the-second', 'convention.timestamps')
    .summary('The time of a list of orders is cut to its second: its milliseconds are zeros.')
    .setMeta('order.list', ({ timestamp }) => ({
      timestamp: String(timestamp).replace(/\.\d+Z$/, '.000Z'),
    })),
  mutation('submitted-at-cut-to-the-second', 'convention.timestamps')
    .summary('When a quote was submitted is told without its milliseconds.')
    .change('quote.submit', 'submitted_at', (value) => value.replace(/\.\d+Z$/, '.000Z')),
  mutation(
    'accepted-at-in-microseconds-for-custodian',
    'custodian-acceptance.quote-accepted-at.form',
  )
    .also('convention.timestamps')
    .summary('The answer to an acceptance by the custodian has six digits of a second.')
    .when(byCustodian)
    .change('quote.accept', 'quote_accepted_at', (value) => value.replace('Z', '000Z')),
  mutation('event-times-as-epoch', 'convention.timestamps')
    .summary('order_updated of a settled order gives its settled_at as a number of milliseconds.')
    .setPayload('order_updated', ({ settled_at: at }) =>
      at ? { settled_at: momentOf(at) } : false,
    ),
  mutation('whole-source-amount-as-number', 'quote.source-amount.form')
    .also('convention.amounts-as-strings')
    .summary('A source amount without a fraction is a JSON number in the quotes of an order.')
    .set('order.quotes', ({ source_amount: amount }) => {
      return /^\d+(\.0*)?$/.test(String(amount)) && { source_amount: Math.trunc(+String(amount)) };
    }),
  mutation('rate-as-number-when-settled', 'order.fx-rate.form', 'convention.amounts-as-strings')
    .summary('The rate of an order is a JSON number once the order has settled.')
    .when(statusIs('SETTLED'))
    .change(orderReads, 'fx_rate', Number),
  mutation('small-rates-in-exponent-form', 'own-quote.fx-rate.form')
    .summary('A rate below a hundredth is written in exponent form in the answer to a submission.')
    .change('quote.submit', 'fx_rate', (rate) => {
      return rate.startsWith('0.00') ? (+rate).toExponential() : rate;
    }),
  mutation('quote-id-without-hyphens-in-settlements', 'settlement.quote-id.form')
    .also('convention.ids-are-uuids')
    .summary('The list of settlements writes the quote without the hyphens of its id.')
    .change('settlement.list', 'quote_id', (value) => value.replaceAll('-', '')),
  mutation('winner-by-name-alone', 'order.market-maker-party-id.form', 'convention.parties')
    .summary('An order in execution shows the name of its market maker without the namespace.')
    .when(statusIs('EXECUTING'))
    .change(orderAnswers, 'market_maker_party_id', (value) => value.split('::')[0]),
  mutation('currency-empty-for-custodian', 'order.source-currency.form', 'convention.currencies')
    .summary("A custodian's list shows an empty source currency once the order has left PENDING.")
    .when(byCustodian, (_, { order }) => order?.status !== 'PENDING')
    .set('order.list', { source_currency: '' }),
  // Defects in permissions by relation to an order (parts 1.2 to 1.4).
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
  mutation('custodian-of-both-accepts-no-proposal', 'proposal.accept.by-sender-custodian')
    .summary('A custodian of both sides cannot accept the proposal of an order.')
    .ignored('proposal.accept', ({ caller, order }) => {
      return caller.partyId === order?.receiverCustodianPartyId;
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
    .hideOrders(statusIs('SETTLED'), ({ party }) => party?.role === 'custodian'),
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
  // Permissions by role (parts 1.4 and 4): access for other roles, and refusals for the right ones.
  shut('order-create-shut-for-institution', 'order.create', 'institution'),
  open('custodian-may-create', 'order.create', 'custodian'),
  open('maker-may-create', 'order.create', 'market-maker'),
  open('maker-lists-orders', 'order.list', 'market-maker'),
  open('maker-opens-order-stream', 'order.events', 'market-maker'),
  mutation('maker-opens-limited-order-stream', 'access.order.events.market-maker-refused')
    .summary('The order stream opens for market makers that limit it to one order.')
    .actingAs('order.events', ({ caller, query }, order) => {
      const isLimited = query.intent_id !== undefined && !order;
      return isLimited && caller.role === 'market-maker' && { ...caller, role: 'institution' };
    }),
  open('institution-lists-requests', 'rfq.list', 'institution'),
  open('custodian-lists-requests', 'rfq.list', 'custodian'),
  open('institution-reads-request', 'rfq.read', 'institution'),
  open('custodian-reads-request', 'rfq.read', 'custodian'),
  open('institution-quotes', 'quote.submit', 'institution'),
  open('custodian-quotes', 'quote.submit', 'custodian'),
  open('institution-lists-quotes-of-request', 'rfq.quotes', 'institution'),
  open('custodian-lists-quotes-of-request', 'rfq.quotes', 'custodian'),
  open('institution-lists-own-quotes', 'quote.list', 'institution'),
  open('custodian-lists-own-quotes', 'quote.list', 'custodian'),
  open('institution-lists-settlements', 'settlement.list', 'institution'),
  open('custodian-lists-settlements', 'settlement.list', 'custodian'),
  open('institution-opens-maker-stream', 'maker.events', 'institution'),
  open('custodian-opens-maker-stream', 'maker.events', 'custodian'),
  mutation('sender-reads-its-settlement', 'access.settlement.read.institution-refused')
    .summary('The sender of a settled order may read the settlement of its market maker.')
    .rules((policy) => readableBy('institution', policy)),
  mutation('custodian-reads-settlement', 'access.settlement.read.custodian-refused')
    .summary('A custodian may read the settlement of an order that has settled.')
    .rules((policy) => readableBy('custodian', policy)),
  mutation('winner-reads-the-order', 'access.order.read.market-maker-refused')
    .summary('The market maker that won may read the order itself.')
    .asSender('order.read', 'market-maker', ({ accepted }, { caller }) => {
      return accepted?.makerPartyId === caller.partyId;
    }),
  mutation('bidder-lists-all-quotes', 'access.order.quotes.market-maker-refused')
    .summary('A market maker may list the quotes of an order, those of its rivals among them.')
    .asSender('order.quotes', 'market-maker'),
  mutation('maker-accepts-its-own-quote', 'access.quote.accept.market-maker-refused')
    .summary('A market maker may accept a quote.')
    .asSender('quote.accept', 'market-maker'),
  mutation('maker-cancels', 'access.order.cancel.market-maker-refused')
    .summary('A market maker may cancel an order.')
    .asSender('order.cancel', 'market-maker'),
  mutation('winner-cancels', 'access.order.cancel.market-maker-refused')
    .summary('The maker whose quote was accepted may cancel the order.')
    .asSender('order.cancel', 'market-maker', ({ accepted }, { caller }) => {
      return accepted?.makerPartyId === caller.partyId;
    }),
  mutation('sender-custodian-cancels', 'access.order.cancel.custodian-refused')
    .summary('The custodian of the sender may cancel the order, since it may accept quotes on it.')
    .rule('access', (access) => ({
      roles: { ...access.roles, 'order.cancel': ['institution', 'custodian'] },
      may: { ...access.may, 'order.cancel': ['sender', 'sender-custodian'] },
    })),
  mutation('sender-accepts-its-proposal', 'access.proposal.accept.institution-refused')
    .summary('The sender may accept the proposal of its own order.')
    .asSenderCustodian('proposal.accept', 'institution', ({ senderPartyId }, { caller }) => {
      return senderPartyId === caller.partyId;
    }),
  mutation('maker-accepts-proposal', 'access.proposal.accept.market-maker-refused')
    .summary('A market maker may accept the proposal of an order.')
    .asSenderCustodian('proposal.accept', 'market-maker'),
  shut('custodian-kept-from-its-list', 'order.list', 'custodian'),
  mutation('custodian-kept-from-accepting', 'service.sender-custodian-accepts')
    .also('access.quote.accept.custodian-allowed')
    .summary('Only institutions may accept quotes.')
    .shutTo('quote.accept', 'custodian'),
  shut('custodian-kept-from-stats', 'stats.read', 'custodian'),
  shut('maker-kept-from-stats', 'stats.read', 'market-maker'),
  shut('custodian-kept-from-stream', 'order.events', 'custodian'),
  mutation('maker-of-a-running-trade-is-refused', 'access.quote.submit.market-maker-allowed')
    .summary('The quotes of a maker are refused while an order that it has won has yet to settle.')
    .requests('quote.submit', (request, { state, caller }) => {
      const running = ordersOf(state).filter(statusIs('QUOTED', 'EXECUTING'));
      const isBusy = running.some(({ accepted }) => accepted?.makerPartyId === caller.partyId);
      return isBusy && { ...request, body: {} };
    }),
];
