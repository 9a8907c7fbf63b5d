import { describe, expect, it } from 'vitest';
import { orderTransitions } from '../spec/states.ts';
import { type OrderState, orderStates } from '../spec/words.ts';
import type { Deadline } from './contract.ts';
import { Desk, epoch } from './desk.testing.ts';
import { orderOf, quoteOf } from './read.ts';

type Drive = (desk: Desk, intent_id: string, quote_id: string) => void;

const due =
  (kind: Deadline['kind'], more: Partial<Deadline> = {}): Drive =>
  (desk, intentId, quoteId) => {
    const deadline = { at: desk.now, kind, intentId, quoteId, ...more };
    desk.do({ type: 'due', deadline, entropy: desk.entropy() });
  };

/** Each trigger, where it leads from each state; from every other state it changes nothing. */
const triggers: Record<string, { drive: Drive; leads: Partial<Record<OrderState, OrderState>> }> = {
  'acceptance by the institution': {
    drive: (desk, intent_id, quote_id) =>
      void desk.ask('sender', 'quote.accept', { intent_id, quote_id }),
    leads: { PENDING: 'QUOTED' },
  },
  'acceptance by the sender custodian': {
    drive: (desk, intent_id, quote_id) =>
      void desk.ask('sender_custodian', 'quote.accept', { intent_id, quote_id }),
    leads: { PENDING: 'QUOTED' },
  },
  cancel: {
    drive: (desk, intent_id) => void desk.ask('sender', 'order.cancel', { intent_id }),
    leads: { PENDING: 'FAILED', QUOTED: 'FAILED' },
  },
  'acceptance of the proposal': {
    drive: (desk, intent_id) => void desk.ask('sender_custodian', 'proposal.accept', { intent_id }),
    leads: {},
  },
  'start of settlement': { drive: due('settlement-start'), leads: { QUOTED: 'EXECUTING' } },
  'the last leg out of turn': { drive: due('settlement-leg', { leg: 4 }), leads: {} },
  'the window': { drive: due('settlement-window'), leads: { EXECUTING: 'FAILED' } },
  'expiry of the order before its time': { drive: due('order-expiry'), leads: {} },
  'expiry of the order': {
    drive: (desk, ...ids) => {
      desk.now = Math.max(desk.now, epoch + 60_000);
      due('order-expiry')(desk, ...ids);
    },
    leads: { PENDING: 'EXPIRED' },
  },
  'expiry of the quote before its time': { drive: due('quote-expiry'), leads: {} },
  'expiry of the quote': {
    drive: (desk, ...ids) => {
      desk.now = Math.max(desk.now, epoch + 20_000);
      due('quote-expiry')(desk, ...ids);
    },
    leads: { QUOTED: 'EXPIRED' },
  },
  'start of settlement after the quote has passed': {
    drive: (desk, ...ids) => {
      desk.now = Math.max(desk.now, epoch + 20_000);
      due('settlement-start')(desk, ...ids);
    },
    leads: { QUOTED: 'EXPIRED' },
  },
  'validation without a fault': { drive: due('order-validation'), leads: {} },
  'failed validation': {
    drive: (desk, intentId) => desk.fault(intentId, { kind: 'invalid' }),
    leads: { PENDING: 'FAILED' },
  },
  withdrawal: {
    drive: (desk, intentId) => desk.fault(intentId, { kind: 'withdraw' }),
    leads: { PENDING: 'FAILED', QUOTED: 'FAILED', EXECUTING: 'FAILED' },
  },
};

describe('orders move as part 3.1 has it, and no other way', () => {
  for (const [name, { drive, leads }] of Object.entries(triggers)) {
    for (const from of orderStates) {
      const to = leads[from] ?? from;
      it(`${name}: ${from} to ${to}`, () => {
        const desk = new Desk();
        const { intent_id, quote_id } = desk.orderIn(from);
        expect(desk.status(intent_id)).toBe(from);
        const before = orderOf(desk.state, intent_id);
        const mark = desk.events.length;
        drive(desk, intent_id, quote_id);
        expect(desk.status(intent_id)).toBe(to);
        const updates = desk.told(mark).filter((line) => line === 'sender order_updated');
        expect(updates.length).toBe(from === to ? 0 : 1);
        const after = { ...orderOf(desk.state, intent_id), fault: undefined };
        const kept = { ...before, proposalAccepted: after.proposalAccepted };
        expect(from === to ? after : kept).toEqual(kept);
      });
    }
  }

  it('every transition of the document comes about', () => {
    const desk = new Desk();
    const { intent_id } = desk.orderIn('SETTLED');
    const seen = desk.events
      .filter(({ to, event }) => to.startsWith('sender::') && event === 'order_updated')
      .map(({ data }) => (data as { status: string }).status);
    expect(seen).toEqual(['QUOTED', 'EXECUTING', 'SETTLED']);
    expect(orderOf(desk.state, intent_id)?.settled?.at).toBe(epoch + 4000);
    const led = Object.values(triggers).flatMap(({ leads }) =>
      Object.entries(leads).map(([from, to]) => `${from} ${to}`),
    );
    const listed = orderTransitions.map(({ from, to }) => `${from} ${to}`);
    expect([...led, 'EXECUTING SETTLED']).toEqual(expect.arrayContaining(listed));
  });
});

describe('what an acceptance sets', () => {
  it.each(['sender', 'sender_custodian'] as const)('by the %s', (who) => {
    const desk = new Desk();
    const { intent_id, quote_id } = desk.orderIn('PENDING');
    desk.wait(1000);
    const answer = desk.accept(intent_id, quote_id, who);
    const fields = {
      intent_id,
      status: 'QUOTED',
      quote_id,
      fx_rate: '0.8',
      source_amount_actual: '125.00',
      quote_accepted_at: '2026-01-01T00:00:01.000Z',
    };
    expect(answer).toMatchObject(fields);
    expect(Object.keys(answer).length).toBe(who === 'sender' ? 20 : 6);
    expect(desk.get('sender', 'order.read', { intent_id })).toMatchObject({
      ...fields,
      market_maker_party_id: expect.stringMatching(/^maker_a::/),
    });
  });

  it('an order with an accepted quote does not expire by its own deadline', () => {
    const desk = new Desk({ 'settlement.window': '30s' });
    const { intent_id } = desk.orderIn('PENDING');
    desk.wait(59_900);
    desk.accept(intent_id, desk.quote(intent_id));
    desk.wait(5000);
    expect(desk.status(intent_id)).toBe('SETTLED');
  });
});

describe('quotes move as part 3.2 has it', () => {
  it('one is selected, every rival rejected, an expired one left alone', () => {
    const desk = new Desk();
    const intent_id = desk.create();
    const early = desk.quote(intent_id, 'maker_c', { valid_until: '2026-01-01T00:00:01.000Z' });
    const [a, b] = [desk.quote(intent_id, 'maker_a'), desk.quote(intent_id, 'maker_b')];
    desk.wait(1000);
    desk.accept(intent_id, b);
    expect([early, a, b].map((id) => quoteOf(desk.state, id)?.status)).toEqual([
      'EXPIRED',
      'REJECTED',
      'ACCEPTED',
    ]);
    desk.wait(60_000);
    expect([early, a, b].map((id) => quoteOf(desk.state, id)?.status)).toEqual([
      'EXPIRED',
      'REJECTED',
      'ACCEPTED',
    ]);
  });

  it('an expired, a rejected and a foreign quote cannot be accepted', () => {
    const desk = new Desk();
    const { intent_id, quote_id } = desk.orderIn('PENDING');
    const other = desk.orderIn('PENDING');
    desk.wait(20_000);
    const accept = (quote: string) =>
      desk.code('sender', 'quote.accept', { intent_id, quote_id: quote });
    expect(accept(quote_id)).toBe('quote_not_usable');
    expect(accept(other.quote_id)).toBe('not_found');
    const [fresh, rival] = [desk.quote(intent_id), desk.quote(intent_id, 'maker_b')];
    desk.accept(intent_id, fresh);
    expect(accept(rival)).toBe('wrong_state');
    expect(accept(fresh)).toBe('already_done');
  });
});
