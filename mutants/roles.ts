import {
  ordersOf,
  type PartyRecord,
  type Policy,
  type Settlement,
} from '../src/reference/core/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { RequirementId } from '../src/spec/requirements/index.ts';
import type { Role } from '../src/spec/vocabulary.ts';
import { statusIs } from './defects/conditions.ts';
import { mutation, type Written } from './mutation.ts';

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

/** Defects in permissions by role (parts 1.4 and 4): access for other roles, and refusals for the right ones. */
export const roleMutations: readonly Written[] = [
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
