import { describe, expect, test } from 'vitest';
import type { Exchange, History, HistoryRecord } from '../history/records.ts';
import { altered, blamed, edited, exchanged, listening, outcomes, wholeLife } from './testing.ts';
import { variations } from './testing/variations.ts';
import { World } from './testing/world.ts';

interface Listed {
  readonly data?: readonly Readonly<Record<string, unknown>>[];
  readonly pagination?: object;
}

describe('what the document leaves open is not held against a target', () => {
  test.each(variations)('%s', (_, vary) => {
    expect(blamed(vary(wholeLife()))).toEqual([]);
  });

  test.each(['offset', 'skip', 'start'])('pages that %s asks for by items to leave out', (name) => {
    const world = listening('sender');
    for (let n = 0; n < 3; n += 1) world.create();
    world.list('sender', 'order.list', { size: 1 });
    const history = altered(world, (record) => {
      if (record.kind !== 'exchange' || record.query['page'] === undefined) return record;
      return { ...record, query: { [name]: String(Number(record.query['page']) - 1) } };
    });
    const answers = (gap: string) => (gap === 'list.page_param' ? name : undefined);
    expect(outcomes(history, 'pagination.page.as-asked', { answers })).not.toContain('fail');
  });

  test('a rate the other way round throughout', () => {
    const world = listening('sender', 'maker_a');
    const order = world.create();
    world.quote('maker_a', order, '1.25');
    world.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    // 100.00 at 1.25 source units per target unit.
    const other = edited(world, { at: 'order.quotes' }, (quote) => {
      quote['source_amount'] = '125.00';
    });
    const told = edited(other, { at: 'quote_received' }, (quote) => {
      quote['source_amount'] = '125.00';
    });
    expect(blamed(world)).toEqual([]);
    expect(blamed(told)).toEqual([]);
  });

  test.each([0, 1])('a quote that takes the place of the first and keeps its id', (listings) => {
    const world = listening('sender', 'sender_custodian', 'maker_a');
    const order = world.create();
    const params = { intent_id: order.intent_id };
    const first = world.quote('maker_a', order, '0.85');
    for (let n = 0; n < listings; n += 1) world.list('sender', 'order.quotes', { params });
    const second = world.quote('maker_a', order, '0.8');
    const since = world.records.length;
    world.list('sender', 'order.quotes', { params });
    world.list('maker_a', 'quote.list');
    world.accept(order, second);
    world.advance(10_000);
    world.read('sender', order);
    world.list('maker_a', 'settlement.list');
    const records = world.records.map((record, place) => {
      const body = record.kind === 'exchange' ? (record.response?.body as Listed) : undefined;
      if (place < since || !Array.isArray(body?.data)) return record;
      const data = body.data.filter((item) => item['quote_id'] !== first.quote_id);
      const pagination = { ...body.pagination, total_items: data.length };
      const { response } = record as Exchange;
      return { ...record, response: { ...response, body: { ...body, data, pagination } } };
    });
    const text = JSON.stringify(records).replaceAll(second.quote_id, first.quote_id);
    expect(blamed({ records: JSON.parse(text) as HistoryRecord[] })).toEqual([]);
  });

  test('an update when an order is created', () => {
    const world = listening('sender');
    const order = world.create();
    const [opened] = world.records.filter(
      (record) => record.kind === 'exchange' && record.opensStream,
    );
    world.records.push({
      kind: 'frame',
      id: 'f',
      stream: (opened as { id: string }).id,
      by: 'test',
      party: 'sender',
      role: 'institution',
      received: world.now,
      event: 'order_updated',
      data: { intent_id: order.intent_id, status: 'PENDING' },
    });
    expect(blamed(world)).toEqual([]);
  });
});

describe('what lies across a boundary is not decided', () => {
  const expiring = (afterExpiry: number): World => {
    const world = new World();
    world.token('sender');
    const order = world.create();
    world.advance(60_000 + afterExpiry);
    world.read('sender', order);
    return world;
  };
  const stillPending = (world: World): History =>
    edited(world, { at: 'order.read' }, (order) => {
      order['status'] = 'PENDING';
      delete order['failure_reason'];
    });

  test('an order that is PENDING a second after its deadline', () => {
    const history = stillPending(expiring(1_000));
    expect(blamed(history)).toEqual([]);
    expect(outcomes(history, 'order.state.pending-to-expired')).toEqual(['inconclusive']);
  });

  test('but not ten seconds after it', () => {
    const history = stillPending(expiring(10_000));
    expect(outcomes(history, 'order.state.pending-to-expired')).toEqual(['fail']);
  });

  test('an order that is EXPIRED while the clock of the target may be that far ahead', () => {
    const world = expiring(-500);
    const history = edited(world, { at: 'order.read' }, (order) => {
      order['status'] = 'EXPIRED';
    });
    const early = 'order.state.pending-to-expired.not-early';
    expect(outcomes(history, early, { offset: { least: 0, most: 900 } })).not.toContain('fail');
    expect(outcomes(history, early, { offset: { least: 0, most: 100 } })).toContain('fail');
  });

  test('a read that overlaps the acceptance', () => {
    const world = listening('sender', 'maker_a');
    const order = world.create();
    const quote = world.quote('maker_a', order);
    const before = world.records.length;
    world.read('sender', order);
    world.accept(order, quote);
    const history = altered(world, (record) => {
      if (record.kind === 'exchange' && record.endpoint === 'quote.accept') {
        return { ...record, precededBy: before };
      }
      return record;
    });
    const { records } = history;
    // The read was answered after the acceptance and yet shows what was before it.
    const read = records.findIndex(
      (record) => record.kind === 'exchange' && record.endpoint === 'order.read',
    );
    const late = [
      ...records.slice(0, read),
      ...records.slice(read + 1),
      ...records.slice(read, read + 1),
    ];
    expect(blamed({ records: late })).toEqual([]);
  });

  test('an acceptance that is repeated and answered as it was at first', () => {
    const world = listening('sender', 'maker_a');
    const order = world.create();
    world.accept(order, world.quote('maker_a', order));
    const first = world.records.find(
      (record) => record.kind === 'exchange' && record.endpoint === 'quote.accept',
    ) as Exchange & { readonly response: { readonly body: { readonly data: unknown } } };
    const { data } = first.response.body;
    world.advance(6_000);
    world.read('sender', order);
    world.item('sender', 'quote.accept', () => data, { params: first.params });
    expect(blamed(world)).toEqual([]);
    // Of a read the same would be a step back.
    world.item('sender', 'order.read', () => data, { params: first.params });
    expect(blamed(world)).not.toEqual([]);
  });

  test('a custodian whose backend is a second behind', () => {
    const world = listening('sender', 'maker_a');
    const order = world.create();
    const quote = world.quote('maker_a', order);
    world.token('sender_custodian');
    world.accept(order, quote);
    world.advance(300);
    world.read('sender_custodian', order);
    const behind = edited(world, { at: 'order.read' }, (shown) => {
      shown['status'] = 'PENDING';
      for (const field of [
        'quote_id',
        'market_maker_party_id',
        'fx_rate',
        'source_amount_actual',
        'quote_accepted_at',
      ]) {
        delete shown[field];
      }
    });
    expect(blamed(behind)).toEqual([]);
  });

  test('a list from which an item may have moved meanwhile', () => {
    const world = listening('sender');
    for (let n = 0; n < 3; n += 1) world.create();
    const [first, second] = world.list('sender', 'order.list', { size: 2 });
    const created = world.create();
    const records = world.records.filter((record) => record !== first && record !== second);
    expect(created.status).toBe('PENDING');
    const moved = {
      records: [...records.slice(0, -1), first, ...records.slice(-1), second] as HistoryRecord[],
    };
    expect(outcomes(moved, 'list.pages-complete')).not.toContain('fail');
  });
});

describe('a rate that is sometimes the other way round', () => {
  test('is warned of', () => {
    const world = listening('sender', 'maker_a', 'maker_b');
    for (const rate of ['1.25', '0.8', '0.9']) {
      const order = world.create();
      world.quote('maker_a', order, rate);
      world.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    }
    const mixed = edited(world, { at: 'order.quotes', nth: 0 }, (quote) => {
      quote['source_amount'] = '125.00';
    });
    expect(outcomes(mixed, 'quote.source-amount.agrees-with-rate')).toContain('warn');
  });
});

describe('amounts in whole units of a currency that has cents', () => {
  const roundedAnd = (more: number) => {
    const world = listening('sender', 'maker_a');
    const order = world.create('sender', { target_amount: '100.25', source_amount_max: '200.75' });
    world.quote('maker_a', order, '1.3333333');
    world.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    const bent = edited(world, { at: 'order.quotes', nth: 0 }, (quote) => {
      quote['source_amount'] = String(Math.ceil(Number(quote['source_amount'])) + more);
    });
    return outcomes(bent, 'quote.source-amount.agrees-with-rate');
  };

  test('are warned of: the document names no decimals', () => {
    expect(roundedAnd(0)).toContain('warn');
    expect(roundedAnd(0)).not.toContain('fail');
    expect(roundedAnd(2)).toContain('fail');
  });
});

describe('an expired token', () => {
  test('that was not looked at, for the pace of asking', () => {
    const answered = (status: number) =>
      exchanged(wholeLife(), { at: 'order.list', party: 'sender', nth: 1 }, (exchange) => {
        exchange.response = { headers: {}, ...exchange.response, status };
      });
    expect(outcomes(answered(429), 'auth.expired-token-401')).not.toContain('fail');
    expect(outcomes(answered(403), 'auth.expired-token-401')).toContain('fail');
  });
});

test.each([
  ['on a PENDING order', false, true],
  ['that comes after a selection', true, false],
])('a quote %s that is REJECTED from the first', (_, isLate, blames) => {
  const world = listening('sender', 'maker_a', 'maker_b');
  const order = world.create();
  const first = world.quote('maker_a', order, '1');
  if (isLate) world.accept(order, first);
  world.quote('maker_b', order, '1');
  const history = altered(world, (record) =>
    record.kind === 'exchange' && record.endpoint === 'quote.submit' && record.party === 'maker_b'
      ? rejected(record)
      : record,
  );
  expect(outcomes(history, 'quote.state.starts-pending').includes('fail')).toBe(blames);
});

function rejected(record: Exchange): Exchange {
  const body = record.response?.body as { readonly data: object };
  const told = { ...body, data: { ...body.data, status: 'REJECTED' } };
  return { ...record, response: { status: 201, headers: {}, body: told } };
}
