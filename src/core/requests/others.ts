import { hasForm } from '../../spec/forms.ts';
import { orderStates, quoteStates } from '../../spec/words.ts';
import type { Reply } from '../contract.ts';
import type { StatsFigures } from '../policy/policy.ts';
import { refuse } from '../refusal.ts';
import { every } from '../store/heap.ts';
import type { Request, Work } from '../work.ts';
import { checkRole, foreign, notFound } from './access.ts';
import { listReply } from './lists.ts';

export function listSettlements(work: Work, request: Request): Reply {
  const role = checkRole(work, request);
  if (role !== undefined) return role;
  const { makerSettlements, settlements } = work.heap;
  const keys = makerSettlements.of(request.caller.partyId, every);
  return listReply(work, request, keys, settlements, work.policy.views.settlement);
}

export function readSettlement(work: Work, request: Request): Reply {
  const role = checkRole(work, request);
  if (role !== undefined) return role;
  const id = request.params.intent_id;
  const settlement = id === undefined ? undefined : work.heap.settlements.get(id);
  if (settlement === undefined) return notFound('settlement', id, 'intent_id');
  if (!work.policy.access.readsSettlement(settlement, request.caller)) {
    return foreign(work, 'settlement', id);
  }
  return { ok: true, status: 200, data: work.policy.views.settlement(settlement) };
}

export function readIdentity(work: Work, request: Request): Reply {
  const role = checkRole(work, request);
  if (role !== undefined) return role;
  const { operatorPartyId } = work.world.config;
  const data = work.policy.views.identity(request.caller, operatorPartyId);
  return { ok: true, status: 200, data };
}

/** Counts are those of the party's own lists, so they agree with `total_items` and cost no walk. */
export function readStats(work: Work, request: Request): Reply {
  const role = checkRole(work, request);
  if (role !== undefined) return role;
  const { partyId, role: as } = request.caller;
  const { heap } = work;
  const isMaker = as === 'market-maker';
  const listing = isMaker ? heap.makerQuotes : heap.partyOrders;
  const count = (label: string): number => listing.of(partyId, label).size;
  const states: readonly string[] = isMaker ? quoteStates : orderStates;
  const figures: StatsFigures = {
    role: as,
    total: count(every),
    byStatus: Object.fromEntries(states.map((state) => [state, count(state)])),
    settlements: isMaker ? heap.makerSettlements.of(partyId, every).size : count('SETTLED'),
    volume: heap.volumes.of(partyId),
  };
  return { ok: true, status: 200, data: work.policy.views.stats(figures) };
}

/** Whether a stream may be opened; the shell keeps the stream itself. */
export function openStream(work: Work, request: Request): Reply {
  const id = Object.hasOwn(request.query, 'intent_id') ? request.query.intent_id : undefined;
  const limited = request.endpoint === 'order.events' && id !== undefined;
  if (limited && !hasForm('uuid', id)) {
    return refuse('invalid_query', 'intent_id is not a UUID', 'intent_id');
  }
  const role = checkRole(work, request);
  if (role !== undefined) return role;
  const { relationOf, unknownStreamFilter } = work.policy.access;
  if (limited && unknownStreamFilter === 'refuse') {
    const order = work.order(id);
    if (order === undefined) return notFound('order', id, 'intent_id');
    if (relationOf(order, request.caller) === undefined) return foreign(work, 'order', id);
  }
  return { ok: true, status: 200 };
}
