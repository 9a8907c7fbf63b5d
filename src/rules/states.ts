import type { OrderState } from '../spec/words.ts';
import { textAt } from './json.ts';
import { type Clash, progressOf } from './progress.ts';
import { defineRule } from './tally.ts';
import type { Call } from './view/calls.ts';
import type { Sighting } from './view/sightings.ts';
import { stateOf } from './view/stories.ts';

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
const isEnd = (state: OrderState): state is keyof typeof absorbing =>
  Object.hasOwn(absorbing, state);

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
        // The same creation once more may be answered with what it made: one order, told twice.
        const again =
          before?.party === call.party && JSON.stringify(before.sent) === JSON.stringify(call.sent);
        tally.judge('order.intent-id.unique', before === undefined || again, id, () => ({
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
