import { describe, expect, it } from 'vitest';
import type { Fault, Leg } from './contract.ts';
import { Desk, epoch, parties, receiver } from './desk.testing.ts';
import { balancesOf, deadlinesOf, ownersOf } from './read.ts';

const held = (desk: Desk, who: string) => balancesOf(desk.state, who);
const all = (desk: Desk) =>
  Object.fromEntries(ownersOf(desk.state).map((owner) => [owner, held(desk, owner)]));

function executing(desk: Desk, fault?: Fault): string {
  const { intent_id } = desk.orderIn('QUOTED');
  if (fault) desk.fault(intent_id, fault);
  return intent_id;
}

describe('the four legs', () => {
  it('are all done at the end, and none before', () => {
    const desk = new Desk();
    const before = all(desk);
    executing(desk);
    desk.wait(3999);
    expect(held(desk, parties.maker_a.partyId).USD).toBe('100000');
    expect(held(desk, receiver)).toEqual({});
    desk.wait(1);
    expect(all(desk)).toEqual({
      ...before,
      [parties.sender.partyId]: { USD: '99875', EUR: '100000', JPY: '100000' },
      [parties.maker_a.partyId]: { USD: '100125', EUR: '99900', JPY: '100000' },
      [receiver]: { EUR: '100' },
    });
  });

  it.each([1, 2, 3, 4] as const)('a revert at leg %i gives everything back', (leg: Leg) => {
    const desk = new Desk();
    const before = all(desk);
    const intent_id = executing(desk, { kind: 'revert', leg });
    desk.wait(500 + 875 * leg - 1);
    expect(desk.status(intent_id)).toBe('EXECUTING');
    desk.wait(1);
    const order = desk.get('sender', 'order.read', { intent_id });
    expect(order).toMatchObject({ status: 'FAILED', failure_reason: 'REVERT' });
    expect(order).not.toHaveProperty('transaction_hash');
    expect(all(desk)).toEqual(before);
    expect(desk.told()).not.toContain('maker_a settlement_completed');
  });

  it.each([
    ['the sender', { source_currency: 'KWD' }],
    ['the maker', { target_currency: 'KWD' }],
  ])('revert where %s has not the funds', (_, body) => {
    const desk = new Desk();
    const before = all(desk);
    const intent_id = desk.create(body);
    desk.accept(intent_id, desk.quote(intent_id));
    desk.wait(5000);
    expect(desk.get('sender', 'order.read', { intent_id })).toMatchObject({
      status: 'FAILED',
      failure_reason: 'REVERT',
    });
    expect(all(desk)).toEqual(before);
  });

  it('funds set aside for one settlement are not there for another', () => {
    const desk = new Desk();
    const big = { target_amount: '60000.00', source_amount_max: '99999' };
    const quoted = [1, 2].map(() => {
      const intent_id = desk.create(big);
      return { intent_id, quote_id: desk.quote(intent_id, 'maker_a', { ...big, fx_rate: '1' }) };
    });
    for (const { intent_id, quote_id } of quoted) desk.accept(intent_id, quote_id);
    desk.wait(5000);
    expect(quoted.map(({ intent_id }) => desk.status(intent_id))).toEqual(['SETTLED', 'FAILED']);
    expect(held(desk, parties.sender.partyId).USD).toBe('40000');
  });
});

describe('the settlement window', () => {
  it('ends a stalled settlement after thirty seconds', () => {
    const desk = new Desk();
    const before = all(desk);
    const intent_id = executing(desk, { kind: 'stall' });
    desk.wait(29_999);
    expect(desk.status(intent_id)).toBe('EXECUTING');
    desk.wait(1);
    expect(desk.get('sender', 'order.read', { intent_id })).toMatchObject({
      status: 'FAILED',
      failure_reason: 'TIMEOUT',
      quote_id: expect.any(String),
    });
    expect(all(desk)).toEqual(before);
  });
});

describe('faults', () => {
  it.each([
    ['!revert', 'FAILED', 'REVERT'],
    ['!revert:1', 'FAILED', 'REVERT'],
    ['!stall', 'FAILED', 'TIMEOUT'],
    ['revert', 'SETTLED', undefined],
  ])('the memo %s: %s, %s', (memo, status, failure_reason) => {
    const desk = new Desk();
    const intent_id = desk.create({ memo });
    desk.accept(intent_id, desk.quote(intent_id));
    desk.wait(40_000);
    const order = desk.get('sender', 'order.read', { intent_id });
    expect([order.status, order.failure_reason]).toEqual([status, failure_reason]);
  });

  it.each([
    ['!withdraw', 'OPERATOR_WITHDRAWN'],
    ['!invalid', undefined],
  ])('the memo %s ends a pending order soon: %s', (memo, reason) => {
    const desk = new Desk();
    const intent_id = desk.create({ memo });
    desk.wait(249);
    expect(desk.status(intent_id)).toBe('PENDING');
    desk.wait(1);
    const order = desk.get('sender', 'order.read', { intent_id });
    expect([order.status, order.failure_reason]).toEqual(['FAILED', reason]);
    expect(desk.list('maker_a', 'rfq.list')).toEqual([]);
    expect(desk.told().filter((line) => line.endsWith('quote_request_expired')).length).toBe(3);
  });

  it('for the next order strike one', () => {
    const desk = new Desk();
    desk.fault('next', { kind: 'invalid' });
    const [first, second] = [desk.create(), desk.create()];
    desk.wait(1000);
    expect([first, second].map((id) => desk.status(id))).toEqual(['FAILED', 'PENDING']);
  });

  it('for all last until they are taken back', () => {
    const desk = new Desk();
    const settle = () => {
      const intent_id = desk.create();
      desk.accept(intent_id, desk.quote(intent_id));
      desk.wait(5000);
      return desk.status(intent_id);
    };
    desk.fault('all', { kind: 'revert', leg: 2 });
    const struck = [settle(), settle()];
    desk.fault('all', null);
    expect([...struck, settle()]).toEqual(['FAILED', 'FAILED', 'SETTLED']);
  });

  it('a stall that is taken back too late still ends in the window', () => {
    const desk = new Desk();
    const intent_id = executing(desk, { kind: 'stall' });
    desk.wait(2000);
    desk.fault(intent_id, null);
    desk.wait(10_000);
    expect(desk.status(intent_id)).toBe('EXECUTING');
    desk.wait(20_000);
    expect(desk.status(intent_id)).toBe('FAILED');
  });

  it('a withdrawal that was asked for reaches an order that was accepted meanwhile', () => {
    const desk = new Desk();
    const intent_id = desk.create({ memo: '!withdraw' });
    desk.accept(intent_id, desk.quote(intent_id));
    expect(deadlinesOf(desk.state)[0]?.kind).toBe('order-validation');
    desk.wait(250);
    expect(desk.status(intent_id)).toBe('FAILED');
  });

  it('for an order that nobody knows do nothing', () => {
    const desk = new Desk();
    const before = desk.state;
    desk.fault('nobody', { kind: 'withdraw' });
    expect(desk.state).toBe(before);
  });
});

describe('what a settlement tells', () => {
  it('each event, to whom it goes and to nobody else, in order', () => {
    const desk = new Desk();
    const intent_id = desk.create();
    const quotes = (['maker_a', 'maker_b'] as const).map((who) => desk.quote(intent_id, who));
    desk.accept(intent_id, quotes[0] ?? '', 'sender_custodian');
    desk.wait(60_000);
    const updated = ['sender', 'sender_custodian', 'receiver_custodian'].map(
      (who) => `${who} order_updated`,
    );
    expect(desk.told()).toEqual([
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
    const desk = new Desk();
    const { intent_id, quote_id } = desk.orderIn('SETTLED');
    const settlement = desk.get('maker_a', 'settlement.read', { intent_id });
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
    expect(desk.events.at(-1)?.data).toEqual(settlement);
    expect(desk.list('maker_a', 'settlement.list')).toEqual([settlement]);
  });

  it('deadlines that still mean something can be read off a state', () => {
    const desk = new Desk();
    desk.orderIn('EXECUTING');
    desk.create({ memo: '!invalid' });
    const waiting = deadlinesOf(desk.state).map(({ kind, at }) => `${kind} ${at - epoch}`);
    expect(waiting).toEqual([
      'order-validation 850',
      'settlement-leg 1375',
      'settlement-window 30000',
      'order-expiry 60600',
    ]);
  });
});
