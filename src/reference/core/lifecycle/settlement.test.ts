import { describe, expect, it } from 'vitest';
import type { Fault, Leg } from '../contract.ts';
import { CoreDriver, epoch, parties, receiver } from '../../../../test/support/core/core-driver.ts';
import { balancesOf, deadlinesOf, ownersOf } from '../state-queries.ts';

const held = (core: CoreDriver, who: string) => balancesOf(core.state, who);
const all = (core: CoreDriver) =>
  Object.fromEntries(ownersOf(core.state).map((owner) => [owner, held(core, owner)]));

function executing(core: CoreDriver, fault?: Fault): string {
  const { intent_id } = core.orderIn('QUOTED');
  if (fault) core.fault(intent_id, fault);
  return intent_id;
}

describe('the four legs', () => {
  it('are all done at the end, and none before', () => {
    const core = new CoreDriver();
    const before = all(core);
    executing(core);
    core.wait(3999);
    expect(held(core, parties.maker_a.partyId).USD).toBe('100000');
    expect(held(core, receiver)).toEqual({});
    core.wait(1);
    expect(all(core)).toEqual({
      ...before,
      [parties.sender.partyId]: { USD: '99875', EUR: '100000', JPY: '100000' },
      [parties.maker_a.partyId]: { USD: '100125', EUR: '99900', JPY: '100000' },
      [receiver]: { EUR: '100' },
    });
  });

  it.each([1, 2, 3, 4] as const)('a revert at leg %i gives everything back', (leg: Leg) => {
    const core = new CoreDriver();
    const before = all(core);
    const intent_id = executing(core, { kind: 'revert', leg });
    core.wait(500 + 875 * leg - 1);
    expect(core.status(intent_id)).toBe('EXECUTING');
    core.wait(1);
    const order = core.get('sender', 'order.read', { intent_id });
    expect(order).toMatchObject({ status: 'FAILED', failure_reason: 'REVERT' });
    expect(order).not.toHaveProperty('transaction_hash');
    expect(all(core)).toEqual(before);
    expect(core.eventsSince()).not.toContain('maker_a settlement_completed');
  });

  it.each([
    ['the sender', { source_currency: 'KWD' }],
    ['the maker', { target_currency: 'KWD' }],
  ])('revert if %s lacks the funds', (_, body) => {
    const core = new CoreDriver();
    const before = all(core);
    const intent_id = core.create(body);
    core.accept(intent_id, core.quote(intent_id));
    core.wait(5000);
    expect(core.get('sender', 'order.read', { intent_id })).toMatchObject({
      status: 'FAILED',
      failure_reason: 'REVERT',
    });
    expect(all(core)).toEqual(before);
  });

  it('funds reserved for one settlement are not there for another', () => {
    const core = new CoreDriver();
    const big = { target_amount: '60000.00', source_amount_max: '99999' };
    const quoted = [1, 2].map(() => {
      const intent_id = core.create(big);
      return { intent_id, quote_id: core.quote(intent_id, 'maker_a', { ...big, fx_rate: '1' }) };
    });
    for (const { intent_id, quote_id } of quoted) core.accept(intent_id, quote_id);
    core.wait(5000);
    expect(quoted.map(({ intent_id }) => core.status(intent_id))).toEqual(['SETTLED', 'FAILED']);
    expect(held(core, parties.sender.partyId).USD).toBe('40000');
  });
});

describe('faults', () => {
  it.each([
    ['!revert', 'FAILED', 'REVERT'],
    ['!revert:1', 'FAILED', 'REVERT'],
    ['!stall', 'FAILED', 'TIMEOUT'],
    ['revert', 'SETTLED', undefined],
  ])('the memo %s: %s, %s', (memo, status, failure_reason) => {
    const core = new CoreDriver();
    const intent_id = core.create({ memo });
    core.accept(intent_id, core.quote(intent_id));
    core.wait(40_000);
    const order = core.get('sender', 'order.read', { intent_id });
    expect([order.status, order.failure_reason]).toEqual([status, failure_reason]);
  });

  it.each([
    ['!withdraw', 'OPERATOR_WITHDRAWN'],
    ['!invalid', undefined],
  ])('the memo %s ends a pending order soon: %s', (memo, reason) => {
    const core = new CoreDriver();
    const intent_id = core.create({ memo });
    core.wait(249);
    expect(core.status(intent_id)).toBe('PENDING');
    core.wait(1);
    const order = core.get('sender', 'order.read', { intent_id });
    expect([order.status, order.failure_reason]).toEqual(['FAILED', reason]);
    expect(core.list('maker_a', 'rfq.list')).toEqual([]);
    expect(core.eventsSince().filter((line) => line.endsWith('quote_request_expired')).length).toBe(
      3,
    );
  });

  it('for the next order affect one order', () => {
    const core = new CoreDriver();
    core.fault('next', { kind: 'invalid' });
    const [first, second] = [core.create(), core.create()];
    core.wait(1000);
    expect([first, second].map((id) => core.status(id))).toEqual(['FAILED', 'PENDING']);
  });

  it('for all orders last until they are cleared', () => {
    const core = new CoreDriver();
    const settle = () => {
      const intent_id = core.create();
      core.accept(intent_id, core.quote(intent_id));
      core.wait(5000);
      return core.status(intent_id);
    };
    core.fault('all', { kind: 'revert', leg: 2 });
    const validation = [settle(), settle()];
    core.fault('all', null);
    expect([...validation, settle()]).toEqual(['FAILED', 'FAILED', 'SETTLED']);
  });

  it('a stall that is cleared too late still ends in the window', () => {
    const core = new CoreDriver();
    const intent_id = executing(core, { kind: 'stall' });
    core.wait(2000);
    core.fault(intent_id, null);
    core.wait(10_000);
    expect(core.status(intent_id)).toBe('EXECUTING');
    core.wait(20_000);
    expect(core.status(intent_id)).toBe('FAILED');
  });

  it('a requested withdrawal also ends an order that is accepted before it', () => {
    const core = new CoreDriver();
    const intent_id = core.create({ memo: '!withdraw' });
    core.accept(intent_id, core.quote(intent_id));
    expect(deadlinesOf(core.state)[0]?.kind).toBe('order-validation');
    core.wait(250);
    expect(core.status(intent_id)).toBe('FAILED');
  });

  it('for an unknown order do nothing', () => {
    const core = new CoreDriver();
    const before = core.state;
    core.fault('nobody', { kind: 'withdraw' });
    expect(core.state).toBe(before);
  });
});

describe('the events of a settlement', () => {
  it('are sent in order, each to its parties only', () => {
    const core = new CoreDriver();
    const intent_id = core.create();
    const quotes = (['maker_a', 'maker_b'] as const).map((who) => core.quote(intent_id, who));
    core.accept(intent_id, quotes[0] ?? '', 'sender_custodian');
    core.wait(60_000);
    const updated = ['sender', 'sender_custodian', 'receiver_custodian'].map(
      (who) => `${who} order_updated`,
    );
    expect(core.eventsSince()).toEqual([
      ...['maker_a', 'maker_b', 'maker_c'].map((who) => `${who} quote_request_new`),
      ...[1, 2].flatMap(() => ['sender quote_received', 'sender_custodian quote_received']),
      ...updated,
      'maker_a quote_accepted',
      'maker_b quote_rejected',
      ...updated,
      ...updated,
      'maker_a settlement_completed',
    ]);
  });

  it('the maker reads the settlement it won', () => {
    const core = new CoreDriver();
    const { intent_id, quote_id } = core.orderIn('SETTLED');
    const settlement = core.get('maker_a', 'settlement.read', { intent_id });
    expect(settlement).toEqual({
      intent_id,
      source_currency: 'USD',
      target_currency: 'EUR',
      target_amount: '100.00',
      source_amount_actual: '125.00',
      fx_rate: '0.8',
      quote_id,
      mm_quoted_source_amount: '125.00',
      mm_delivered_target_amount: '100.00',
      transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      settled_at: '2026-01-01T00:00:04.000Z',
    });
    expect(core.events.at(-1)?.data).toEqual(settlement);
    expect(core.list('maker_a', 'settlement.list')).toEqual([settlement]);
  });

  it('the pending deadlines can be read from a state', () => {
    const core = new CoreDriver();
    core.orderIn('EXECUTING');
    core.create({ memo: '!invalid' });
    const waiting = deadlinesOf(core.state).map(({ kind, at }) => `${kind} ${at - epoch}`);
    expect(waiting).toEqual([
      'order-validation 850',
      'settlement-leg 1375',
      'settlement-window 30000',
      'order-expiry 60600',
    ]);
  });
});
