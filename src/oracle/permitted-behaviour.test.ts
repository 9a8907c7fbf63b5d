import { describe, expect, test } from 'vitest';
import type { Exchange, History, HistoryRecord } from '../history/records.ts';
import {
  altered,
  edited,
  fullTrade,
  issued,
  listening,
  outcomes,
  violations,
  withExchanges,
} from '../../test/support/oracle/findings-and-edits.ts';
import { acceptanceFields } from '../spec/requirements/index.ts';
import { frame } from '../../test/support/records.ts';
import { variations } from '../../test/support/oracle/permitted-variations.ts';
import type { FakeTarget } from '../../test/support/oracle/fake-target.ts';

interface Listed {
  readonly data?: readonly Readonly<Record<string, unknown>>[];
  readonly pagination?: object;
}

describe('what the document leaves open is not held against a target', () => {
  test.each(variations)('%s', (_, vary) => {
    expect(violations(vary(fullTrade()))).toEqual([]);
  });

  test.each(['offset', 'skip', 'start'])('pages that %s asks for by items to leave out', (name) => {
    const fake = listening('sender');
    for (let n = 0; n < 3; n += 1) fake.create();
    fake.list('sender', 'order.list', { size: 1 });
    const history = altered(fake, (record) => {
      if (record.kind !== 'exchange' || record.query['page'] === undefined) return record;
      return { ...record, query: { [name]: String(Number(record.query['page']) - 1) } };
    });
    const answers = (gap: string) => (gap === 'list.page_param' ? name : undefined);
    expect(outcomes(history, 'pagination.page.as-asked', { answers })).not.toContain('fail');
  });

  test('a rate the other way round throughout', () => {
    const fake = listening('sender', 'maker_a');
    const order = fake.create();
    fake.quote('maker_a', order, '1.25');
    fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    // 100.00 at 1.25 source units per target unit.
    const turned = (history: History, at: 'order.quotes' | 'quote_received') =>
      edited(history, { at }, (quote) => (quote['source_amount'] = '125.00'));
    expect(violations(fake)).toEqual([]);
    expect(violations(turned(turned(fake, 'order.quotes'), 'quote_received'))).toEqual([]);
  });

  test.each([0, 1])('a quote that takes the place of the first and keeps its id', (listings) => {
    const fake = listening('sender', 'sender_custodian', 'maker_a');
    const order = fake.create();
    const params = { intent_id: order.intent_id };
    const first = fake.quote('maker_a', order, '0.85');
    for (let n = 0; n < listings; n += 1) fake.list('sender', 'order.quotes', { params });
    const second = fake.quote('maker_a', order, '0.8');
    const since = fake.records.length;
    fake.list('sender', 'order.quotes', { params });
    fake.list('maker_a', 'quote.list');
    fake.accept(order, second);
    fake.advance(10_000);
    fake.read('sender', order);
    fake.list('maker_a', 'settlement.list');
    const records = fake.records.map((record, place) => {
      const body = record.kind === 'exchange' ? (record.response?.body as Listed) : undefined;
      if (place < since || !Array.isArray(body?.data)) return record;
      const data = body.data.filter((item) => item['quote_id'] !== first.quote_id);
      const pagination = { ...body.pagination, total_items: data.length };
      const { response } = record as Exchange;
      return { ...record, response: { ...response, body: { ...body, data, pagination } } };
    });
    const text = JSON.stringify(records).replaceAll(second.quote_id, first.quote_id);
    expect(violations({ records: JSON.parse(text) as HistoryRecord[] })).toEqual([]);
  });

  test('an update when an order is created', () => {
    const fake = listening('sender');
    const order = fake.create();
    const opened = fake.records.find((one) => one.kind === 'exchange' && one.opensStream);
    const data = { intent_id: order.intent_id, status: 'PENDING' };
    const stream = (opened as Exchange).id;
    fake.records.push(frame({ stream, at: fake.now, event: 'order_updated', data }));
    expect(violations(fake)).toEqual([]);
  });
});

describe('what lies across a boundary is not decided', () => {
  const expiring = (afterExpiry: number): FakeTarget => {
    const fake = issued('sender');
    const order = fake.create();
    fake.advance(60_000 + afterExpiry);
    fake.read('sender', order);
    return fake;
  };
  const stillPending = (fake: FakeTarget): History =>
    edited(fake, { at: 'order.read' }, (order) => {
      order['status'] = 'PENDING';
      delete order['failure_reason'];
    });

  test('an order that is PENDING a second after its deadline', () => {
    const history = stillPending(expiring(1_000));
    expect(violations(history)).toEqual([]);
    expect(outcomes(history, 'order.state.pending-to-expired')).toEqual(['inconclusive']);
  });

  test('but not ten seconds after it', () => {
    const history = stillPending(expiring(10_000));
    expect(outcomes(history, 'order.state.pending-to-expired')).toEqual(['fail']);
  });

  test('an order that is EXPIRED while the clock of the target may be that far ahead', () => {
    const fake = expiring(-500);
    const history = edited(fake, { at: 'order.read' }, (order) => {
      order['status'] = 'EXPIRED';
    });
    const early = 'order.state.pending-to-expired.not-early';
    expect(outcomes(history, early, { offset: { least: 0, most: 900 } })).not.toContain('fail');
    expect(outcomes(history, early, { offset: { least: 0, most: 100 } })).toContain('fail');
  });

  test('a read that overlaps the acceptance', () => {
    const fake = listening('sender', 'maker_a');
    const order = fake.create();
    const quote = fake.quote('maker_a', order);
    const before = fake.records.length;
    fake.read('sender', order);
    fake.accept(order, quote);
    const history = altered(fake, (record) => {
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
    expect(violations({ records: late })).toEqual([]);
  });

  test('an acceptance that is repeated and answered as it was at first', () => {
    const fake = listening('sender', 'maker_a');
    const order = fake.create();
    fake.accept(order, fake.quote('maker_a', order));
    const first = fake.records.find(
      (record) => record.kind === 'exchange' && record.endpoint === 'quote.accept',
    ) as Exchange & { readonly response: { readonly body: { readonly data: unknown } } };
    const { data } = first.response.body;
    fake.advance(6_000);
    fake.read('sender', order);
    fake.item('sender', 'quote.accept', () => data, { params: first.params });
    expect(violations(fake)).toEqual([]);
    // Of a read the same would be a step back.
    fake.item('sender', 'order.read', () => data, { params: first.params });
    expect(violations(fake)).not.toEqual([]);
  });

  test('a custodian whose backend is a second behind', () => {
    const fake = listening('sender', 'maker_a');
    const order = fake.create();
    const quote = fake.quote('maker_a', order);
    fake.token('sender_custodian');
    fake.accept(order, quote);
    fake.advance(300);
    fake.read('sender_custodian', order);
    const behind = edited(fake, { at: 'order.read' }, (shown) => {
      shown['status'] = 'PENDING';
      for (const field of acceptanceFields) delete shown[field];
    });
    expect(violations(behind)).toEqual([]);
  });

  test('a list from which an item may have moved meanwhile', () => {
    const fake = listening('sender');
    for (let n = 0; n < 3; n += 1) fake.create();
    const [first, second] = fake.list('sender', 'order.list', { size: 2 });
    const created = fake.create();
    const records = fake.records.filter((record) => record !== first && record !== second);
    expect(created.status).toBe('PENDING');
    const moved = {
      records: [...records.slice(0, -1), first, ...records.slice(-1), second] as HistoryRecord[],
    };
    expect(outcomes(moved, 'list.pages-complete')).not.toContain('fail');
  });
});

describe('a rate that is sometimes the other way round', () => {
  test('is warned of', () => {
    const fake = listening('sender', 'maker_a', 'maker_b');
    for (const rate of ['1.25', '0.8', '0.9']) {
      const order = fake.create();
      fake.quote('maker_a', order, rate);
      fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    }
    const mixed = edited(fake, { at: 'order.quotes', nth: 0 }, (quote) => {
      quote['source_amount'] = '125.00';
    });
    expect(outcomes(mixed, 'quote.source-amount.agrees-with-rate')).toContain('warn');
  });
});

describe('amounts in whole units of a currency that has cents', () => {
  const roundedAnd = (more: number, currency: object = {}) => {
    const fake = listening('sender', 'maker_a');
    const amounts = { target_amount: '100.25', source_amount_max: '200.75' };
    const order = fake.create('sender', { ...amounts, ...currency });
    fake.quote('maker_a', order, '1.3333333');
    fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    const bent = edited(fake, { at: 'order.quotes', nth: 0 }, (quote) => {
      quote['source_amount'] = String(Math.ceil(Number(quote['source_amount'])) + more);
    });
    return outcomes(bent, 'quote.source-amount.agrees-with-rate');
  };

  test('are warned of: the document names no decimals', () => {
    expect(roundedAnd(0)).toContain('warn');
    expect(roundedAnd(0)).not.toContain('fail');
    expect(roundedAnd(2)).toContain('fail');
  });

  test('are right where the currency has none, whatever an order in it asked for', () => {
    expect(roundedAnd(0, { source_currency: 'JPY' })).not.toContain('warn');
  });
});

describe('an expired token', () => {
  test('that was not looked at, for the pace of asking', () => {
    const answered = (status: number) =>
      withExchanges(fullTrade(), { at: 'order.list', party: 'sender', nth: 1 }, (exchange) => {
        exchange.response = { headers: {}, ...exchange.response, status };
      });
    expect(outcomes(answered(429), 'auth.expired-token-401')).not.toContain('fail');
    expect(outcomes(answered(403), 'auth.expired-token-401')).toContain('fail');
  });
});

test.each([
  ['on a PENDING order', false, true],
  ['that comes after a selection', true, false],
])('a quote %s that is REJECTED from the first', (_, isDeliveredLate, fails) => {
  const fake = listening('sender', 'maker_a', 'maker_b');
  const order = fake.create();
  const first = fake.quote('maker_a', order, '1');
  if (isDeliveredLate) fake.accept(order, first);
  fake.quote('maker_b', order, '1');
  const history = altered(fake, (record) =>
    record.kind === 'exchange' && record.endpoint === 'quote.submit' && record.party === 'maker_b'
      ? rejected(record)
      : record,
  );
  expect(outcomes(history, 'quote.state.starts-pending').includes('fail')).toBe(fails);
});

function rejected(record: Exchange): Exchange {
  const body = record.response?.body as { readonly data: object };
  const told = { ...body, data: { ...body.data, status: 'REJECTED' } };
  return { ...record, response: { status: 201, headers: {}, body: told } };
}
