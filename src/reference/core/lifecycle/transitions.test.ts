import { describe, expect, it } from 'vitest';
import { orderTransitions } from '../../../spec/states.ts';
import { type OrderState, orderStates } from '../../../spec/vocabulary.ts';
import type { Deadline } from '../contract.ts';
import { CoreDriver, epoch } from '../../../../test/support/core/core-driver.ts';
import { orderOf, quoteOf } from '../state-queries.ts';

type Drive = (core: CoreDriver, intent_id: string, quote_id: string) => void;

const due =
  (kind: Deadline['kind'], more: Partial<Deadline> = {}): Drive =>
  (core, intentId, quoteId) => {
    const deadline = { at: core.now, kind, intentId, quoteId, ...more };
    core.do({ type: 'due', deadline, entropy: core.entropy() });
  };

/** Each trigger, where it leads from each state; from every other state it changes nothing. */
const triggers: Record<string, { drive: Drive; leads: Partial<Record<OrderState, OrderState>> }> = {
  'acceptance by the institution': {
    drive: (core, intent_id, quote_id) =>
      void core.ask('sender', 'quote.accept', { intent_id, quote_id }),
    leads: { PENDING: 'QUOTED' },
  },
  'acceptance by the sender custodian': {
    drive: (core, intent_id, quote_id) =>
      void core.ask('sender_custodian', 'quote.accept', { intent_id, quote_id }),
    leads: { PENDING: 'QUOTED' },
  },
  cancel: {
    drive: (core, intent_id) => void core.ask('sender', 'order.cancel', { intent_id }),
    leads: { PENDING: 'FAILED', QUOTED: 'FAILED' },
  },
  'acceptance of the proposal': {
    drive: (core, intent_id) => void core.ask('sender_custodian', 'proposal.accept', { intent_id }),
    leads: {},
  },
  'start of settlement': { drive: due('settlement-start'), leads: { QUOTED: 'EXECUTING' } },
  'the last leg out of turn': { drive: due('settlement-leg', { leg: 4 }), leads: {} },
  'the window': { drive: due('settlement-window'), leads: { EXECUTING: 'FAILED' } },
  'expiry of the order before its time': { drive: due('order-expiry'), leads: {} },
  'expiry of the order': {
    drive: (core, ...ids) => {
      core.now = Math.max(core.now, epoch + 60_000);
      due('order-expiry')(core, ...ids);
    },
    leads: { PENDING: 'EXPIRED' },
  },
  'expiry of the quote before its time': { drive: due('quote-expiry'), leads: {} },
  'expiry of the quote': {
    drive: (core, ...ids) => {
      core.now = Math.max(core.now, epoch + 20_000);
      due('quote-expiry')(core, ...ids);
    },
    leads: { QUOTED: 'EXPIRED' },
  },
  'start of settlement after the quote has passed': {
    drive: (core, ...ids) => {
      core.now = Math.max(core.now, epoch + 20_000);
      due('settlement-start')(core, ...ids);
    },
    leads: { QUOTED: 'EXPIRED' },
  },
  'validation without a fault': { drive: due('order-validation'), leads: {} },
  'failed validation': {
    drive: (core, intentId) => core.fault(intentId, { kind: 'invalid' }),
    leads: { PENDING: 'FAILED' },
  },
  withdrawal: {
    drive: (core, intentId) => core.fault(intentId, { kind: 'withdraw' }),
    leads: { PENDING: 'FAILED', QUOTED: 'FAILED', EXECUTING: 'FAILED' },
  },
};

describe('orders move as part 3.1 has it, and no other way', () => {
  for (const [name, { drive, leads }] of Object.entries(triggers)) {
    for (const from of orderStates) {
      const to = leads[from] ?? from;
      it(`${name}: ${from} to ${to}`, () => {
        const core = new CoreDriver();
        const { intent_id, quote_id } = core.orderIn(from);
        expect(core.status(intent_id)).toBe(from);
        const before = orderOf(core.state, intent_id);
        const mark = core.events.length;
        drive(core, intent_id, quote_id);
        expect(core.status(intent_id)).toBe(to);
        const updates = core.eventsSince(mark).filter((line) => line === 'sender order_updated');
        expect(updates.length).toBe(from === to ? 0 : 1);
        const after = { ...orderOf(core.state, intent_id), fault: undefined };
        const kept = { ...before, proposalAccepted: after.proposalAccepted };
        expect(from === to ? after : kept).toEqual(kept);
      });
    }
  }

  it('every transition of the document comes about', () => {
    const core = new CoreDriver();
    const { intent_id } = core.orderIn('SETTLED');
    const seen = core.events
      .filter(({ to, event }) => to.startsWith('sender::') && event === 'order_updated')
      .map(({ data }) => (data as { status: string }).status);
    expect(seen).toEqual(['QUOTED', 'EXECUTING', 'SETTLED']);
    expect(orderOf(core.state, intent_id)?.settled?.at).toBe(epoch + 4000);
    const led = Object.values(triggers).flatMap(({ leads }) =>
      Object.entries(leads).map(([from, to]) => `${from} ${to}`),
    );
    const listed = orderTransitions.map(({ from, to }) => `${from} ${to}`);
    expect([...led, 'EXECUTING SETTLED']).toEqual(expect.arrayContaining(listed));
  });
});

describe('what an acceptance sets', () => {
  it.each(['sender', 'sender_custodian'] as const)('by the %s', (who) => {
    const core = new CoreDriver();
    const { intent_id, quote_id } = core.orderIn('PENDING');
    core.wait(1000);
    const answer = core.accept(intent_id, quote_id, who);
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
    expect(core.get('sender', 'order.read', { intent_id })).toMatchObject({
      ...fields,
      market_maker_party_id: expect.stringMatching(/^maker_a::/),
    });
  });

  it('an order with an accepted quote does not expire by its own deadline', () => {
    const core = new CoreDriver({ 'settlement.window': '30s' });
    const { intent_id } = core.orderIn('PENDING');
    core.wait(59_900);
    core.accept(intent_id, core.quote(intent_id));
    core.wait(5000);
    expect(core.status(intent_id)).toBe('SETTLED');
  });
});

describe('quotes move as part 3.2 has it', () => {
  it('one is selected, every rival rejected, an expired one left alone', () => {
    const core = new CoreDriver();
    const intent_id = core.create();
    const early = core.quote(intent_id, 'maker_c', { valid_until: '2026-01-01T00:00:01.000Z' });
    const [a, b] = [core.quote(intent_id, 'maker_a'), core.quote(intent_id, 'maker_b')];
    core.wait(1000);
    core.accept(intent_id, b);
    expect([early, a, b].map((id) => quoteOf(core.state, id)?.status)).toEqual([
      'EXPIRED',
      'REJECTED',
      'ACCEPTED',
    ]);
    core.wait(60_000);
    expect([early, a, b].map((id) => quoteOf(core.state, id)?.status)).toEqual([
      'EXPIRED',
      'REJECTED',
      'ACCEPTED',
    ]);
  });

  it('an expired, a rejected and a foreign quote cannot be accepted', () => {
    const core = new CoreDriver();
    const { intent_id, quote_id } = core.orderIn('PENDING');
    const other = core.orderIn('PENDING');
    core.wait(20_000);
    const accept = (quote: string) =>
      core.code('sender', 'quote.accept', { intent_id, quote_id: quote });
    expect(accept(quote_id)).toBe('quote_not_usable');
    expect(accept(other.quote_id)).toBe('not_found');
    const [fresh, rival] = [core.quote(intent_id), core.quote(intent_id, 'maker_b')];
    core.accept(intent_id, fresh);
    expect(accept(rival)).toBe('wrong_state');
    expect(accept(fresh)).toBe('already_done');
  });
});
