import { expect, it } from 'vitest';
import { exchangeOf, frameOf } from '../history/record-shapes.ts';
import type { HistoryRecord } from '../history/records.ts';
import { momentFinder } from './moments.ts';

const start = Date.parse('2026-01-01T12:00:00.000Z');

const exchange = (id: string, atMs: number, world?: string): HistoryRecord =>
  exchangeOf({
    id,
    ...(world !== undefined && { world }),
    by: 'order.flow',
    party: 'sender',
    role: 'institution',
    sent: start + atMs,
    received: start + atMs + 30,
    params: {},
    query: {},
    auth: 'own',
    request: { method: 'GET', path: '/api/v1/orders', headers: {} },
  });
const frame = (id: string, atMs: number): HistoryRecord =>
  frameOf(
    {
      stream: 'one',
      by: 'order.flow',
      party: 'sender',
      role: 'institution',
      received: start + atMs,
      event: 'order_updated',
    },
    id,
  );

const records = [exchange('one', 0), exchange('two', 250), frame('told', 41_250)];
const failed = { outcome: 'fail', message: 'It was wrong.' } as const;

it('is when the last record of the evidence was sent or received', () => {
  const momentOf = momentFinder({ records });
  expect(momentOf({ ...failed, exchanges: ['told', 'two'] })).toEqual({
    at: '2026-01-01T12:00:00.250Z',
    after_ms: 250,
    by: 'order.flow',
  });
  expect(momentOf({ ...failed, exchanges: ['two', 'told', ''] })).toEqual({
    at: '2026-01-01T12:00:41.250Z',
    after_ms: 41_250,
    by: 'order.flow',
  });
});

it('is that of the earliest failure, even if it was left out', () => {
  const momentOf = momentFinder({ records });
  expect(momentOf({ ...failed, exchanges: ['told'], shownBy: ['told', 'two'] })?.after_ms).toBe(
    250,
  );
});

it('names the time since a restart that came before it', () => {
  const momentOf = momentFinder({ records }, 0, [start + 200, start + 50_000]);
  expect(momentOf({ ...failed, exchanges: ['two'] })?.after_restart_ms).toBe(50);
  expect(momentOf({ ...failed, exchanges: ['one'] })).not.toHaveProperty('after_restart_ms');
});

it('is on the clock of the target', () => {
  expect(momentFinder({ records }, -300)({ ...failed, exchanges: ['two'] })).toEqual({
    at: '2026-01-01T11:59:59.950Z',
    after_ms: 250,
    by: 'order.flow',
  });
});

it('counts from the beginning of its own world', () => {
  const inWorlds = [exchange('a', 0, 'world 1'), exchange('b', 500, 'world 2')];
  const later = exchange('c', 1_500, 'world 2');
  const momentOf = momentFinder({ records: [...inWorlds, later] });
  expect(momentOf({ ...failed, exchanges: ['c'] })?.after_ms).toBe(1_000);
});

it('is not known without evidence in the history', () => {
  expect(momentFinder(undefined)({ ...failed, exchanges: ['two'] })).toBeUndefined();
  expect(momentFinder({ records })({ ...failed, exchanges: [] })).toBeUndefined();
  expect(momentFinder({ records })({ ...failed, exchanges: ['cut'] })).toBeUndefined();
});
