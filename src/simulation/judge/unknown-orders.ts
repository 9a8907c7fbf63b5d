import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { WorldFinding } from '../outcome.ts';
import { unknownOrder } from '../plan.ts';

/** Endpoints that must refuse an unknown order (4.2, 4.4). A list of its quotes may be empty instead. */
const refused = {
  'order.read': 'order.read.unknown-refused',
  'order.cancel': 'order.cancel.unknown-refused',
  'proposal.accept': 'proposal.accept.unknown-refused',
  'rfq.read': 'rfq.read.unknown-refused',
  'settlement.read': 'settlement.read.unknown-refused',
} as const;
const isRefused = (endpoint: string): endpoint is keyof typeof refused =>
  Object.hasOwn(refused, endpoint);

/** Requests for an order that no service has made, and that were granted. */
export function grantedUnknown(view: HistoryView): readonly WorldFinding[] {
  return view.calls.flatMap(({ endpoint, exchange, ok, id }): WorldFinding[] => {
    if (!ok || endpoint === undefined || !isRefused(endpoint)) return [];
    if (exchange.params.intent_id !== unknownOrder) return [];
    return [
      {
        cause: `unknown order · ${endpoint}`,
        rule: 'unknown order',
        requirements: [refused[endpoint]],
        message: `${endpoint} was granted for an order that does not exist`,
        exchanges: [id],
        blame: 'defect',
      },
    ];
  });
}
