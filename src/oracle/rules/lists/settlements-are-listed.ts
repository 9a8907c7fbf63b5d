import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { latestOrders, leftOut, wholeLists } from './must-be-listed.ts';

/** An order that was seen SETTLED, with the first snapshot that shows it and the makers that it names. */
interface Trade {
  readonly settled: Snapshot;
  readonly makers: ReadonlySet<string | undefined>;
}

/** Made once: there are as many lists as there are orders. */
const tradesOf = (view: HistoryView): ReadonlyMap<OrderTrace, Trade> =>
  new Map(
    [...view.orders.values()].flatMap((trace) => {
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      if (!settled) return [];
      const makers = trace.snapshots.map(({ value }) => textOf(value, 'market_maker_party_id'));
      return [[trace, { settled, makers: new Set(makers) }] as const];
    }),
  );

export const settlementsAreListed = defineRule({
  id: 'list.completeness.settlements',
  title: 'A trade that has settled is on the list of settlements of the maker that won it',
  requirements: ['settlement.list.holds-won'],
  judge(view, findings) {
    const trades = tradesOf(view);
    const latest = latestOrders(view);
    for (const list of wholeLists(view, 'settlement.list')) {
      const self = view.partyIdOf(list.party);
      if (self === undefined) continue;
      const { first } = list.walk;
      for (const trace of latest(list.walk)) {
        const trade = trades.get(trace);
        if (!trade?.makers.has(self)) continue;
        const { settled } = trade;
        if (settled.to + tolerance.replicationLagMs > first.exchange.sent) continue;
        const holds = list.ids.has(trace.id);
        const violation = leftOut(list, trace.id, settled.source);
        findings.assert('settlement.list.holds-won', holds, first.id, violation);
      }
    }
  },
});
