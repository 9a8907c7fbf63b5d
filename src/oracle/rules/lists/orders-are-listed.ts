import { isTerminal } from '../../../spec/states.ts';
import { orderStates } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import { orderStateOf } from '../../trace/traces.ts';
import { isPastLag, latestOrders, leftOut, stayedIn, wholeLists } from './must-be-listed.ts';
import { statusAsked } from './pages.ts';

/** Requirements on a list of orders: unfiltered, and filtered by a state. */
const requirements = {
  sender: {
    whole: ['order.list.complete', 'order.create.listed-afterwards'],
    filtered: ['order.list.status-filter.complete'],
  },
  'sender-custodian': {
    whole: ['order.list.sender-custodian-included'],
    filtered: ['order.list.custodian-status-filter'],
  },
} as const;

export const ordersAreListed = defineRule({
  id: 'list.completeness.orders',
  title: 'The list of its sender and of its custodian holds an order, also under its status',
  requirements: [
    'order.list.complete',
    'order.create.listed-afterwards',
    'order.list.status-filter.complete',
    'order.list.custodian-status-filter',
    'order.list.sender-custodian-included',
  ],
  judge(view, findings) {
    const latest = latestOrders(view);
    for (const list of wholeLists(view, 'order.list')) {
      const status = orderStates.find((state) => state === statusAsked(list.walk.first));
      if (status === undefined && statusAsked(list.walk.first) !== undefined) continue;
      for (const trace of latest(list.walk)) {
        const { creation, snapshots } = trace;
        if (!creation || !isPastLag(creation, list.walk)) continue;
        const relation = relationOf(view, trace, list.party);
        if (relation !== 'sender' && relation !== 'sender-custodian') continue;
        const isInState = (seen: (typeof snapshots)[number]) => orderStateOf(seen) === status;
        if (status && !stayedIn(snapshots, list.walk, isInState, isTerminal(status))) continue;
        const isListed = list.ids.has(trace.id);
        const otherwise = leftOut(list, trace.id, creation.id);
        for (const requirement of requirements[relation][status ? 'filtered' : 'whole'])
          findings.assert(requirement, isListed, list.walk.first.id, otherwise);
      }
    }
  },
});
