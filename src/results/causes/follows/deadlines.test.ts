import { describe, expect, it } from 'vitest';
import { causesIn, exchange, failed, frame } from '../../../../test/support/made-failures.ts';

describe('the cause of a failure that follows from a deadline', () => {
  const params = { intent_id: 'o' };

  it('is the wrong moment that an event is compared with', () => {
    const late = { intent_id: 'o', status: 'SETTLED', settled_at: '2030-01-01T00:00:11.000Z' };
    const records = [
      exchange('s', 'order.read', late, { params }),
      frame('f', 'settlement_completed', { intent_id: 'o' }),
    ];
    const wrong = (['order.settled-at.unchanged', 'order.settled-at.at-settlement'] as const).map(
      (id) =>
        failed(id, 'settled_at of an order was not what it must be', {
          expected: '2030-01-01T00:00:04.000Z',
          actual: late.settled_at,
          exchanges: ['s'],
        }),
    );
    const early = failed(
      'event.settlement-completed.only-settled',
      'settlement_completed came of a trade that had not settled',
      {
        exchanges: ['s', 'f'],
      },
    );
    expect(causesIn([...wrong, early], records)).toMatchObject([
      { place: { endpoint: 'order.read', field: 'data.settled_at' }, failures: [{}, {}, {}] },
    ]);
  });

  it('is the missing end at a deadline, for failures about expired orders', () => {
    const late = failed('order.state.pending-to-expired', 'an order was PENDING', {
      expected: 'EXPIRED',
      actual: 'PENDING',
      exchanges: ['r'],
    });
    const accepted = failed('order.accept.expired-order-refused', 'a quote was accepted', {
      exchanges: ['a'],
    });
    const listed = failed('rfq.list.expired-order-left', 'rfq.list held an expired order', {
      exchanges: ['q'],
    });
    const records = [
      exchange('r', 'order.read', { intent_id: 'o', status: 'PENDING' }),
      exchange('a', 'quote.accept', { intent_id: 'p', status: 'ACCEPTED' }),
      exchange('q', 'rfq.list', [{ intent_id: 's' }]),
    ];
    expect(causesIn([late, accepted, listed], records)).toMatchObject([
      { place: { endpoint: 'order.read', field: 'data.status' }, failures: [{}, {}, {}] },
    ]);
    // An order that becomes EXPIRED in time, and is accepted or listed all the same: two mistakes.
    expect(causesIn([accepted, listed], records)).toHaveLength(2);
  });

  it('is the deadline that answers show, where that is wrong', () => {
    const shown = { intent_id: 'o', status: 'PENDING', expires_at: '2030-01-01T00:00:00.000Z' };
    const wrong = failed('order.expires-at.after-creation', 'expires_at was before creation', {
      expected: '2030-01-01T09:05:00.000Z',
      actual: shown.expires_at,
      exchanges: ['c'],
    });
    const open = failed('order.state.pending-to-expired', 'an order was PENDING', {
      expected: 'EXPIRED',
      actual: 'PENDING',
      exchanges: ['c'],
    });
    expect(causesIn([wrong, open], [exchange('c', 'order.create', shown)])).toMatchObject([
      { place: { endpoint: 'order.create', field: 'data.expires_at' }, failures: [{}, {}] },
    ]);
  });

  it('is the early end, for items missing from lists of open ones', () => {
    const early = failed('order.state.pending-to-expired.not-early', 'an order was EXPIRED early', {
      expected: 'PENDING',
      actual: 'EXPIRED',
      exchanges: ['r'],
    });
    const lists = (['rfq.list.complete', 'rfq.list.holds-new-request'] as const).map((id) =>
      failed(id, 'rfq.list left out an item that must be there', { exchanges: ['q'] }),
    );
    const records = [
      exchange('r', 'order.read', { intent_id: 'o', status: 'EXPIRED' }),
      exchange('q', 'rfq.list', []),
    ];
    expect(causesIn([early, ...lists], records)).toMatchObject([
      { place: { endpoint: 'order.read', field: 'data.status' }, failures: [{}, {}, {}] },
    ]);
    expect(causesIn(lists, records)).toMatchObject([{ place: { endpoint: 'rfq.list' } }]);
  });
});
