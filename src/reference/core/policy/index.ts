import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Command } from '../contract.ts';
import type { Order, Quote } from '../records.ts';
import { accessPolicy } from './access.ts';
import { eventPolicy } from './events.ts';
import { listPolicy } from './lists.ts';
import {
  bodyPolicy,
  cancelPolicy,
  orderPolicy,
  proposalPolicy,
  settlementPolicy,
  timePolicy,
} from './orders.ts';
import { acceptPolicy, moneyPolicy, quotePolicy, rfqPolicy } from './quotes.ts';
import { viewPolicy } from './views.ts';

interface Cause {
  readonly command: Command;
  readonly now: number;
}

/**
 * Every answer to a gap and every rule of the document that can be said as data or as a small function, so that
 * a reference under other answers, or with one requirement broken, is a Policy with one member replaced.
 * `stored` changes nothing here: it is for breaking what no other member can break.
 */
export type Policy = ReturnType<typeof policyOf>;

/** The reference's rules under one answer to every gap. */
export const policyOf = (assignment: Assignment) => ({
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
  http: { orderCreated: Number(assignment['http.create_status']), quoteCreated: 201 },
  stored: {
    order: (after: Order, _before: Order | undefined, _cause: Cause): Order => after,
    quote: (after: Quote, _before: Quote | undefined, _cause: Cause): Quote => after,
  },
});
