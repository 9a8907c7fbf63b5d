import { textOf } from '../../../protocol/json.ts';
import { remembered } from '../../../spec/memoize.ts';
import { defineRule } from '../../findings.ts';
import { isRefusal } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { isIn, type OrderTrace } from '../../trace/traces.ts';

/** For each party, the place from which on there was an order of others that its list could have held by mistake. */
const firstUnrelatedOrders = (view: HistoryView) =>
  remembered((party): number => {
    let first = Number.POSITIVE_INFINITY;
    for (const trace of view.orders.values()) {
      const { creation } = trace;
      if (!creation || creation.close >= first) continue;
      if (relationOf(view, trace, party) === 'stranger') first = creation.close;
    }
    return first;
  });

/** 4.2, 4.3. */
const listHoldsOwnOrdersOnly = defineRule({
  id: 'access.lists',
  title: 'A list of orders holds none that its party has no part in',
  requirements: ['order.list.own-only', 'order.list.custodied-only'],
  judge(view, findings) {
    const firstUnrelatedOrder = firstUnrelatedOrders(view);
    for (const { value, via, party, open, role, source } of view.snapshotsOf('order')) {
      const trace = view.order(textOf(value, 'intent_id'));
      if (via !== 'order.list' || !trace) continue;
      const relation = relationOf(view, trace, party);
      if (relation === 'unknown' || relation === 'receiver') continue;
      if (relation !== 'stranger' && firstUnrelatedOrder(party) > open) continue;
      const requirement =
        role === 'institution' ? 'order.list.own-only' : 'order.list.custodied-only';
      findings.assert(requirement, relation !== 'stranger', source, () => ({
        message: `the list of ${party} held an order that it has no part in`,
        actual: trace.id,
      }));
    }
  },
});

/** 4.4. */
const makerSeesOwnQuotesOnly = defineRule({
  id: 'access.makers',
  title: 'A market maker lists its own quotes, and no others',
  requirements: ['quote.list.own-only', 'rfq.quotes.own-only'],
  judge(view, findings) {
    const submissions = view.endpoint('quote.submit').filter(({ ok }) => ok);
    for (const { value, via, source, party, open } of view.snapshotsOf('own-quote')) {
      if (via !== 'quote.list' && via !== 'rfq.quotes') continue;
      const quote = view.quote(textOf(value, 'quote_id'));
      if (!quote) continue;
      const { maker } = quote;
      const [owner, self] = [textOf(value, 'market_maker_party_id'), view.partyIdOf(party)];
      if (maker === undefined && owner === undefined) continue;
      const isForeign =
        (maker !== undefined && maker !== party) ||
        (owner !== undefined && self !== undefined && owner !== self);
      // Without another maker's quote there is nothing that it could be shown by mistake.
      const others = submissions.find((call) => call.party !== party);
      if (!isForeign && (!others || others.close >= open)) continue;
      findings.assert(`${via}.own-only`, !isForeign, source, () => ({
        message: `${party} was shown another maker's quote`,
        must: { words: `quotes of ${party} only` },
        actual: owner ?? maker,
      }));
    }
  },
});

const requirementOf: Partial<Record<string, (typeof requirements)[number]>> = {
  'settlement.list': 'settlement.list.won-only',
  'settlement.read': 'settlement.read.foreign-maker-refused',
};
const requirements = ['settlement.list.won-only', 'settlement.read.foreign-maker-refused'] as const;

const winnerOf = ({ snapshots }: OrderTrace): string | undefined =>
  snapshots
    .map(({ value }) => textOf(value, 'market_maker_party_id'))
    .find((id) => id !== undefined);

/** 4.4. */
const makerSeesWonSettlementsOnly = defineRule({
  id: 'access.settlements',
  title: 'A market maker reads and lists the settlements of the trades that it won, and no others',
  requirements,
  judge(view, findings) {
    const firstSettled = new Map<string, number>();
    for (const { snapshots } of view.orders.values()) {
      const { value, close = 0 } = snapshots.find(isIn('SETTLED')) ?? {};
      const winner = textOf(value, 'market_maker_party_id');
      if (winner !== undefined)
        firstSettled.set(winner, Math.min(close, firstSettled.get(winner) ?? close));
    }
    for (const { value, via, source, party, open } of view.snapshotsOf('settlement')) {
      const trace = view.order(textOf(value, 'intent_id'));
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
      }));
    }
    for (const call of view.endpoint('settlement.read')) {
      const trace = view.order(call.exchange.params.intent_id);
      const winner = trace?.quotes.find(({ acceptances }) => acceptances.some(({ ok }) => ok));
      const isForeign = winner?.maker !== undefined && winner.maker !== call.party;
      if (isForeign && isRefusal(call) && call.exchange.role === 'market-maker')
        findings.pass('settlement.read.foreign-maker-refused', call.id);
    }
  },
});

export const ownListRules = [
  listHoldsOwnOrdersOnly,
  makerSeesOwnQuotesOnly,
  makerSeesWonSettlementsOnly,
];
