import { describe, expect, test } from 'vitest';
import type { History, HistoryRecord } from '../../history/records.ts';
import type { OracleContext } from './history-view.ts';
import {
  altered,
  context,
  type FakeTarget,
  fullTrade,
  outcomes,
  violations,
} from '../../../test/support/oracle/findings-and-edits.ts';

type Json = Record<string, unknown>;

const life = fullTrade();

const isWrite = (record: HistoryRecord): boolean =>
  record.kind === 'exchange' &&
  record.request.method === 'POST' &&
  record.endpoint !== 'token.create';

/** History of a run that only reads orders and quotes which others made before it. */
const afterOthers = ({ records }: Pick<FakeTarget, 'records'> | History): History => ({
  records: records.filter((record) => !isWrite(record)),
});

/** Every object that names an order, changed. */
function withOrders(history: History, change: (order: Json) => void): History {
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('intent_id' in value) change(value as Json);
    for (const inner of Object.values(value)) visit(inner);
  };
  return altered(history, (record) => {
    if (record.kind === 'exchange') visit(record.response?.body);
    if (record.kind === 'frame') visit(record.data);
    return record;
  });
}

const failed = (history: History, more: Partial<OracleContext> = {}): readonly string[] => [
  ...new Set(violations(history, more).map(({ requirement }) => requirement)),
];

const isFailed = (history: History, requirement: string): boolean =>
  outcomes(history, requirement).some((outcome) => outcome === 'fail' || outcome === 'warn');

const setWhere =
  (name: string, value: unknown, isIt: (order: Json) => boolean = () => true) =>
  (order: Json): void => {
    if (name in order && isIt(order)) order[name] = value;
  };

describe('orders and quotes from before the run', () => {
  test('is no evidence of anything as it is', () => {
    expect(failed(afterOthers(life))).toEqual([]);
  });

  const formless = {
    receiver_party_id: 'nobody',
    sender_custodian_party_id: 'Receiver::not-hex',
    source_contract_id: 'contract 7',
    intent_signature: 'signed, the sender',
    source_currency: 'pounds sterling',
    target_amount: '1,000.00',
    source_amount_max: 'plenty',
    fx_rate: 'par',
    valid_until: '2030-01-01T00:00:00Z',
    memo: { note: 1 },
  };
  const withFormless = (history: History): History =>
    withOrders(history, (order) => {
      for (const [name, value] of Object.entries(formless)) setWhere(name, value)(order);
    });

  test('is not held to the forms of what a client sent', () => {
    expect(failed(withFormless(afterOthers(life)))).toEqual([]);
    // The same on orders that this run created as it should.
    const own = failed(withFormless(life)).join('\n');
    for (const name of Object.keys(formless)) expect(own).toContain(name.replaceAll('_', '-'));
  });

  test.each([
    ['settled_at', '2031-01-01T00:00:00.000Z', 'limit.settlement-duration'],
    [
      'status',
      'ACCEPTED',
      'quote.state.one-accepted-per-order',
      (one: Json) => 'valid_until' in one,
    ],
    ['sender_party_id', 'Former::1220ab', 'order.sender-party-id.is-creator'],
    ['market_maker_party_id', 'Former::1220ab', 'order.market-maker-party-id.is-winner'],
    ['source_amount_max', '0.01', 'order.source-amount-actual.at-most-max'],
    ['expires_at', '2000-01-01T00:00:00.000Z', 'rfq.list.expired-order-left'],
    ['intent_signature', 'ab12', 'order.intent-signature.echo'],
    ['source_currency', 'XAU', 'order.source-currency.echo'],
    ['status', 'SETTLED', 'order.state.starts-pending', (one: Json) => 'created_at' in one],
  ])(
    'is not judged by its life: %s %s',
    (name, value, requirement, isIt?: (one: Json) => boolean) => {
      const change = setWhere(name, value, isIt);
      expect(isFailed(withOrders(life, change), requirement)).toBe(true);
      expect(isFailed(withOrders(afterOthers(life), change), requirement)).toBe(false);
    },
  );

  test.each([
    ['an id that is no UUID', 'intent_id', 'order-7', 'convention.ids-are-uuids'],
    [
      'a moment without milliseconds',
      'created_at',
      '2030-01-01T00:00:00Z',
      'convention.timestamps',
    ],
    [
      'an amount that the service worked out, as a number',
      'source_amount',
      12,
      'convention.amounts-as-strings',
    ],
    ['a status that is none', 'status', 'OPEN', 'order.status.form'],
    ['no moment of creation', 'created_at', null, 'order.created-at.present'],
  ])('shows the form of what the service assigns: %s', (_, name, value, requirement) => {
    const shown = withOrders(afterOthers(life), setWhere(name, value));
    expect(isFailed(shown, requirement)).toBe(true);
  });
});

describe('actions of others during the run', () => {
  const intentOf = (record: HistoryRecord): unknown => {
    if (record.kind !== 'exchange') return undefined;
    const body = record.response?.body as { data?: Json } | undefined;
    return record.params.intent_id ?? body?.data?.['intent_id'];
  };
  const intents = [
    ...new Set(life.records.filter(isWrite).flatMap((record) => intentOf(record) ?? [])),
  ];

  /** Places among the records are others without some of them. */
  const where = (keeps: (record: HistoryRecord) => boolean): History =>
    altered(life, (record) => {
      if (!keeps(record)) return undefined;
      if (record.kind !== 'exchange') return record;
      const { precededBy: _, ...rest } = record;
      return rest;
    });

  test('is no evidence: each order of a history as one of somebody else', () => {
    expect(intents.length).toBeGreaterThan(3);
    for (const intent of intents) {
      const others = where((one) => !isWrite(one) || intentOf(one) !== intent);
      expect(failed(others)).toEqual([]);
    }
  });

  test.each(['maker_a', 'maker_b', 'maker_c'])(
    'is no evidence: %s, where no run knows it',
    (name) => {
      const { [name]: _, ...cast } = context().cast;
      const others = where(({ party }) => party !== name);
      expect(failed(others, { cast })).toEqual([]);
    },
  );
});

test('a malformed creation that was taken fails for its malformed field only', () => {
  const name = 'receiver_party_id';
  const sent = altered(life, (record) => {
    if (record.kind === 'exchange' && record.endpoint === 'order.create') {
      (record.request.body as Json)[name] = 'nobody';
    }
    return record;
  });
  const echoed = withOrders(sent, setWhere(name, 'nobody'));
  expect(failed(echoed).filter((id) => /form|convention/.test(id))).toEqual([]);
  // Another value than was sent is no better for it, and a well-formed field stays what it was.
  const other = withOrders(echoed, setWhere('source_contract_id', 'contract 7'));
  expect(isFailed(other, 'order.source-contract-id.form')).toBe(true);
});

test('an order whose creation had no answer is recognized by the body that was sent', () => {
  const lost = altered(life, (record) => {
    if (record.kind !== 'exchange' || record.endpoint !== 'order.create') return record;
    const { response: _, ...rest } = record;
    return { ...rest, error: { code: 'reset', message: '' } };
  });
  const late = withOrders(lost, setWhere('settled_at', '2031-01-01T00:00:00.000Z'));
  expect(isFailed(late, 'limit.settlement-duration')).toBe(true);
});
