import { hasForm } from '../../../spec/forms.ts';
import { orderStates, quoteStates } from '../../../spec/vocabulary.ts';
import type { StatsFigures } from '../policy/views.ts';
import { refuse, shown } from '../errors.ts';
import { every } from '../store/tables.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';
import { handlerOf, notFound, type ReadResult, unrelatedCaller, withoutInput } from './handler.ts';
import { listReply, pageOnly } from './list-reply.ts';

export const listSettlements = handlerOf(pageOnly, (work, { caller }, { page }) => {
  const { makerSettlements, settlements } = work.tables;
  const keys = makerSettlements.of(caller.partyId, every);
  return listReply(work, page, keys, settlements, work.policy.views.settlement);
});

export const readSettlement = withoutInput((work, request) => {
  const id = request.params.intent_id;
  const settlement = id === undefined ? undefined : work.tables.settlements.get(id);
  if (settlement === undefined) return notFound('settlement', id, 'intent_id');
  if (!work.policy.access.readsSettlement(settlement, request.caller)) {
    return unrelatedCaller(work, 'settlement', id);
  }
  return { ok: true, status: 200, data: work.policy.views.settlement(settlement) };
});

export const readIdentity = withoutInput((work, request) => {
  const { operatorPartyId } = work.world.config;
  const data = work.policy.views.identity(request.caller, operatorPartyId);
  return { ok: true, status: 200, data };
});

/** Takes counts from the party's own lists, so that they agree with `total_items` and need no scan. */
export const readStats = withoutInput((work, request) => {
  const { partyId, role: as } = request.caller;
  const { tables } = work;
  const isMaker = as === 'market-maker';
  const listing = isMaker ? tables.makerQuotes : tables.partyOrders;
  const count = (label: string): number => listing.of(partyId, label).size;
  const states: readonly string[] = isMaker ? quoteStates : orderStates;
  const figures: StatsFigures = {
    role: as,
    total: count(every),
    byStatus: Object.fromEntries(states.map((state) => [state, count(state)])),
    settlements: isMaker ? tables.makerSettlements.of(partyId, every).size : count('SETTLED'),
    volume: tables.volumes.of(partyId),
  };
  return { ok: true, status: 200, data: work.policy.views.stats(figures) };
});

function readFilter(
  _work: UnitOfWork,
  { endpoint, query }: Request,
): ReadResult<string | undefined> {
  const id = Object.hasOwn(query, 'intent_id') ? query.intent_id : undefined;
  if (endpoint !== 'order.events' || id === undefined) return { ok: true, input: undefined };
  if (hasForm('uuid', id)) return { ok: true, input: id };
  return refuse('invalid_query', `intent_id is ${shown(id)}, expected a UUID`, 'intent_id');
}

/** Checks if a stream may be opened; the shell keeps the stream itself. */
export const openStream = handlerOf(readFilter, (work, { caller }, id) => {
  const { relationOf, unknownStreamFilter } = work.policy.access;
  if (id !== undefined && unknownStreamFilter === 'refuse') {
    const order = work.order(id);
    if (order === undefined) return notFound('order', id, 'intent_id');
    if (relationOf(order, caller) === undefined) return unrelatedCaller(work, 'order', id);
  }
  return { ok: true, status: 200 };
});
