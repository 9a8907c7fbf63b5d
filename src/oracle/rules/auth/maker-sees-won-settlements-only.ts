import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { isRefusal } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

const requirementOf: Partial<Record<string, (typeof requirements)[number]>> = {
  'settlement.list': 'settlement.list.won-only',
  'settlement.read': 'settlement.read.foreign-maker-refused',
};
const requirements = ['settlement.list.won-only', 'settlement.read.foreign-maker-refused'] as const;

/** The maker that an order names as the winner of its trade. */
const winnerOf = ({ snapshots }: OrderTrace): string | undefined =>
  snapshots
    .map(({ value }) => textOf(value, 'market_maker_party_id'))
    .find((id) => id !== undefined);

/** When each trade was first seen to have settled, with its winner. */
const settlementsOf = (view: HistoryView) =>
  [...view.orders.values()].flatMap(({ snapshots }) => {
    const settled = snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
    return settled
      ? [{ winner: textOf(settled.value, 'market_maker_party_id'), close: settled.close }]
      : [];
  });

/** 4.4. */
export const makerSeesWonSettlementsOnly = defineRule({
  id: 'access.settlements',
  title: 'A market maker reads and lists the settlements of the trades that it won, and no others',
  requirements,
  judge(view, findings) {
    const firstSettled = new Map<string, number>();
    for (const { winner, close } of settlementsOf(view)) {
      if (winner !== undefined)
        firstSettled.set(winner, Math.min(close, firstSettled.get(winner) ?? close));
    }
    for (const { value, via, source, party, open } of view.snapshotsOf('settlement')) {
      const trace = view.orders.get(textOf(value, 'intent_id') ?? '');
      const [requirement, winner] = [requirementOf[via], trace && winnerOf(trace)];
      const self = view.partyIdOf(party);
      if (!requirement || winner === undefined || self === undefined) continue;
      // Without another maker's settlement there is nothing that it could be shown by mistake.
      const couldLeak = [...firstSettled].some(([other, close]) => other !== self && close < open);
      if (winner === self && !couldLeak) continue;
      findings.assert(requirement, winner === self, source, () => ({
        message: `${party} was shown a settlement that it did not win`,
        expected: winner,
        actual: self,
        evidence: [source],
      }));
    }
    for (const call of view.endpoint('settlement.read')) {
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      const winner = trace?.quotes.find(({ acceptances }) => acceptances.some(({ ok }) => ok));
      const isForeign = winner?.maker !== undefined && winner.maker !== call.party;
      if (isForeign && isRefusal(call) && call.exchange.role === 'market-maker')
        findings.pass('settlement.read.foreign-maker-refused', call.id);
    }
  },
});
