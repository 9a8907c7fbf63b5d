import type { OrderState } from '../spec/words.ts';
import { textAt } from './json.ts';
import { defineRule } from './tally.ts';
import { type Call, precedes } from './view/calls.ts';
import { happened, type OrderStory, stateOf } from './view/stories.ts';
import { knownBefore } from './cancels.ts';

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
