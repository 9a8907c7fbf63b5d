import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import type { EventName } from '../../spec/events.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Failure } from '../run-report.ts';
import type { FoundFailure } from '../source-report.ts';
import { causesIn, exchange, failed, frame } from '../../../test/support/made-failures.ts';

describe('the cause behind a failure elsewhere', () => {
  const params = { intent_id: 'o' };
  const read = exchange('r', 'order.read', { intent_id: 'o' });

  it('is the state, where two views differ in what goes with it', () => {
    const [mine, theirs] = ['a', 'b'].map((id) =>
      exchange(id, 'order.read', { intent_id: 'o', status: 'QUOTED' }, { params }),
    ) as [Exchange, Exchange];
    const differ = failed(
      'order.read.custodian-sees-same',
      'order.read and order.read differed in quote_id',
      {
        expected: { quote_id: null },
        actual: { quote_id: 'q' },
        exchanges: ['a', 'b'],
      },
    );
    const early = failed(
      'order.state.quote-needed',
      'an order was QUOTED though nobody accepted a quote',
      {
        actual: 'QUOTED',
        exchanges: ['a'],
      },
    );
    const stays = failed('quote.submit.order-stays-pending', 'an order was QUOTED after a quote', {
      actual: 'QUOTED',
      exchanges: ['a'],
    });
    expect(causesIn([differ, early, stays], [mine, theirs])).toMatchObject([
      { place: { endpoint: 'order.read', field: 'data.status' }, failures: [{}, {}, {}] },
    ]);
    // Without a finding against the state, the cause is the field.
    expect(causesIn([differ], [mine, theirs])).toMatchObject([
      { place: { field: 'data.quote_id' } },
    ]);
  });

  it('is a refused request, if such requests are known to take effect', () => {
    const refusal = (id: string, order: string): Exchange =>
      exchange(id, 'order.cancel', undefined, {
        params: { intent_id: order },
        request: { method: 'POST', path: '/somewhere', headers: {} },
        response: { status: 404, headers: {}, body: {} },
      });
    const told = frame('f', 'order_updated', { intent_id: 'o', status: 'FAILED' });
    const other = frame('g', 'order_updated', { intent_id: 'p', status: 'FAILED' });
    const changed = failed('error.refusal-sends-no-event', 'something came though it was refused', {
      exchanges: ['f', 'x'],
    });
    const again = failed('error.refusal-changes-nothing', 'it changed though it was refused', {
      deviation: 'refused',
      expected: 'a success (2xx)',
      exchanges: ['x'],
    });
    const ended = failed('order.state.executing-to-settled', 'an order was FAILED', {
      expected: 'SETTLED',
      actual: 'FAILED',
      exchanges: ['g'],
    });
    const records = [refusal('x', 'o'), refusal('y', 'p'), told, other];
    expect(causesIn([changed, again, ended], records)).toMatchObject([
      { place: { endpoint: 'order.cancel' }, failures: [{}, {}, {}] },
    ]);
    // Nothing was refused of that order.
    expect(causesIn([changed, again, ended], [refusal('x', 'o'), told, other])).toHaveLength(2);
  });

  it('is one deviation of several kinds of events, even if one kind has others too', () => {
    const [order, quote] = [
      frame('f', 'order_updated', { intent_id: 'o' }),
      frame('g', 'quote_received', { intent_id: 'o' }),
    ];
    const late = (id: string, event: string): Failure =>
      failed('event.live', `${event} came 20 s after its cause was known`, { exchanges: [id] });
    const missed = failed(
      'event.order-updated.to-sender-custodian',
      'no order_updated went to one',
      { deviation: 'not sent', exchanges: ['f'] },
    );
    const [cause, more] = causesIn(
      [late('f', 'order_updated'), missed, late('g', 'quote_received')],
      [order, quote],
    );
    expect(more).toBeUndefined();
    expect([cause?.place, ...(cause?.also ?? [])]).toEqual([
      { event: 'order_updated' },
      { event: 'quote_received' },
    ]);
  });

  it('is the field with the wrong value, even if that is no text', () => {
    const [odd, again] = ['w', 'v'].map((id) =>
      exchange(id, 'identity.read', { party_id: { is: 'half' } }),
    ) as [Exchange, Exchange];
    const form = failed('identity.party-id.form', 'data.party_id did not have its form', {
      actual: { is: 'half' },
      exchanges: ['w'],
    });
    const another = failed('base-url.paths-relative', 'Below one URL another answered.', {
      fields: ['party_id'],
      actual: { is: 'half' },
      exchanges: ['v'],
    });
    expect(causesIn([form, another], [odd, again])).toMatchObject([
      { place: { endpoint: 'identity.read', field: 'data.party_id' }, failures: [{}, {}] },
    ]);
  });

  it('is the member of an envelope that must not be there', () => {
    const single = failed('envelope.pagination-on-lists-only', 'no list, and yet pagination', {
      exchanges: ['r'],
    });
    expect(causesIn([single], [read])).toMatchObject([
      { place: { endpoint: 'order.read', field: 'pagination' } },
    ]);
  });

  it('is an id that two objects share, for all failures about either', () => {
    const quote = { quote_id: 'q', intent_id: 'o', status: 'PENDING' };
    const submitted = exchange('s', 'quote.submit', quote, { params });
    const listed = exchange('l', 'order.quotes', [quote, quote], { params });
    const failures = [
      failed('quote.quote-id.unique', 'two submissions returned the same quote_id', {
        actual: 'q',
        exchanges: ['s'],
      }),
      failed('list.pages-disjoint', 'order.quotes showed an item twice', { exchanges: ['l'] }),
      failed('quote.state.expired-absorbs', 'a quote was EXPIRED and then PENDING', {
        expected: 'EXPIRED',
        actual: 'PENDING',
        exchanges: ['l'],
      }),
    ];
    expect(causesIn(failures, [submitted, listed])).toMatchObject([
      { place: { field: expect.stringMatching(/quote_id$/) as string }, failures: [{}, {}, {}] },
    ]);
  });

  it('is the stream, where events of several kinds are not sent on it', () => {
    const opened = exchange('s', 'order.events', undefined, { opensStream: true });
    const missed = (requirement: RequirementId, event: EventName): FoundFailure =>
      failed(requirement, `no ${event} went to sender`, {
        deviation: 'not sent',
        event,
        exchanges: ['s'],
      });
    const failures = [
      missed('event.order-updated.sent', 'order_updated'),
      missed('event.order-updated.on-quoted', 'order_updated'),
      missed('event.order-updated.on-executing', 'order_updated'),
      missed('stream.unfiltered-has-all', 'order_updated'),
      missed('event.quote-received.sent', 'quote_received'),
      missed('event.quote-received.every-quote', 'quote_received'),
      missed('stream.unfiltered-has-all', 'quote_received'),
      failed('event.every-open-stream', 'of 3 open streams one did not carry quote_received', {
        event: 'quote_received',
        exchanges: ['s'],
      }),
    ];
    expect(causesIn(failures, [opened])).toHaveLength(1);
    // One that came after another got lost shows a state that does not follow.
    const next = frame('n', 'order_updated', { intent_id: 'o', status: 'SETTLED' });
    const jump = failed('order.state.quoted-to-executing', 'an order went from QUOTED to SETTLED', {
      exchanges: ['n'],
    });
    expect(causesIn([...failures, jump], [opened, next])).toMatchObject([
      { id: 'events:not-sent', requirements: expect.arrayContaining([jump.requirement]) },
    ]);
    // A finding about a single kind of event is no evidence against the whole stream.
    const apart = [
      failed('event.order-updated.on-quoted', 'it did not come', { exchanges: ['f'] }),
      failed('event.quote-received.every-quote', 'it did not come', { exchanges: ['g'] }),
    ];
    const frames = [frame('f', 'order_updated', {}), frame('g', 'quote_received', {})];
    expect(causesIn(apart, frames)).toHaveLength(2);
  });

  it('is the answer that lacks a field, where others show it', () => {
    const lists = exchange('l', 'order.list', [{ intent_id: 'o' }]);
    const shows = exchange('r', 'order.read', { intent_id: 'o', source_amount_actual: '10.00' });
    const missing = failed(
      'order.source-amount-actual.set-on-acceptance',
      'source_amount_actual was missing',
      { exchanges: ['l'] },
    );
    const changed = failed(
      'order.source-amount-actual.unchanged',
      'source_amount_actual did not stay',
      { exchanges: ['r', 'l'] },
    );
    expect(causesIn([changed, missing], [lists, shows])).toMatchObject([
      { deviation: 'missing', failures: [{}, {}] },
    ]);
    expect(causesIn([changed], [lists, shows])).toMatchObject([{ deviation: 'changed' }]);
  });

  it('is the id of another, for all fields of that answer', () => {
    const answered = (id: string, status: string): Exchange =>
      exchange(id, 'quote.submit', { quote_id: 'q', status }, { params: { intent_id: id } });
    const shared = failed('quote.quote-id.unique', 'two submissions returned the same quote_id', {
      actual: 'q',
      exchanges: ['a', 'b'],
    });
    const again = failed('quote.state.expired-absorbs', 'a quote was EXPIRED and then PENDING', {
      actual: 'PENDING',
      exchanges: ['c'],
    });
    const records = [answered('a', 'PENDING'), answered('b', 'PENDING'), answered('c', 'PENDING')];
    expect(causesIn([shared, again], records)).toMatchObject([
      { place: { endpoint: 'quote.submit', field: 'data.quote_id' }, failures: [{}, {}] },
    ]);
  });

  it('is one of two contradictory fields, by the other failures', () => {
    const above = failed(
      'order.source-amount-actual.at-most-max',
      'source_amount_actual was above source_amount_max',
      {
        fields: ['source_amount_max'],
        expected: 'at most 5',
        actual: '9',
        exchanges: ['a'],
      },
    );
    const rewritten = failed('order.source-amount-max.unchanged', 'source_amount_max of an order', {
      expected: '10',
      actual: '5',
      exchanges: ['a'],
    });
    const records = [
      exchange('a', 'order.read', { source_amount_actual: '9', source_amount_max: '5' }),
    ];
    expect(causesIn([above, rewritten], records)).toMatchObject([
      { place: { field: 'data.source_amount_max' }, failures: [{}, {}] },
    ]);
    expect(causesIn([above], records)).toMatchObject([
      { place: { field: 'data.source_amount_actual' } },
    ]);
  });

  it('is an answer that lacks most of its fields, for whatever rests on one of them', () => {
    const fields = [
      'created-at',
      'expires-at',
      'target-amount',
      'target-currency',
      'source-currency',
    ] as const;
    const lacking = fields.map((name) =>
      failed(`order.${name}.present`, `data.${name.replace('-', '_')} was missing`, {
        exchanges: ['c'],
      }),
    );
    const returned = failed('order.create.returns-order', 'order.create lacked source_currency', {
      fields: ['source_currency'],
      actual: { intent_id: 'p' },
      exchanges: ['d'],
    });
    const changed = failed(
      'proposal.accept.order-stays-legal',
      'Accepting a proposal changed source_currency of the order.',
      { fields: ['source_currency'], exchanges: ['f', 'e'] },
    );
    const records = [
      exchange('c', 'order.create', { intent_id: 'o' }),
      exchange('d', 'order.create', { intent_id: 'p' }),
      exchange('f', 'order.create', { intent_id: 'r' }),
      exchange('e', 'proposal.accept', { intent_id: 'r' }, { params: { intent_id: 'r' } }),
    ];
    expect(causesIn([returned, changed, ...lacking], records)).toHaveLength(1);
  });

  it('is a denied read, if the model cannot explain it either', () => {
    const denied = (id: string): Exchange =>
      exchange(id, 'order.read', undefined, {
        params: { intent_id: id },
        response: { status: 403, headers: {}, body: {} },
      });
    const due = failed('access.order.read.custodian-allowed', 'order.read was refused', {
      deviation: 'refused',
      expected: 'a success (2xx)',
      actual: 403,
      exchanges: ['r'],
    });
    const strange = failed(
      'order.state.listed-transitions-only',
      'An order was in a state that nothing done to it explains.',
      { actual: 'custodian: GET answered 403', exchanges: ['s'] },
    );
    expect(causesIn([due, strange], [denied('r'), denied('s')])).toMatchObject([
      { place: { endpoint: 'order.read' }, deviation: 'refused', failures: [{}, {}] },
    ]);
  });
});
