import type { EndpointName } from '../src/spec/endpoints.ts';
import type { RequirementId } from '../src/spec/requirements/index.ts';
import type { Role } from '../src/spec/vocabulary.ts';
import type { Written } from './mutation.ts';
import { actingAs, rules } from './tools.ts';

/** A gate that forgot one role. Whoever comes through is then asked for its relation to the order, as everybody is. */
const admits = (endpoint: EndpointName, role: Role) =>
  rules(({ access }) => ({
    access: { roles: { ...access.roles, [endpoint]: [...access.roles[endpoint], role] } },
  }));

const open = (
  id: string,
  endpoint: EndpointName,
  role: Role,
  breaks: RequirementId,
  what: string,
): Written => ({
  id,
  breaks: [breaks],
  summary: what,
  tamper: admits(endpoint, role),
});

/** Part 1.4 by role alone: doors that stand open. */
export const roleMutations: readonly Written[] = [
  open(
    'custodian-may-create',
    'order.create',
    'custodian',
    'access.order.create.custodian-refused',
    'A custodian may create orders, as if it were an institution.',
  ),
  open(
    'maker-may-create',
    'order.create',
    'market-maker',
    'access.order.create.market-maker-refused',
    'A market maker may create orders.',
  ),
  open(
    'maker-lists-orders',
    'order.list',
    'market-maker',
    'access.order.list.market-maker-refused',
    'The list of orders answers market makers too, with an empty list.',
  ),
  open(
    'maker-opens-order-stream',
    'order.events',
    'market-maker',
    'access.order.events.market-maker-refused',
    'The order stream opens for market makers.',
  ),
  {
    id: 'maker-opens-limited-order-stream',
    breaks: ['access.order.events.market-maker-refused'],
    summary: 'The order stream opens for market makers that limit it to one order.',
    tamper: actingAs('order.events', ({ caller, query }, order) =>
      caller.role === 'market-maker' && query.intent_id !== undefined && !order
        ? { ...caller, role: 'institution' }
        : undefined,
    ),
  },
  open(
    'institution-lists-requests',
    'rfq.list',
    'institution',
    'access.rfq.list.institution-refused',
    'The list of requests for quote is open to institutions.',
  ),
  open(
    'custodian-lists-requests',
    'rfq.list',
    'custodian',
    'access.rfq.list.custodian-refused',
    'The list of requests for quote is open to custodians.',
  ),
  open(
    'institution-reads-request',
    'rfq.read',
    'institution',
    'access.rfq.read.institution-refused',
    'An institution may read a request for quote.',
  ),
  open(
    'custodian-reads-request',
    'rfq.read',
    'custodian',
    'access.rfq.read.custodian-refused',
    'A custodian may read a request for quote.',
  ),
  open(
    'institution-quotes',
    'quote.submit',
    'institution',
    'access.quote.submit.institution-refused',
    'An institution may submit a quote.',
  ),
  open(
    'custodian-quotes',
    'quote.submit',
    'custodian',
    'access.quote.submit.custodian-refused',
    'A custodian may submit a quote.',
  ),
  open(
    'institution-lists-quotes-of-request',
    'rfq.quotes',
    'institution',
    'access.rfq.quotes.institution-refused',
    'An institution gets an empty list of its quotes under a request.',
  ),
  open(
    'custodian-lists-quotes-of-request',
    'rfq.quotes',
    'custodian',
    'access.rfq.quotes.custodian-refused',
    'A custodian gets an empty list of its quotes under a request.',
  ),
  open(
    'institution-lists-own-quotes',
    'quote.list',
    'institution',
    'access.quote.list.institution-refused',
    'The list of own quotes answers institutions.',
  ),
  open(
    'custodian-lists-own-quotes',
    'quote.list',
    'custodian',
    'access.quote.list.custodian-refused',
    'The list of own quotes answers custodians.',
  ),
  open(
    'institution-lists-settlements',
    'settlement.list',
    'institution',
    'access.settlement.list.institution-refused',
    'The list of settlements answers institutions, with none.',
  ),
  open(
    'custodian-lists-settlements',
    'settlement.list',
    'custodian',
    'access.settlement.list.custodian-refused',
    'The list of settlements answers custodians, with none.',
  ),
  open(
    'institution-opens-maker-stream',
    'maker.events',
    'institution',
    'access.maker.events.institution-refused',
    'The stream of market makers opens for institutions.',
  ),
  open(
    'custodian-opens-maker-stream',
    'maker.events',
    'custodian',
    'access.maker.events.custodian-refused',
    'The stream of market makers opens for custodians.',
  ),
];
