import { describe, expect, it } from 'vitest';
import { CoreDriver } from '../../../../test/support/core/core-driver.ts';
import { type Policy, policyOf } from './index.ts';
import { orderOf } from '../state-queries.ts';
import { saveState } from '../state.ts';

/** A reference with one requirement broken is a policy with one member replaced. */
describe('a policy with one member replaced', () => {
  it('uses the view wherever the resource is shown', () => {
    const bare = (policy: Policy): Policy => ({
      ...policy,
      views: { ...policy.views, order: ({ id }) => ({ intent_id: id }) },
    });
    const core = new CoreDriver({}, bare);
    const { intent_id } = core.orderIn('QUOTED');
    const seen = [
      core.get('sender', 'order.read', { intent_id }),
      core.list('sender', 'order.list')[0],
      core.get('sender_custodian', 'proposal.accept', { intent_id }),
      core.events.find(({ event }) => event === 'order_updated')?.data,
      core.get('sender', 'order.cancel', { intent_id }),
    ];
    expect(seen).toEqual(seen.map(() => ({ intent_id })));
  });

  it('lets a cancel through from a state that forbids it', () => {
    const lax = (policy: Policy): Policy => ({
      ...policy,
      cancel: { ...policy.cancel, from: [...policy.cancel.from, 'EXECUTING'] },
    });
    const core = new CoreDriver({}, lax);
    expect(core.code('sender', 'order.cancel', core.orderIn('EXECUTING'))).toBe('ok');
  });

  it('computes with its own money', () => {
    const dear = (policy: Policy): Policy => ({
      ...policy,
      money: { ...policy.money, write: (amount) => amount.plus(1).toFixed(2) },
    });
    const core = new CoreDriver({}, dear);
    const ids = core.orderIn('QUOTED');
    expect(core.get('sender', 'order.read', ids).source_amount_actual).toBe('126.00');
  });

  it('may change stored records, depending on the command', () => {
    const forgetful = (policy: Policy): Policy => ({
      ...policy,
      stored: {
        ...policy.stored,
        order: (after, before, { command }) =>
          before !== undefined && command.type === 'due' ? { ...after, memo: 'lost' } : after,
      },
    });
    const core = new CoreDriver({}, forgetful);
    const { intent_id } = core.orderIn('QUOTED');
    expect(orderOf(core.state, intent_id)?.memo).toBe('rent');
    core.wait(600);
    expect(orderOf(core.state, intent_id)?.memo).toBe('lost');
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
    const core = new CoreDriver({}, faulty);
    const ids = core.orderIn('PENDING');
    const before = JSON.stringify(saveState(core.state));
    broken = true;
    expect(() => core.ask('sender', 'quote.accept', ids)).toThrow('no view');
    expect(JSON.stringify(saveState(core.state))).toBe(before);
    broken = false;
    expect(core.code('sender', 'quote.accept', ids)).toBe('ok');
  });

  it('is made once from an assignment, and its answers are shared by nobody', () => {
    const core = new CoreDriver();
    const assignment = core.state.world.config.assignment;
    expect(policyOf(assignment)).not.toBe(policyOf(assignment));
    expect(core.state.world.policy.assignment).toBe(assignment);
  });
});

describe('views', () => {
  it('are built once for each record', () => {
    const core = new CoreDriver();
    const { intent_id } = core.orderIn('PENDING');
    const read = () => core.get('sender', 'order.read', { intent_id });
    expect(read()).toBe(read());
    expect(core.list('sender_custodian', 'order.list')[0]).toBe(read());
  });
});
