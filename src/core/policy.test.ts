import { describe, expect, it } from 'vitest';
import { Desk } from './desk.testing.ts';
import { policyOf } from './policy/index.ts';
import type { Policy } from './policy/policy.ts';
import { orderOf } from './read.ts';
import { snapshot } from './snapshot.ts';

/** A reference with one requirement broken is a policy with one member replaced. */
describe('a policy with one member replaced', () => {
  it('shows a view wherever its resource turns up', () => {
    const bare = (policy: Policy): Policy => ({
      ...policy,
      views: { ...policy.views, order: ({ id }) => ({ intent_id: id }) },
    });
    const desk = new Desk({}, bare);
    const { intent_id } = desk.orderIn('QUOTED');
    const seen = [
      desk.get('sender', 'order.read', { intent_id }),
      desk.list('sender', 'order.list')[0],
      desk.get('sender_custodian', 'proposal.accept', { intent_id }),
      desk.events.find(({ event }) => event === 'order_updated')?.data,
      desk.get('sender', 'order.cancel', { intent_id }),
    ];
    expect(seen).toEqual(seen.map(() => ({ intent_id })));
  });

  it('lets a cancel through from a state that forbids it', () => {
    const lax = (policy: Policy): Policy => ({
      ...policy,
      cancel: { ...policy.cancel, from: [...policy.cancel.from, 'EXECUTING'] },
    });
    const desk = new Desk({}, lax);
    expect(desk.code('sender', 'order.cancel', desk.orderIn('EXECUTING'))).toBe('ok');
  });

  it('computes with its own money', () => {
    const dear = (policy: Policy): Policy => ({
      ...policy,
      money: { ...policy.money, write: (amount) => amount.plus(1).toFixed(2) },
    });
    const desk = new Desk({}, dear);
    const ids = desk.orderIn('QUOTED');
    expect(desk.get('sender', 'order.read', ids).source_amount_actual).toBe('126.00');
  });

  it('may change what is stored, knowing what brought it about', () => {
    const forgetful = (policy: Policy): Policy => ({
      ...policy,
      stored: {
        ...policy.stored,
        order: (after, before, { command }) =>
          before !== undefined && command.type === 'due' ? { ...after, memo: 'lost' } : after,
      },
    });
    const desk = new Desk({}, forgetful);
    const { intent_id } = desk.orderIn('QUOTED');
    expect(orderOf(desk.state, intent_id)?.memo).toBe('rent');
    desk.wait(600);
    expect(orderOf(desk.state, intent_id)?.memo).toBe('lost');
  });

  it('that throws halfway leaves the state as it was', () => {
    let broken = false;
    const faulty = (policy: Policy): Policy => ({
      ...policy,
      views: {
        ...policy.views,
        ownQuote: (quote) => {
          if (broken) throw new Error('no view');
          return policy.views.ownQuote(quote);
        },
      },
    });
    const desk = new Desk({}, faulty);
    const ids = desk.orderIn('PENDING');
    const before = JSON.stringify(snapshot(desk.state));
    broken = true;
    expect(() => desk.ask('sender', 'quote.accept', ids)).toThrow('no view');
    expect(JSON.stringify(snapshot(desk.state))).toBe(before);
    broken = false;
    expect(desk.code('sender', 'quote.accept', ids)).toBe('ok');
  });

  it('is made once from an assignment, and its answers are shared by nobody', () => {
    const desk = new Desk();
    const assignment = desk.state.world.config.assignment;
    expect(policyOf(assignment)).not.toBe(policyOf(assignment));
    expect(desk.state.world.policy.assignment).toBe(assignment);
  });
});

describe('views', () => {
  it('are built once for each record', () => {
    const desk = new Desk();
    const { intent_id } = desk.orderIn('PENDING');
    const read = () => desk.get('sender', 'order.read', { intent_id });
    expect(read()).toBe(read());
    expect(desk.list('sender_custodian', 'order.list')[0]).toBe(read());
  });
});
