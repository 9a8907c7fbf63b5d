import { ordersOf } from '../src/reference/core/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { Role } from '../src/spec/vocabulary.ts';
import type { Written } from './mutation.ts';
import { actingAs, requests, rules, senderCustodianOf, senderOf } from './tools.ts';

export const lockedOut = (endpoint: EndpointName, role: Role) =>
  rules(({ access }) => ({
    access: {
      roles: { ...access.roles, [endpoint]: access.roles[endpoint].filter((one) => one !== role) },
    },
  }));

/** Part 1.4 and 4 by role alone: ways in that are longer, and doors that are shut for those they are for. */
export const shutDoorMutations: readonly Written[] = [
  {
    id: 'sender-reads-its-settlement',
    breaks: ['access.settlement.read.institution-refused'],
    summary: 'The sender of a settled order may read the settlement of its market maker.',
    tamper: rules(({ access }) => ({
      access: {
        roles: { ...access.roles, 'settlement.read': ['market-maker', 'institution'] },
        readsSettlement: (settlement, caller) =>
          caller.role === 'institution' || access.readsSettlement(settlement, caller),
      },
    })),
  },
  {
    id: 'custodian-reads-settlement',
    breaks: ['access.settlement.read.custodian-refused'],
    summary: 'A custodian may read the settlement of an order that has settled.',
    tamper: rules(({ access }) => ({
      access: {
        roles: { ...access.roles, 'settlement.read': ['market-maker', 'custodian'] },
        readsSettlement: (settlement, caller) =>
          caller.role === 'custodian' || access.readsSettlement(settlement, caller),
      },
    })),
  },
  {
    id: 'winner-reads-the-order',
    breaks: ['access.order.read.market-maker-refused'],
    summary: 'The market maker that won may read the order itself.',
    tamper: actingAs('order.read', ({ caller }, order) =>
      order && order.accepted?.makerPartyId === caller.partyId ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'bidder-lists-all-quotes',
    breaks: ['access.order.quotes.market-maker-refused'],
    summary: 'A market maker may list the quotes of an order, those of its rivals among them.',
    tamper: actingAs('order.quotes', ({ caller }, order) =>
      order && caller.role === 'market-maker' ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'maker-accepts-its-own-quote',
    breaks: ['access.quote.accept.market-maker-refused'],
    summary: 'A market maker may accept a quote.',
    tamper: actingAs('quote.accept', ({ caller }, order) =>
      order && caller.role === 'market-maker' ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'maker-cancels',
    breaks: ['access.order.cancel.market-maker-refused'],
    summary: 'A market maker may cancel an order.',
    tamper: actingAs('order.cancel', ({ caller }, order) =>
      order && caller.role === 'market-maker' ? senderOf(order) : undefined,
    ),
  },
  {
    id: 'sender-custodian-cancels',
    breaks: ['access.order.cancel.custodian-refused'],
    summary: 'The custodian of the sender may cancel the order, since it may accept quotes on it.',
    tamper: rules(({ access }) => ({
      access: {
        roles: { ...access.roles, 'order.cancel': ['institution', 'custodian'] },
        may: { ...access.may, 'order.cancel': ['sender', 'sender-custodian'] },
      },
    })),
  },
  {
    id: 'sender-accepts-its-proposal',
    breaks: ['access.proposal.accept.institution-refused'],
    summary: 'The sender may accept the proposal of its own order.',
    tamper: actingAs('proposal.accept', ({ caller }, order) =>
      order && order.senderPartyId === caller.partyId ? senderCustodianOf(order) : undefined,
    ),
  },
  {
    id: 'maker-accepts-proposal',
    breaks: ['access.proposal.accept.market-maker-refused'],
    summary: 'A market maker may accept the proposal of an order.',
    tamper: actingAs('proposal.accept', ({ caller }, order) =>
      order && caller.role === 'market-maker' ? senderCustodianOf(order) : undefined,
    ),
  },
  {
    id: 'custodian-kept-from-its-list',
    breaks: ['access.order.list.custodian-allowed'],
    summary: 'The list of orders refuses custodians.',
    tamper: lockedOut('order.list', 'custodian'),
  },
  {
    id: 'custodian-kept-from-accepting',
    breaks: ['service.sender-custodian-accepts', 'access.quote.accept.custodian-allowed'],
    summary: 'Only institutions may accept quotes.',
    tamper: lockedOut('quote.accept', 'custodian'),
  },
  {
    id: 'custodian-kept-from-stats',
    breaks: ['access.stats.read.custodian-allowed'],
    summary: 'The dashboard stats refuse custodians.',
    tamper: lockedOut('stats.read', 'custodian'),
  },
  {
    id: 'maker-kept-from-stats',
    breaks: ['access.stats.read.market-maker-allowed'],
    summary: 'The dashboard stats refuse market makers.',
    tamper: lockedOut('stats.read', 'market-maker'),
  },
  {
    id: 'custodian-kept-from-stream',
    breaks: ['access.order.events.custodian-allowed'],
    summary: 'The order stream refuses custodians.',
    tamper: lockedOut('order.events', 'custodian'),
  },
  {
    id: 'maker-of-a-running-trade-is-refused',
    breaks: ['access.quote.submit.market-maker-allowed'],
    summary:
      'While a market maker has an accepted quote on an order that has yet to settle, its quotes are refused.',
    tamper: requests('quote.submit', (request, { state }) =>
      ordersOf(state).some(
        ({ status, accepted }) =>
          (status === 'QUOTED' || status === 'EXECUTING') &&
          accepted?.makerPartyId === request.caller.partyId,
      )
        ? { ...request, body: {} }
        : undefined,
    ),
  },
];
