import { effectiveCancels, type OrderTrace } from '../oracle/trace/traces.ts';
import type { HistoryView } from '../oracle/trace/history-view.ts';
import { acceptanceIn } from './read/acceptance.ts';
import { duringSettlementIn } from './read/during-settlement.ts';
import { type End, endsIn } from './read/ending.ts';
import { moneyOf } from './read/money.ts';
import { historiesBefore } from './read/before.ts';
import { streamsIn } from './read/streams.ts';
import type { PartOfLife } from './factors.ts';

/**
 * Factor values of each order that was created in a history, by order id, as far as the history shows them. It does
 * not matter what drove the order.
 */
export function factorsOf(view: HistoryView): ReadonlyMap<string, PartOfLife> {
  const ends = endsIn(view);
  const before = historiesBefore(view, ends);
  const beside = duringSettlementIn(view, ends);
  const streams = streamsIn(view, ends);
  return new Map(
    [...view.orders.values()]
      .filter(({ creation }) => creation !== undefined)
      .map((trace) => [
        trace.id,
        {
          ...acceptanceIn(view, trace),
          proposal: proposalOf(trace),
          streams: streams(trace),
          ...before.get(trace.id),
          money: moneyOf(trace),
          ending: endingOf(trace, ends.get(trace.id)),
          beside: beside(trace),
        },
      ]),
  );
}

const proposalOf = ({ proposals }: OrderTrace): PartOfLife['proposal'] =>
  proposals.some(({ ok }) => ok) ? 'accepted' : 'left';

function endingOf(trace: OrderTrace, end: End | undefined): PartOfLife['ending'] {
  if (!end) return undefined;
  if (end.state === 'SETTLED') return 'settled';
  if (effectiveCancels(trace).length > 0) return 'cancelled';
  return end.state === 'EXPIRED' ? 'expired' : 'failed';
}
