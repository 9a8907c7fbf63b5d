import {
  acceptanceFields,
  fieldRequirement,
  settlementFields,
} from '../spec/requirements/index.ts';
import { acceptedStates } from '../spec/states.ts';
import type { OrderState } from '../spec/words.ts';
import { isSet } from './json.ts';
import { defineRule } from './tally.ts';
import type { Sighting } from './view/sightings.ts';
import { happened, type OrderStory, stateOf } from './view/stories.ts';

const onAcceptance = acceptanceFields.map((field) => ({
  field,
  set: fieldRequirement('order', field, 'set-on-acceptance'),
  early: fieldRequirement('order', field, 'not-before-acceptance'),
}));
const onSettlement = settlementFields.map((field) => ({
  field,
  set: fieldRequirement('order', field, 'set-on-settlement'),
  early: fieldRequirement('order', field, 'not-before-settlement'),
}));

/** Whether an order can be known never to have had an accepted quote by the time of a sighting. */
const neverAccepted = (story: OrderStory, sighting: Sighting): boolean =>
  story.creation !== undefined &&
  happened(story.acceptances).every((call) => call.open >= sighting.close);

/** Nor is an order executed that could still be cancelled. */
const neverExecuted = (story: OrderStory, sighting: Sighting): boolean =>
  neverAccepted(story, sighting) ||
  story.cancels.some(({ ok, close }) => ok && close < sighting.open);

export const acceptanceMoments = defineRule({
  id: 'order.acceptance-fields',
  title: 'The fields of an accepted quote are set with the move to QUOTED, not before',
  requirements: [
    ...onAcceptance.flatMap(({ set, early }) => [set, early]),
    'order.accepted.sets-quote-fields',
    'quote.accept.returns-fx-rate',
    'quote.accept.returns-source-amount-actual',
    'quote.accept.returns-market-maker',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      for (const sighting of story.sightings) {
        if (sighting.resource !== 'order') continue;
        const state = stateOf(sighting);
        if (!state) continue;
        if (acceptedStates.includes(state)) {
          if (sighting.whole) judgeSet(sighting, state);
        } else if (state === 'PENDING' || neverAccepted(story, sighting))
          judgeUnset(sighting, state);
      }
    }

    function judgeSet(sighting: Sighting, state: OrderState): void {
      const { value, source, via } = sighting;
      const missing: string[] = [];
      for (const { field, set } of onAcceptance) {
        const there = tally.judge(set, isSet(value[field]), source, () => ({
          message: `${field} of an order in ${state} was not set (${via})`,
          evidence: [source],
        }));
        if (!there) missing.push(field);
      }
      tally.judge('order.accepted.sets-quote-fields', missing.length === 0, source, () => ({
        message: `an order in ${state} lacked ${missing.join(', ')} (${via})`,
        evidence: [source],
      }));
      if (via !== 'quote.accept') return;
      for (const [field, requirement] of [
        ['fx_rate', 'quote.accept.returns-fx-rate'],
        ['source_amount_actual', 'quote.accept.returns-source-amount-actual'],
        ['market_maker_party_id', 'quote.accept.returns-market-maker'],
      ] as const) {
        tally.judge(requirement, isSet(value[field]), source, () => ({
          message: `the order that an acceptance returned had no ${field}`,
          evidence: [source],
        }));
      }
    }

    function judgeUnset(sighting: Sighting, state: OrderState): void {
      const { value, source, via } = sighting;
      for (const { field, early } of onAcceptance) {
        tally.judge(early, !isSet(value[field]), source, () => ({
          message: `${field} was set on an order in ${state} without an accepted quote (${via})`,
          expected: 'absent or null',
          actual: value[field],
          evidence: [source],
        }));
      }
    }
  },
});

export const settlementMoments = defineRule({
  id: 'order.settlement-fields',
  title:
    'The fields of a settlement are set with the move to SETTLED, not before and not otherwise',
  requirements: [
    ...onSettlement.flatMap(({ set, early }) => [set, early]),
    'order.settled.sets-hash',
    'settlement.atomic',
  ],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      for (const sighting of story.sightings) {
        if (sighting.resource !== 'order') continue;
        const state = stateOf(sighting);
        const { value, source, via } = sighting;
        const set = settlementFields.filter((field) => isSet(value[field]));
        if (state === 'SETTLED') {
          if (!sighting.whole) continue;
          for (const each of onSettlement) {
            tally.judge(each.set, isSet(value[each.field]), source, () => ({
              message: `${each.field} of a SETTLED order was not set (${via})`,
              evidence: [source],
            }));
          }
          tally.judge('order.settled.sets-hash', set.length === 2, source, () => ({
            message: `a SETTLED order did not carry both its hash and its moment (${via})`,
            expected: settlementFields,
            actual: set,
            evidence: [source],
          }));
        } else if (state === 'EXPIRED' || state === 'FAILED') {
          // A reverted transaction has a hash too, so on an order that may have executed a hash alone proves nothing.
          const wrong = neverExecuted(story, sighting)
            ? set
            : set.filter((field) => field === 'settled_at');
          const blame = () => ({
            message: `an order that ended ${state} carried ${set.join(' and ')} (${via})`,
            expected: 'neither a transaction hash nor a settlement moment',
            actual: set,
            evidence: [source],
          });
          if (wrong.length === 0 && set.length > 0) tally.warn('settlement.atomic', blame());
          else tally.judge('settlement.atomic', set.length === 0, source, blame);
        } else if (state) {
          for (const { field, early } of onSettlement) {
            tally.judge(early, !isSet(value[field]), source, () => ({
              message: `${field} was set on an order in ${state} (${via})`,
              expected: 'absent or null',
              actual: value[field],
              evidence: [source],
            }));
          }
        }
      }
      judgeNoSettlement(story);
    }

    /** The other half of all or nothing: what did not settle is no settlement either. */
    function judgeNoSettlement(story: OrderStory): void {
      const [shown] = story.settlements;
      const ended = story.sightings.find((seen) => {
        const state = stateOf(seen);
        return state === 'EXPIRED' || state === 'FAILED';
      });
      if (!shown || !ended) return;
      tally.fail('settlement.atomic', {
        message: `a settlement was shown of an order that ended ${stateOf(ended)}`,
        evidence: [ended.source, shown.source],
      });
    }
  },
});
