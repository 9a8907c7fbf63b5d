import { endpoints } from '../spec/endpoints.ts';
import { textAt } from './json.ts';
import { during, watchOf } from './moment.ts';
import { statusAsked } from './pages.ts';
import { patience } from './patience.ts';
import { quoteStateOf } from './quotes.ts';
import { defineRule } from './tally.ts';
import { type Call, countBelow, mayHaveHappened, precedes } from './view/calls.ts';
import { momentIn, type Sighting } from './view/sightings.ts';
import type { HistoryView } from './view.ts';
import { happened, type OrderStory, type QuoteStory, stateOf } from './view/stories.ts';
import { type Walk, walksOf } from './walks.ts';
import { relationOf } from './audience.ts';
import { listedStates as states } from './belonging.ts';

/** How many of the latest orders a list is held against: enough for any page, and linear in the history. */
const reach = 1_000;

/** Whether something that a party did can be expected on a list, its own or another's (gap `views.lag`). */
const settledIn = (cause: Call, walk: Walk): boolean =>
  precedes(cause, walk.first) &&
  walk.first.exchange.sent > cause.exchange.received + patience.betweenParties;

/** What a role gets that an endpoint is not for is judged elsewhere. */
const isServed = ({ endpoint, exchange }: Call): boolean =>
  endpoint !== undefined &&
  (endpoints[endpoint].roles as readonly string[]).includes(exchange.role);

/** Whether a thing was in one state from before a walk until after it. */
function steadily(
  sightings: readonly Sighting[],
  walk: Walk,
  stateIn: (sighting: Sighting) => string | undefined,
  wanted: string,
  ends: readonly string[],
): boolean {
  const { party } = walk.first;
  const isOwn = (seen: Sighting): boolean =>
    seen.party === party && !seen.frame && stateIn(seen) === wanted;
  const since = walk.first.exchange.sent - patience.betweenParties;
  const before = (seen: Sighting): boolean => precedes(seen, walk.first) && seen.to < since;
  // What is cheap to tell first: most orders come after most walks.
  if (!sightings.some((seen) => before(seen) && isOwn(seen))) return false;
  if (ends.includes(wanted)) return true;
  return sightings.some((seen) => seen.open > walk.last.close && isOwn(seen));
}

/** An order that was seen SETTLED: since when, by what it shows, and whom it names as its maker. */
interface Deal {
  readonly settled: Sighting;
  readonly makers: ReadonlySet<string | undefined>;
}

/** Made once: there are as many walks as there are orders. */
const dealsOf = (view: HistoryView): ReadonlyMap<OrderStory, Deal> =>
  new Map(
    [...view.orders.values()].flatMap((story) => {
      const settled = story.sightings.find((seen) => stateOf(seen) === 'SETTLED');
      if (!settled) return [];
      const makers = story.sightings.map(({ value }) => textAt(value, 'market_maker_party_id'));
      return [[story, { settled, makers: new Set(makers) }] as const];
    }),
  );

export const completeness = defineRule({
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
  judge(view, tally) {
    const watch = watchOf(view);
    const deals = dealsOf(view);
    const created = [...view.orders.values()]
      .filter((story) => story.creation !== undefined)
      .sort((a, b) => (a.creation?.close ?? 0) - (b.creation?.close ?? 0));
    const closes = created.map((story) => story.creation?.close ?? 0);
    const latest = (walk: Walk): readonly OrderStory[] => {
      const end = countBelow(closes, walk.first.open);
      return created.slice(Math.max(0, end - reach), end);
    };

    type Judge = (walk: Walk, there: ReadonlySet<string>) => void;
    const judges: Partial<Record<string, Judge>> = {
      'order.list': onOrders,
      'order.quotes': onQuotesOfOrder,
      'rfq.quotes': onOwnQuotesOfOrder,
      'quote.list': onOwnQuotes,
      'settlement.list': onSettlements,
      'rfq.list': onRequests,
    };

    for (const walk of view.once(walksOf)) {
      if (!walk.whole || !walk.quiet || !isServed(walk.first)) continue;
      const there = new Set(walk.ids);
      const judgeWalk = judges[walk.first.endpoint ?? ''];
      judgeWalk?.(walk, there);
    }

    function expect(
      requirements: readonly Requirement[],
      walk: Walk,
      { there, id, cause }: { there: ReadonlySet<string>; id: string; cause: string },
    ): void {
      for (const requirement of requirements) {
        tally.judge(requirement, there.has(id), walk.first.id, () => ({
          message: `${walk.first.endpoint} of ${walk.first.party} left out an item that must be there`,
          expected: id,
          actual: `${there.size} others`,
          evidence: [cause, ...walk.pages.map(({ call }) => call.id)],
        }));
      }
    }

    function onOrders(walk: Walk, there: ReadonlySet<string>): void {
      const status = statusAsked(walk.first);
      if (status !== undefined && !states['order.list']?.includes(status)) return;
      for (const story of latest(walk)) {
        const { creation, id } = story;
        if (!creation || !settledIn(creation, walk)) continue;
        const relation = relationOf(view, story, walk.first.party);
        if (relation !== 'sender' && relation !== 'sender-custodian') continue;
        const custodian = relation === 'sender-custodian';
        if (status === undefined) {
          const requirements = custodian
            ? (['order.list.sender-custodian-included'] as const)
            : (['order.list.complete', 'order.create.listed-afterwards'] as const);
          expect(requirements, walk, { there, id, cause: creation.id });
        } else if (
          steadily(story.sightings, walk, stateOf, status, ['SETTLED', 'EXPIRED', 'FAILED'])
        ) {
          const requirement = custodian
            ? 'order.list.custodian-status-filter'
            : 'order.list.status-filter.complete';
          expect([requirement], walk, { there, id, cause: creation.id });
        }
      }
    }

    /** A maker's last quote on an order: an earlier one may have been replaced (gap `quote.twice`). */
    function standing(story: OrderStory, walk: Walk): readonly QuoteStory[] {
      return story.quotes.filter((quote) => {
        const { submission, maker } = quote;
        if (!submission || !settledIn(submission, walk)) return false;
        return !story.submissions.some(
          (call) => call.party === maker && mayHaveHappened(call) && call.close > submission.close,
        );
      });
    }

    function onQuotesOfOrder(walk: Walk, there: ReadonlySet<string>): void {
      const story = view.orders.get(walk.first.exchange.params.intent_id ?? '');
      if (!story) return;
      const relation = relationOf(view, story, walk.first.party);
      if (relation !== 'sender' && relation !== 'sender-custodian') return;
      for (const quote of standing(story, walk)) {
        const requirements =
          relation === 'sender'
            ? (['order.quotes.complete', 'quote.submit.shown-to-order-side'] as const)
            : (['order.quotes.custodian-sees-same'] as const);
        expect(requirements, walk, { there, id: quote.id, cause: quote.submission?.id ?? '' });
      }
    }

    function onOwnQuotesOfOrder(walk: Walk, there: ReadonlySet<string>): void {
      const story = view.orders.get(walk.first.exchange.params.intent_id ?? '');
      if (!story) return;
      for (const quote of standing(story, walk)) {
        if (quote.maker !== walk.first.party) continue;
        const cause = quote.submission?.id ?? '';
        expect(['rfq.quotes.complete'], walk, { there, id: quote.id, cause });
      }
    }

    function onOwnQuotes(walk: Walk, there: ReadonlySet<string>): void {
      const status = statusAsked(walk.first);
      if (status !== undefined && !states['quote.list']?.includes(status)) return;
      for (const story of latest(walk)) {
        for (const quote of standing(story, walk)) {
          if (quote.maker !== walk.first.party) continue;
          const item = { there, id: quote.id, cause: quote.submission?.id ?? '' };
          if (status === undefined) expect(['quote.list.complete'], walk, item);
          // An accepted quote may change once more when its order ends (gap `cancel.accepted_quote`).
          else if (steadily(quote.sightings, walk, quoteStateOf, status, ['REJECTED', 'EXPIRED'])) {
            expect(['quote.list.status-filter.complete'], walk, item);
          }
        }
      }
    }

    function onSettlements(walk: Walk, there: ReadonlySet<string>): void {
      const self = view.partyIdOf(walk.first.party);
      if (self === undefined) return;
      for (const story of latest(walk)) {
        const deal = deals.get(story);
        if (!deal?.makers.has(self)) continue;
        const { settled } = deal;
        if (settled.to + patience.betweenParties >= walk.first.exchange.sent) continue;
        expect(['settlement.list.holds-won'], walk, { there, id: story.id, cause: settled.source });
      }
    }

    function onRequests(walk: Walk, there: ReadonlySet<string>): void {
      for (const story of latest(walk)) {
        const { creation } = story;
        if (!creation || !settledIn(creation, walk) || !surelyActive(story, walk)) continue;
        // Whether a request stays active for a maker that has quoted it is open (gap `rfq.active`).
        if (happened(story.submissions).some((call) => call.party === walk.first.party)) continue;
        const seen = story.rfqs.find((rfq) => rfq.call && settledIn(rfq.call, walk));
        const quoted = story.submissions.find((call) => call.ok && settledIn(call, walk));
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
        expect(requirements, walk, { there, id: story.id, cause: creation.id });
      }
    }

    function surelyActive(story: OrderStory, walk: Walk): boolean {
      const meddled = happened([...story.acceptances, ...story.cancels]).some(
        (call) => call.open < walk.last.close,
      );
      if (meddled || view.disturbed(story.id)) return false;
      if (story.sightings.some((seen) => stateOf(seen) === 'FAILED')) return false;
      const expiry = momentIn(story.sightings, 'expires_at');
      return expiry !== undefined && watch.before(during(walk.last), expiry);
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
