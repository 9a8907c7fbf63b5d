import { isObject } from '../../../protocol/json.ts';
import { orderStates, quoteStates } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { statusAsked } from './pages.ts';

const filtered = { 'order.list': orderStates, 'quote.list': quoteStates } as const;

export const statusFilterHoldsOneStatus = defineRule({
  id: 'list.status-filters',
  title: 'A list that is filtered by a status holds that status only',
  requirements: [
    'order.list.status-filter',
    'order.list.custodian-status-filter',
    'quote.list.status-filter',
  ],
  judge(view, findings) {
    for (const endpoint of ['order.list', 'quote.list'] as const) {
      const ofOrders = (role: string) =>
        role === 'custodian' ? 'order.list.custodian-status-filter' : 'order.list.status-filter';
      for (const call of view.endpoint(endpoint)) {
        const asked = statusAsked(call);
        if (!call.ok || !call.own || !Array.isArray(call.data)) continue;
        // The answer to a status that does not exist is open (gap `list.unknown_status`).
        if (!filtered[endpoint].some((state) => state === asked)) continue;
        const requirement =
          endpoint === 'quote.list' ? 'quote.list.status-filter' : ofOrders(call.exchange.role);
        for (const item of call.data) {
          const status = isObject(item) ? item['status'] : undefined;
          findings.assert(requirement, status === asked, call.id, () => ({
            message: `a list filtered by ${asked} held an item in another status`,
            expected: asked,
            actual: status ?? null,
            evidence: [call.id],
          }));
        }
      }
    }
  },
});
