import { parseTimestamp } from '../spec/forms.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import { orderStates, quoteStates } from '../spec/words.ts';
import { isObject, textAt } from './json.ts';
import { watchOf } from './moment.ts';
import { statusAsked } from './pages.ts';
import { patience } from './patience.ts';
import { defineRule } from './tally.ts';
import { type Call, countBelow } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import { happened, type OrderStory, stateOf } from './view/stories.ts';
import { walksOf } from './walks.ts';

/** The states that a list can be filtered by. */
export const listedStates: Partial<Record<EndpointName, readonly string[]>> = {
  'order.list': orderStates,
  'quote.list': quoteStates,
};

export const statusFilters = defineRule({
  id: 'list.status-filters',
  title: 'A list that is filtered by a status holds that status only',
  requirements: [
    'order.list.status-filter',
    'order.list.custodian-status-filter',
    'quote.list.status-filter',
  ],
  judge(view, tally) {
    for (const endpoint of ['order.list', 'quote.list'] as const) {
      for (const call of view.endpoint(endpoint)) {
        const asked = statusAsked(call);
        if (!call.ok || !call.own || asked === undefined || !Array.isArray(call.data)) continue;
        // What answers a word that is no state is open (gap `list.unknown_status`).
        if (!listedStates[endpoint]?.includes(asked)) continue;
        const requirement =
          endpoint === 'quote.list'
            ? 'quote.list.status-filter'
            : call.exchange.role === 'custodian'
              ? 'order.list.custodian-status-filter'
              : 'order.list.status-filter';
        for (const item of call.data) {
          const status = isObject(item) ? item['status'] : undefined;
          tally.judge(requirement, status === asked, call.id, () => ({
            message: `a list filtered by ${asked} held an item in another status`,
            expected: asked,
            actual: status ?? null,
            evidence: [call.id],
          }));
        }
      }
    }
  },
});

export const belonging = defineRule({
  id: 'list.belonging',
  title: 'What stands on a list belongs there: to its order, to its state, to its time',
  requirements: [
    'order.quotes.only-that-order',
    'rfq.quotes.only-that-request',
    'rfq.list.accepted-order-left',
    'rfq.list.expired-order-left',
    'order.cancel.request-closes',
    'settlement.list.settled-only',
    'settlement.list.failed-left-out',
    'order.read.returns-that-order',
    'rfq.read.returns-that-request',
    'settlement.read.returns-that-settlement',
  ],
  judge(view, tally) {
    const watch = watchOf(view);
    for (const sighting of view.sightings) {
      const { via, call, value } = sighting;
      const asked = call?.exchange.params.intent_id;
      if (!call) continue;
      if (asked !== undefined) judgeAsked(sighting, asked);
      const story = view.orders.get(textAt(value, 'intent_id') ?? '');
      if (!story) continue;
      if (via === 'rfq.list') judgeRequest(story, sighting, call);
      if (via === 'settlement.list') judgeSettlement(story, sighting);
    }

    function judgeAsked({ via, value, source }: Sighting, asked: string): void {
      const requirement = byPath[via];
      const id = textAt(value, 'intent_id');
      if (!requirement || id === undefined) return;
      tally.judge(requirement, id.toLowerCase() === asked.toLowerCase(), source, () => ({
        message: `${via} answered with something of another order`,
        expected: asked,
        actual: id,
        evidence: [source],
      }));
    }

    function judgeRequest(story: OrderStory, sighting: Sighting, call: Call): void {
      const { source } = sighting;
      const listed = (
        requirement:
          | 'rfq.list.accepted-order-left'
          | 'rfq.list.expired-order-left'
          | 'order.cancel.request-closes',
        why: string,
        cause: string,
      ): void => {
        tally.fail(requirement, {
          message: `a request was still on the list of active ones though its order ${why}`,
          actual: story.id,
          evidence: [cause, source],
        });
      };
      const past = (cause: Call): boolean =>
        cause.ok && call.exchange.sent > cause.exchange.received + patience.betweenParties;
      const accepted = story.acceptances.find(
        (other) => past(other) && textAt(other.data, 'status') === 'QUOTED',
      );
      const cancelled = story.cancels.find(past);
      if (accepted) listed('rfq.list.accepted-order-left', 'had an accepted quote', accepted.id);
      else if (cancelled) listed('order.cancel.request-closes', 'was cancelled', cancelled.id);
      else {
        const expiry = parseTimestamp(value(sighting, 'expires_at'));
        if (expiry === undefined) return;
        const late = watch.wellAfter(sighting, expiry);
        if (late) listed('rfq.list.expired-order-left', 'had expired', source);
      }
    }

    function judgeSettlement(story: OrderStory, sighting: Sighting): void {
      const ended = story.sightings.find((seen) =>
        ['FAILED', 'EXPIRED'].includes(stateOf(seen) ?? ''),
      );
      const later = story.sightings.find(
        (seen) =>
          ['PENDING', 'QUOTED', 'EXECUTING'].includes(stateOf(seen) ?? '') &&
          seen.from > sighting.to + patience.betweenParties,
      );
      const requirement = ended
        ? 'settlement.list.failed-left-out'
        : 'settlement.list.settled-only';
      const wrong = ended ?? later;
      tally.judge(requirement, !wrong, sighting.source, () => ({
        message: `a trade was among the settlements though its order was ${wrong && stateOf(wrong)}`,
        actual: story.id,
        evidence: [sighting.source, wrong?.source ?? ''],
      }));
    }
  },
});

const value = (sighting: Sighting, field: string): unknown => sighting.value[field];

const byPath: Partial<
  Record<
    string,
    | 'order.quotes.only-that-order'
    | 'rfq.quotes.only-that-request'
    | 'order.read.returns-that-order'
    | 'rfq.read.returns-that-request'
    | 'settlement.read.returns-that-settlement'
  >
> = {
  'order.quotes': 'order.quotes.only-that-order',
  'rfq.quotes': 'rfq.quotes.only-that-request',
  'order.read': 'order.read.returns-that-order',
  'rfq.read': 'rfq.read.returns-that-request',
  'settlement.read': 'settlement.read.returns-that-settlement',
};

export const requestsLeft = defineRule({
  id: 'rfq.left',
  title: 'A request leaves the list once its order is accepted, cancelled or expired',
  requirements: [
    'rfq.list.accepted-order-left',
    'order.cancel.request-closes',
    'rfq.list.expired-order-left',
  ],
  judge(view, tally) {
    const whole = view
      .once(walksOf)
      .filter((walk) => walk.first.endpoint === 'rfq.list' && walk.whole);
    const starts = whole.map((walk) => walk.first.open);
    for (const story of view.orders.values()) {
      const passes = (
        requirement:
          | 'rfq.list.accepted-order-left'
          | 'order.cancel.request-closes'
          | 'rfq.list.expired-order-left',
        since: { readonly close: number } | undefined,
      ): void => {
        const walk = since && whole[countBelow(starts, since.close)];
        if (walk && !walk.ids.includes(story.id)) tally.pass(requirement, walk.first.id);
      };
      passes(
        'rfq.list.accepted-order-left',
        story.acceptances.find((call) => call.ok),
      );
      passes(
        'order.cancel.request-closes',
        story.cancels.find((call) => call.ok),
      );
      if (happened([...story.acceptances, ...story.cancels]).length > 0) continue;
      passes(
        'rfq.list.expired-order-left',
        story.sightings.find((seen) => stateOf(seen) === 'EXPIRED'),
      );
    }
  },
});
