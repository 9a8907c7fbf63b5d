import type { CheckContext } from '../../src/suite/engine/check.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { type PermittedRequest, servedRequirement } from '../shared/forbidden-requests.ts';
import { isDeclared, type OrderParties } from './order-parties.ts';

export type Relation = 'creator' | 'otherInstitution' | 'keeper' | 'receiver' | 'otherCustodian';
export type OrderOperation =
  | 'order.read'
  | 'order.quotes'
  | 'order.cancel'
  | 'proposal.accept'
  | 'quote.accept';

/**
 * Forbidden operations on an order by relation, each with its requirement. An operation in neither table is open in the
 * document.
 */
const refusals: Readonly<Record<OrderOperation, { readonly [R in Relation]?: RequirementId }>> = {
  'order.read': {
    otherInstitution: 'order.read.foreign-institution-refused',
    otherCustodian: 'order.read.foreign-custodian-refused',
  },
  'order.quotes': {
    otherInstitution: 'order.quotes.foreign-institution-refused',
    otherCustodian: 'order.quotes.foreign-custodian-refused',
  },
  'order.cancel': {
    otherInstitution: 'order.cancel.foreign-institution-refused',
    receiver: 'order.cancel.receiver-custodian-refused',
    keeper: 'access.order.cancel.custodian-refused',
    otherCustodian: 'access.order.cancel.custodian-refused',
  },
  'proposal.accept': {
    otherInstitution: 'access.proposal.accept.institution-refused',
    creator: 'access.proposal.accept.institution-refused',
    receiver: 'proposal.accept.by-receiver-custodian-refused',
    otherCustodian: 'proposal.accept.foreign-custodian-refused',
  },
  'quote.accept': {
    otherInstitution: 'quote.accept.foreign-institution-refused',
    receiver: 'quote.accept.by-receiver-custodian-refused',
    otherCustodian: 'quote.accept.foreign-custodian-refused',
  },
};

const permissions: typeof refusals = {
  'order.read': {
    creator: 'access.order.read.institution-allowed',
    keeper: 'order.read.by-sender-custodian',
    receiver: 'order.read.by-receiver-custodian',
  },
  'order.quotes': {
    creator: 'access.order.quotes.institution-allowed',
    keeper: 'order.quotes.by-sender-custodian',
  },
  'order.cancel': { creator: 'access.order.cancel.institution-allowed' },
  'proposal.accept': { keeper: 'access.proposal.accept.custodian-allowed' },
  'quote.accept': {
    creator: 'service.sender-accepts',
    keeper: 'service.sender-custodian-accepts',
  },
};

export const relationWords: Readonly<Record<Relation, string>> = {
  creator: 'its own institution',
  otherInstitution: 'an institution without a part in the order',
  keeper: 'the custodian of the sender',
  receiver: 'the custodian of the receiver',
  otherCustodian: 'a custodian without a part in the order',
};

/** Requests by the declared parties whose relation to an order has an entry in a table. */
const requestsIn =
  (table: typeof refusals) =>
  (t: CheckContext, endpoint: OrderOperation, parties: OrderParties): readonly PermittedRequest[] =>
    (Object.entries(table[endpoint]) as [Relation, RequirementId][])
      .filter(([relation]) => isDeclared(t, parties[relation]))
      .map(([relation, requirement]) => ({ by: parties[relation], endpoint, requirement }));

export const forbiddenRequests = requestsIn(refusals);
export const permittedRequests = requestsIn(permissions);

export const idsOf = (...endpoints: readonly OrderOperation[]): RequirementId[] => [
  ...new Set<RequirementId>(
    endpoints.flatMap((each) => [
      servedRequirement,
      ...Object.values(refusals[each]),
      ...Object.values(permissions[each]),
    ]),
  ),
];
