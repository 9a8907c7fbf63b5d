import type { Assignment } from '../../../spec/gaps/index.ts';
import { accessPolicy } from './access.ts';
import { eventPolicy } from './events.ts';
import { listPolicy } from './lists.ts';
import {
  bodyPolicy,
  cancelPolicy,
  orderPolicy,
  proposalPolicy,
  settlementPolicy,
  statusOf,
  timePolicy,
} from './orders.ts';
import type { Policy } from './policy.ts';
import { acceptPolicy, moneyPolicy, quotePolicy, rfqPolicy } from './quotes.ts';
import { viewPolicy } from './views.ts';

export type * from './policy.ts';

/** The reference's rules under one answer to every gap. */
export function policyOf(assignment: Assignment): Policy {
  return {
    assignment,
    access: accessPolicy(assignment),
    body: bodyPolicy(assignment),
    orders: orderPolicy(assignment),
    cancel: cancelPolicy(assignment),
    proposal: proposalPolicy(assignment),
    quotes: quotePolicy(assignment),
    accept: acceptPolicy(assignment),
    rfqs: rfqPolicy(assignment),
    settlement: settlementPolicy(assignment),
    money: moneyPolicy(assignment),
    time: timePolicy(assignment),
    lists: listPolicy(assignment),
    events: eventPolicy(assignment),
    views: viewPolicy(assignment),
    http: { orderCreated: statusOf(assignment['http.create_status']), quoteCreated: 201 },
    stored: { order: (after) => after, quote: (after) => after },
  };
}
