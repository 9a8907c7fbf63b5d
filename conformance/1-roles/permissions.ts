import type { Trial } from '../../src/conformance/check.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import type { Negative } from '../beside.ts';
import type { Positive } from '../deeds.ts';
import { isThere, type Sides } from './sides.ts';

export type Relation = 'creator' | 'rival' | 'keeper' | 'receiver' | 'stranger';
export type OrderDeed =
  | 'order.read'
  | 'order.quotes'
  | 'order.cancel'
  | 'proposal.accept'
  | 'quote.accept';

/** What each may not do on an order, by where the document says so. What stands in neither table is open. */
const refusals: Readonly<Record<OrderDeed, { readonly [R in Relation]?: RequirementId }>> = {
  'order.read': {
    rival: 'order.read.foreign-institution-refused',
    stranger: 'order.read.foreign-custodian-refused',
  },
  'order.quotes': {
    rival: 'order.quotes.foreign-institution-refused',
    stranger: 'order.quotes.foreign-custodian-refused',
  },
  'order.cancel': {
    rival: 'order.cancel.foreign-institution-refused',
    receiver: 'order.cancel.receiver-custodian-refused',
    keeper: 'access.order.cancel.custodian-refused',
    stranger: 'access.order.cancel.custodian-refused',
  },
  'proposal.accept': {
    rival: 'access.proposal.accept.institution-refused',
    creator: 'access.proposal.accept.institution-refused',
    receiver: 'proposal.accept.by-receiver-custodian-refused',
    stranger: 'proposal.accept.foreign-custodian-refused',
  },
  'quote.accept': {
    rival: 'quote.accept.foreign-institution-refused',
    receiver: 'quote.accept.by-receiver-custodian-refused',
    stranger: 'quote.accept.foreign-custodian-refused',
  },
};

const permissions: Readonly<Record<OrderDeed, { readonly [R in Relation]?: RequirementId }>> = {
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

export const words: Readonly<Record<Relation, string>> = {
  creator: 'its own institution',
  rival: 'an institution without a part in the order',
  keeper: 'the custodian of the sender',
  receiver: 'the custodian of the receiver',
  stranger: 'a custodian without a part in the order',
};

const relations = Object.keys(words) as Relation[];

export const negativesOf = (trial: Trial, endpoint: OrderDeed, sides: Sides): readonly Negative[] =>
  relations.flatMap((relation) => {
    const requirement = refusals[endpoint][relation];
    if (!requirement || !isThere(trial, sides[relation])) return [];
    const more = endpoint === 'order.quotes' ? ({ emptyWill: 'do' } as const) : {};
    return [{ by: sides[relation], endpoint, requirement, what: words[relation], ...more }];
  });

export const positivesOf = (trial: Trial, endpoint: OrderDeed, sides: Sides): readonly Positive[] =>
  relations.flatMap((relation) => {
    const requirement = permissions[endpoint][relation];
    if (!requirement || !isThere(trial, sides[relation])) return [];
    return [{ by: sides[relation], endpoint, requirements: [requirement] }];
  });

export const idsOf = (...endpoints: readonly OrderDeed[]): RequirementId[] => [
  ...new Set(
    endpoints.flatMap((each) => [
      ...Object.values(refusals[each]),
      ...Object.values(permissions[each]),
    ]),
  ),
];
