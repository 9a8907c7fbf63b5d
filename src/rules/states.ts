import type { OrderState } from '../spec/words.ts';
import { textAt } from './json.ts';
import { patience } from './patience.ts';
import { type Clash, progressOf } from './progress.ts';
import { defineRule } from './tally.ts';
import { type Call, precedes } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import { happened, type OrderStory, stateOf } from './view/stories.ts';

/**
 * Where an order may be found later, states in between missed. EXECUTING to EXPIRED is no row of 3.1, but where
 * an exceeded window, a withdrawal and a passed `valid_until` lead from there is open.
 */
const ways: Readonly<Record<OrderState, readonly OrderState[]>> = {
  PENDING: ['PENDING', 'QUOTED', 'EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'],
  QUOTED: ['QUOTED', 'EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'],
  EXECUTING: ['EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'],
  SETTLED: ['SETTLED'],
  EXPIRED: ['EXPIRED'],
  FAILED: ['FAILED'],
};
export const reaches = (from: OrderState, to: OrderState): boolean => ways[from].includes(to);

const absorbing = {
  SETTLED: 'order.state.settled-absorbs',
  EXPIRED: 'order.state.expired-absorbs',
  FAILED: 'order.state.failed-absorbs',
} as const;
const isEnd = (state: OrderState): state is keyof typeof absorbing => state in absorbing;

const blameOf = (what: string, { earlier, later }: Clash<string>, whom = '') => ({
  message: `${what} was ${earlier.state} and then ${later.state}${whom}`,
  expected: `a state that follows ${earlier.state}`,
  actual: later.state,
  evidence: [earlier.sighting.source, later.sighting.source],
});

export const orderStates = defineRule({
  id: 'order.states',
  title: 'Every observer sees an order move along listed transitions, and stay where it ended',
  requirements: [
    'order.state.listed-transitions-only',
    'order.state.settled-absorbs',
    'order.state.expired-absorbs',
    'order.state.failed-absorbs',
    'order.state.views-agree',
    'event.after-cause',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      const { kept, own, across, agreed } = progressOf(story.sightings, stateOf, reaches);
      for (const { state, stayed, sighting } of kept) {
        tally.pass('order.state.listed-transitions-only', sighting.source);
        if (stayed && isEnd(state)) tally.pass(absorbing[state], sighting.source);
      }
      for (const clash of own) {
        const { state, sighting } = clash.earlier;
        if (sighting.frame) {
          tally.fail('event.after-cause', {
            ...blameOf('an order', clash),
            message: `an event told ${state}, and a read after it showed ${clash.later.state}`,
          });
          continue;
        }
        const requirement = isEnd(state) ? absorbing[state] : 'order.state.listed-transitions-only';
        tally.fail(requirement, blameOf('an order', clash));
      }
      for (const sighting of agreed) tally.pass('order.state.views-agree', sighting.source);
      for (const clash of across) {
        tally.fail('order.state.views-agree', blameOf('an order', clash, ' to another observer'));
      }
      const ends = new Map<OrderState, Sighting>();
      for (const sighting of story.sightings) {
        const state = stateOf(sighting);
        if (state && isEnd(state) && !ends.has(state)) ends.set(state, sighting);
      }
      if (ends.size > 1 && own.length === 0 && across.length === 0) {
        tally.fail('order.state.views-agree', {
          message: 'an order was seen in two different ends',
          actual: [...ends.keys()],
          evidence: [...ends.values()].map(({ source }) => source),
        });
      }
    }
  },
});

export const creation = defineRule({
  id: 'order.creation',
  title: 'A new order is PENDING, with an id of its own and the creator as its sender',
  requirements: [
    'order.state.starts-pending',
    'order.create.returns-pending',
    'order.create.assigns-intent-id',
    'order.intent-id.unique',
    'order.sender-party-id.is-creator',
  ],
  judge(view, tally) {
    const seen = new Map<string, Call>();
    for (const call of view.endpoint('order.create')) {
      if (!call.ok || !call.own) continue;
      const { id } = call;
      const evidence = [id];
      const status = textAt(call.data, 'status');
      for (const requirement of [
        'order.state.starts-pending',
        'order.create.returns-pending',
      ] as const) {
        tally.judge(requirement, status === 'PENDING', id, () => ({
          message: 'a new order was not PENDING',
          expected: 'PENDING',
          actual: status ?? null,
          evidence,
        }));
      }
      const intentId = textAt(call.data, 'intent_id');
      const assigned = intentId !== undefined && intentId !== '';
      tally.judge('order.create.assigns-intent-id', assigned, id, () => ({
        message: 'a created order came without an intent_id',
        evidence,
      }));
      if (intentId !== undefined) {
        const before = seen.get(intentId);
        tally.judge('order.intent-id.unique', before === undefined, id, () => ({
          message: 'two creations returned the same intent_id',
          actual: intentId,
          evidence: [before?.id ?? '', id],
        }));
        seen.set(intentId, call);
      }
      const creator = view.partyIdOf(call.party);
      const sender = textAt(call.data, 'sender_party_id');
      if (creator === undefined || sender === undefined) continue;
      tally.judge('order.sender-party-id.is-creator', sender === creator, id, () => ({
        message: 'sender_party_id was not the party that created the order',
        expected: creator,
        actual: sender,
        evidence,
      }));
    }
  },
});

const beyondPending: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

export const acceptanceNeeded = defineRule({
  id: 'order.acceptance-needed',
  title: 'No order leaves PENDING for QUOTED without the acceptance of a quote',
  requirements: ['order.state.quote-needed', 'error.refusal-changes-nothing'],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      if (!story.creation) continue;
      const sighting = story.sightings.find((seen) => {
        const state = stateOf(seen);
        return state !== undefined && beyondPending.includes(state);
      });
      const attempts = story.acceptances.filter((call) => !sighting || call.open < sighting.close);
      const effective = happened(attempts);
      if (!sighting) {
        const refused = attempts.find((call) => call.status !== undefined && !call.ok);
        if (refused && story.sightings.some((seen) => precedes(refused, seen))) {
          tally.pass('error.refusal-changes-nothing', refused.id);
        }
        continue;
      }
      if (effective.length > 0) {
        tally.pass('order.state.quote-needed', sighting.source);
        continue;
      }
      const refused = attempts.at(-1);
      const requirement = refused ? 'error.refusal-changes-nothing' : 'order.state.quote-needed';
      tally.fail(requirement, {
        message: `an order was ${stateOf(sighting)} though ${refused ? 'every acceptance of a quote was refused' : 'nobody accepted a quote'}`,
        actual: stateOf(sighting),
        evidence: [...(refused ? [refused.id] : []), sighting.source],
      });
    }
  },
});

const unsettled: readonly OrderState[] = ['EXPIRED', 'FAILED'];

/** The first sighting that shows an order in a state before something was sent. */
export const knownBefore = (
  story: OrderStory,
  call: { readonly open: number },
  wanted: readonly OrderState[],
): Sighting | undefined =>
  story.sightings.find((seen) => {
    const state = stateOf(seen);
    return state !== undefined && wanted.includes(state) && precedes(seen, call);
  });

/** Cancels that were answered with success when the order was not known to have ended before. */
export const effectiveCancels = (story: OrderStory): Call[] =>
  story.cancels.filter(
    (call) => call.ok && !knownBefore(story, call, ['SETTLED', 'EXPIRED', 'FAILED']),
  );

export const cancels = defineRule({
  id: 'order.cancels',
  title: 'A cancel works on PENDING and QUOTED orders only, and ends them unsettled',
  requirements: [
    'order.state.cancel-ends-order',
    'order.cancel.never-settles',
    'order.cancel.executing-refused',
    'order.cancel.settled-refused',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      if (story.cancels.length === 0) continue;
      judgeRefusals(story);
      const [first] = effectiveCancels(story);
      if (!first || knownBefore(story, first, ['EXECUTING'])) continue;
      for (const seen of story.sightings) {
        const state = stateOf(seen);
        if (!state) continue;
        // A cancel may be answered before it takes effect (gap `cancel.response`).
        const later = seen.from > first.exchange.received + patience.betweenParties;
        if (state === 'SETTLED') {
          tally.fail('order.cancel.never-settles', {
            message: 'a cancelled order was SETTLED',
            evidence: [first.id, seen.source],
          });
        } else if (later) tally.pass('order.cancel.never-settles', seen.source);
        if (!later && !unsettled.includes(state)) continue;
        if (!later && !precedes(first, seen) && seen.call !== first) continue;
        tally.judge(
          'order.state.cancel-ends-order',
          unsettled.includes(state),
          seen.source,
          () => ({
            message: `a cancelled order was ${state}`,
            expected: 'EXPIRED or FAILED',
            actual: state,
            evidence: [first.id, seen.source],
          }),
        );
      }
    }

    function judgeRefusals(story: OrderStory): void {
      for (const call of story.cancels) {
        if (call.status === undefined) continue;
        for (const [state, requirement] of [
          ['SETTLED', 'order.cancel.settled-refused'],
          ['EXECUTING', 'order.cancel.executing-refused'],
        ] as const) {
          const known = knownBefore(story, call, [state]);
          // By the time of the cancel an EXECUTING order may have failed and so be cancelled already.
          if (!known || (state === 'EXECUTING' && !isPlainSettlement(story))) continue;
          tally.judge(requirement, !call.ok, call.id, () => ({
            message: `a cancel succeeded on an order that was ${state}`,
            expected: 'a 4xx status',
            actual: call.status,
            evidence: [known.source, call.id],
          }));
          break;
        }
      }
    }

    function isPlainSettlement(story: OrderStory): boolean {
      return (
        !view.disturbed(story.id) &&
        !story.cancels.some((call) => call.ok && !knownBefore(story, call, ['EXECUTING']))
      );
    }
  },
});

export const acceptances = defineRule({
  id: 'order.acceptances',
  title: 'A quote is accepted once, on a PENDING order only, and the answer says so',
  requirements: [
    'quote.accept.returns-quoted',
    'quote.accept.custodian-returns-quoted',
    'order.accept.expired-order-refused',
    'order.accept.settled-order-refused',
    'order.accept.cancelled-order-refused',
    'order.accept.second-quote-refused',
    'quote.state.one-accepted-under-race',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      for (const call of story.acceptances) {
        if (call.status === undefined) continue;
        judgeRefusal(story, call);
        if (call.ok && call.own) judgeAnswer(story, call);
      }
      judgeRaces(story);
    }

    function judgeRefusal(story: OrderStory, call: Call): void {
      const refused = (
        requirement:
          | 'order.accept.expired-order-refused'
          | 'order.accept.settled-order-refused'
          | 'order.accept.cancelled-order-refused'
          | 'order.accept.second-quote-refused',
        when: string,
        since: string,
      ): void => {
        tally.judge(requirement, !call.ok, call.id, () => ({
          message: `a quote was accepted on an order ${when}`,
          expected: 'a 4xx status',
          actual: call.status,
          evidence: [since, call.id],
        }));
      };
      const quoteId = call.exchange.params.quote_id;
      const first = story.acceptances.find((other) => other.ok && precedes(other, call));
      // Accepting the accepted quote again is open (gap `accept.again`).
      if (first && first.exchange.params.quote_id === quoteId) return;
      if (first) refused('order.accept.second-quote-refused', 'with another accepted', first.id);
      const cancelled = story.cancels.find((other) => other.ok && precedes(other, call));
      const ended = knownBefore(story, call, ['SETTLED', 'EXPIRED', 'FAILED']);
      if (!ended) return;
      const state = stateOf(ended);
      if (state === 'SETTLED') {
        refused('order.accept.settled-order-refused', 'that had settled', ended.source);
      } else if (cancelled) {
        refused('order.accept.cancelled-order-refused', 'that was cancelled', cancelled.id);
      } else if (state === 'EXPIRED') {
        refused('order.accept.expired-order-refused', 'that had expired', ended.source);
      }
    }

    function judgeAnswer(story: OrderStory, call: Call): void {
      const again = story.acceptances.some(
        (other) => other !== call && other.open < call.close && other.ok,
      );
      // An acceptance above the maximum may fail the order (gap `quote.above_max`).
      const status = textAt(call.data, 'status');
      if (again || status === 'FAILED') return;
      const requirement =
        call.exchange.role === 'custodian'
          ? 'quote.accept.custodian-returns-quoted'
          : 'quote.accept.returns-quoted';
      tally.judge(requirement, status === 'QUOTED', call.id, () => ({
        message: 'the answer to an acceptance did not show the order as QUOTED',
        expected: 'QUOTED',
        actual: status ?? null,
        evidence: [call.id],
      }));
    }

    function judgeRaces(story: OrderStory): void {
      const { acceptances: calls } = story;
      for (const [index, call] of calls.entries()) {
        for (const other of calls.slice(index + 1)) {
          const together = !precedes(call, other) && !precedes(other, call);
          if (!together || call.exchange.params.quote_id === other.exchange.params.quote_id)
            continue;
          if (call.status === undefined || other.status === undefined) continue;
          tally.judge(
            'quote.state.one-accepted-under-race',
            !(call.ok && other.ok),
            other.id,
            () => ({
              message: 'two acceptances of different quotes sent at once both succeeded',
              evidence: [call.id, other.id],
            }),
          );
        }
      }
    }
  },
});
