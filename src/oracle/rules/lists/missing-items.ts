import { endpoints } from '../../../spec/endpoints.ts';
import { textAt } from '../../../protocol/json.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { statusAsked } from './page-arithmetic.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, countBelow, mayHaveTakenEffect, precedes } from '../../trace/calls.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import {
  possiblyEffective,
  type OrderTrace,
  type QuoteTrace,
  orderStateOf,
  quoteStateOf,
} from '../../trace/traces.ts';
import { type Walk, walksOf } from './page-walk.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import { listedStates as states } from './misplaced-items.ts';

/** How many of the latest orders a list is held against: enough for any page, and linear in the history. */
const maxOrders = 1_000;

/** Whether something that a party did can be expected on a list, its own or another's (gap `views.lag`). */
const isPastLag = (cause: Call, walk: Walk): boolean =>
  precedes(cause, walk.first) &&
  walk.first.exchange.sent > cause.exchange.received + tolerance.replicationLagMs;

/** What a role gets that an endpoint is not for is judged elsewhere. */
const isServed = ({ endpoint, exchange }: Call): boolean =>
  endpoint !== undefined &&
  (endpoints[endpoint].roles as readonly string[]).includes(exchange.role);

/** Whether a thing was in one state from before a walk until after it. */
function stayedIn(
  snapshots: readonly Snapshot[],
  walk: Walk,
  stateIn: (snapshot: Snapshot) => string | undefined,
  required: string,
  ends: readonly string[],
): boolean {
  const { party } = walk.first;
  const isOwn = (seen: Snapshot): boolean =>
    seen.party === party && !seen.frame && stateIn(seen) === required;
  const since = walk.first.exchange.sent - tolerance.replicationLagMs;
  const before = (seen: Snapshot): boolean => precedes(seen, walk.first) && seen.to < since;
  // What is cheap to tell first: most orders come after most walks.
  if (!snapshots.some((seen) => before(seen) && isOwn(seen))) return false;
  if (ends.includes(required)) return true;
  return snapshots.some((seen) => seen.open > walk.last.close && isOwn(seen));
}

/** An order that was seen SETTLED: since when, by what it shows, and whom it names as its maker. */
interface Trade {
  readonly settled: Snapshot;
  readonly makers: ReadonlySet<string | undefined>;
}

/** Made once: there are as many walks as there are orders. */
const tradesOf = (view: HistoryView): ReadonlyMap<OrderTrace, Trade> =>
  new Map(
    [...view.orders.values()].flatMap((trace) => {
      const settled = trace.snapshots.find((seen) => orderStateOf(seen) === 'SETTLED');
      if (!settled) return [];
      const makers = trace.snapshots.map(({ value }) => textAt(value, 'market_maker_party_id'));
      return [[trace, { settled, makers: new Set(makers) }] as const];
    }),
  );

export const missingItems = defineRule({
  id: 'list.completeness',
  title: 'Every item that must be on a list is on it',
  requirements: [
    'order.list.complete',
    'order.create.listed-afterwards',
    'order.list.status-filter.complete',
    'order.list.custodian-status-filter',
    'order.list.sender-custodian-included',
    'order.quotes.complete',
    'order.quotes.custodian-sees-same',
    'quote.submit.shown-to-order-side',
    'rfq.quotes.complete',
    'quote.list.complete',
    'quote.list.status-filter.complete',
    'settlement.list.holds-won',
    'rfq.list.complete',
    'rfq.list.holds-new-request',
    'rfq.list.same-for-every-maker',
    'rfq.list.still-listed-once-quoted',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    const trades = tradesOf(view);
    const created = [...view.orders.values()]
      .filter((trace) => trace.creation !== undefined)
      .sort((a, b) => (a.creation?.close ?? 0) - (b.creation?.close ?? 0));
    const closes = created.map((trace) => trace.creation?.close ?? 0);
    const latest = (walk: Walk): readonly OrderTrace[] => {
      const end = countBelow(closes, walk.first.open);
      return created.slice(Math.max(0, end - maxOrders), end);
    };

    type Judge = (walk: Walk, listedIds: ReadonlySet<string>) => void;
    const judges: Partial<Record<string, Judge>> = {
      'order.list': onOrders,
      'order.quotes': onQuotesOfOrder,
      'rfq.quotes': onOwnQuotesOfOrder,
      'quote.list': onOwnQuotes,
      'settlement.list': onSettlements,
      'rfq.list': onRequests,
    };

    for (const walk of view.once(walksOf)) {
      if (!walk.whole || !walk.stable || !isServed(walk.first)) continue;
      const listedIds = new Set(walk.ids);
      const judgeWalk = judges[walk.first.endpoint ?? ''];
      judgeWalk?.(walk, listedIds);
    }

    function expect(
      requirements: readonly Requirement[],
      walk: Walk,
      { listedIds, id, cause }: { listedIds: ReadonlySet<string>; id: string; cause: string },
    ): void {
      for (const requirement of requirements) {
        findings.assert(requirement, listedIds.has(id), walk.first.id, () => ({
          message: `${walk.first.endpoint} of ${walk.first.party} left out an item that must be there`,
          expected: id,
          actual: `${listedIds.size} others`,
          evidence: [cause, ...walk.pages.map(({ call }) => call.id)],
        }));
      }
    }

    function onOrders(walk: Walk, listedIds: ReadonlySet<string>): void {
      const status = statusAsked(walk.first);
      if (status !== undefined && !states['order.list']?.includes(status)) return;
      for (const trace of latest(walk)) {
        const { creation, id } = trace;
        if (!creation || !isPastLag(creation, walk)) continue;
        const relation = relationOf(view, trace, walk.first.party);
        if (relation !== 'sender' && relation !== 'sender-custodian') continue;
        const custodian = relation === 'sender-custodian';
        if (status === undefined) {
          const requirements = custodian
            ? (['order.list.sender-custodian-included'] as const)
            : (['order.list.complete', 'order.create.listed-afterwards'] as const);
          expect(requirements, walk, { listedIds, id, cause: creation.id });
        } else if (
          stayedIn(trace.snapshots, walk, orderStateOf, status, ['SETTLED', 'EXPIRED', 'FAILED'])
        ) {
          const requirement = custodian
            ? 'order.list.custodian-status-filter'
            : 'order.list.status-filter.complete';
          expect([requirement], walk, { listedIds, id, cause: creation.id });
        }
      }
    }

    /** A maker's last quote on an order: an earlier one may have been replaced (gap `quote.twice`). */
    function standing(trace: OrderTrace, walk: Walk): readonly QuoteTrace[] {
      return trace.quotes.filter((quote) => {
        const { submission, maker } = quote;
        if (!submission || !isPastLag(submission, walk)) return false;
        return !trace.submissions.some(
          (call) =>
            call.party === maker && mayHaveTakenEffect(call) && call.close > submission.close,
        );
      });
    }

    function onQuotesOfOrder(walk: Walk, listedIds: ReadonlySet<string>): void {
      const trace = view.orders.get(walk.first.exchange.params.intent_id ?? '');
      if (!trace) return;
      const relation = relationOf(view, trace, walk.first.party);
      if (relation !== 'sender' && relation !== 'sender-custodian') return;
      for (const quote of standing(trace, walk)) {
        const requirements =
          relation === 'sender'
            ? (['order.quotes.complete', 'quote.submit.shown-to-order-side'] as const)
            : (['order.quotes.custodian-sees-same'] as const);
        expect(requirements, walk, { listedIds, id: quote.id, cause: quote.submission?.id ?? '' });
      }
    }

    function onOwnQuotesOfOrder(walk: Walk, listedIds: ReadonlySet<string>): void {
      const trace = view.orders.get(walk.first.exchange.params.intent_id ?? '');
      if (!trace) return;
      for (const quote of standing(trace, walk)) {
        if (quote.maker !== walk.first.party) continue;
        const cause = quote.submission?.id ?? '';
        expect(['rfq.quotes.complete'], walk, { listedIds, id: quote.id, cause });
      }
    }

    function onOwnQuotes(walk: Walk, listedIds: ReadonlySet<string>): void {
      const status = statusAsked(walk.first);
      if (status !== undefined && !states['quote.list']?.includes(status)) return;
      for (const trace of latest(walk)) {
        for (const quote of standing(trace, walk)) {
          if (quote.maker !== walk.first.party) continue;
          const item = { listedIds, id: quote.id, cause: quote.submission?.id ?? '' };
          if (status === undefined) expect(['quote.list.complete'], walk, item);
          // An accepted quote may change once more when its order ends (gap `cancel.accepted_quote`).
          else if (stayedIn(quote.snapshots, walk, quoteStateOf, status, ['REJECTED', 'EXPIRED'])) {
            expect(['quote.list.status-filter.complete'], walk, item);
          }
        }
      }
    }

    function onSettlements(walk: Walk, listedIds: ReadonlySet<string>): void {
      const self = view.partyIdOf(walk.first.party);
      if (self === undefined) return;
      for (const trace of latest(walk)) {
        const trade = trades.get(trace);
        if (!trade?.makers.has(self)) continue;
        const { settled } = trade;
        if (settled.to + tolerance.replicationLagMs >= walk.first.exchange.sent) continue;
        expect(['settlement.list.holds-won'], walk, {
          listedIds,
          id: trace.id,
          cause: settled.source,
        });
      }
    }

    function onRequests(walk: Walk, listedIds: ReadonlySet<string>): void {
      for (const trace of latest(walk)) {
        const { creation } = trace;
        if (!creation || !isPastLag(creation, walk) || !surelyActive(trace, walk)) continue;
        // Whether a request stays active for a maker that has quoted it is open (gap `rfq.active`).
        if (possiblyEffective(trace.submissions).some((call) => call.party === walk.first.party))
          continue;
        const seen = trace.rfqs.find((rfq) => rfq.call && isPastLag(rfq.call, walk));
        const quoted = trace.submissions.find((call) => call.ok && isPastLag(call, walk));
        const effect = view.context.answers('proposal.effect');
        const waits = effect === undefined || effect === 'opens-quoting';
        if (waits && !seen && !quoted) continue;
        const others = seen?.party !== undefined && seen.party !== walk.first.party;
        const requirements = [
          'rfq.list.complete',
          'rfq.list.holds-new-request',
          ...(others ? (['rfq.list.same-for-every-maker'] as const) : []),
          ...(quoted ? (['rfq.list.still-listed-once-quoted'] as const) : []),
        ] as const;
        expect(requirements, walk, { listedIds, id: trace.id, cause: creation.id });
      }
    }

    function surelyActive(trace: OrderTrace, walk: Walk): boolean {
      const meddled = possiblyEffective([...trace.acceptances, ...trace.cancels]).some(
        (call) => call.open < walk.last.close,
      );
      if (meddled || view.disturbed(trace.id)) return false;
      if (trace.snapshots.some((seen) => orderStateOf(seen) === 'FAILED')) return false;
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      return expiry !== undefined && clock.before(intervalOf(walk.last), expiry);
    }
  },
});

type Requirement =
  | 'order.list.complete'
  | 'order.create.listed-afterwards'
  | 'order.list.status-filter.complete'
  | 'order.list.custodian-status-filter'
  | 'order.list.sender-custodian-included'
  | 'order.quotes.complete'
  | 'order.quotes.custodian-sees-same'
  | 'quote.submit.shown-to-order-side'
  | 'rfq.quotes.complete'
  | 'quote.list.complete'
  | 'quote.list.status-filter.complete'
  | 'settlement.list.holds-won'
  | 'rfq.list.complete'
  | 'rfq.list.holds-new-request'
  | 'rfq.list.same-for-every-maker'
  | 'rfq.list.still-listed-once-quoted';
