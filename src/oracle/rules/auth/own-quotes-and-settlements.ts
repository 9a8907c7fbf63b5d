import { textAt } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { isRefusal } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

/** 4.4: a maker sees its own quotes. Without another maker's quote there is nothing that it could be shown by mistake. */
function judgeQuotes(
  view: HistoryView,
  judge: Judge<'quote.list.own-only' | 'rfq.quotes.own-only'>,
) {
  const submissions = view.endpoint('quote.submit').filter(({ ok }) => ok);
  const firstOfOthers = (party: string): number =>
    submissions.find((call) => call.party !== party)?.close ?? Number.POSITIVE_INFINITY;
  for (const { value, via, source, party, open } of view.snapshotsOf('own-quote')) {
    if (via !== 'quote.list' && via !== 'rfq.quotes') continue;
    const maker = view.quotes.get(textAt(value, 'quote_id') ?? '')?.maker;
    const [owner, self] = [textAt(value, 'market_maker_party_id'), view.partyIdOf(party)];
    if (maker === undefined && owner === undefined) continue;
    const isForeign =
      (maker !== undefined && maker !== party) ||
      (owner !== undefined && self !== undefined && owner !== self);
    if (!isForeign && firstOfOthers(party) >= open) continue;
    judge(`${via}.own-only`, !isForeign, source, {
      message: `${party} was shown another maker's quote`,
      expected: `quotes of ${party} only`,
      actual: owner ?? maker,
    });
  }
}

/** The maker that an order names as the winner of its trade. */
const winnerOf = ({ snapshots }: OrderTrace): string | undefined =>
  snapshots
    .map(({ value }) => textAt(value, 'market_maker_party_id'))
    .find((id) => id !== undefined);

/** 4.4: a maker sees the settlements that it won. */
function judgeSettlements(
  view: HistoryView,
  judge: Judge<'settlement.list.won-only' | 'settlement.read.foreign-maker-refused'>,
) {
  const settledAt = new Map<string, number>();
  for (const trace of view.orders.values()) {
    const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
    const winner = settled && textAt(settled.value, 'market_maker_party_id');
    if (winner === undefined) continue;
    settledAt.set(winner, Math.min(settled?.close ?? 0, settledAt.get(winner) ?? Infinity));
  }
  for (const { value, via, source, party, open } of view.snapshotsOf('settlement')) {
    if (via !== 'settlement.list' && via !== 'settlement.read') continue;
    const trace = view.orders.get(textAt(value, 'intent_id') ?? '');
    const [winner, self] = [trace && winnerOf(trace), view.partyIdOf(party)];
    if (winner === undefined || self === undefined) continue;
    const isOwn = winner === self;
    if (isOwn && ![...settledAt].some(([other, at]) => other !== self && at < open)) continue;
    const requirement =
      via === 'settlement.list'
        ? 'settlement.list.won-only'
        : 'settlement.read.foreign-maker-refused';
    judge(requirement, isOwn, source, {
      message: `${party} was shown a settlement that it did not win`,
      expected: winner,
      actual: self,
    });
  }
}

type Judge<Id> = (
  requirement: Id,
  holds: boolean,
  source: string,
  violation: { readonly message: string; readonly expected: unknown; readonly actual: unknown },
) => void;

export const ownQuotesAndSettlements = defineRule({
  id: 'access.makers',
  title: 'A market maker sees its own quotes and the settlements that it won, and no others',
  requirements: [
    'quote.list.own-only',
    'rfq.quotes.own-only',
    'settlement.list.won-only',
    'settlement.read.foreign-maker-refused',
  ],
  judge(view, findings) {
    judgeQuotes(view, (requirement, holds, source, violation) =>
      findings.assert(requirement, holds, source, () => ({ ...violation, evidence: [source] })),
    );
    judgeSettlements(view, (requirement, holds, source, violation) =>
      findings.assert(requirement, holds, source, () => ({ ...violation, evidence: [source] })),
    );
    for (const call of view.endpoint('settlement.read')) {
      const trace = view.orders.get(call.exchange.params.intent_id ?? '');
      const winner = trace?.quotes.find(({ acceptances }) => acceptances.some(({ ok }) => ok));
      const isForeign = winner?.maker !== undefined && winner.maker !== call.party;
      if (isForeign && isRefusal(call) && call.exchange.role === 'market-maker')
        findings.pass('settlement.read.foreign-maker-refused', call.id);
    }
  },
});
