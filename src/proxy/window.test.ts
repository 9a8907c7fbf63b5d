import { expect, it } from 'vitest';
import type { Exchange } from '../history/records.ts';
import { exchange as made } from '../../test/support/records.ts';
import { createWindow } from './window.ts';

const exchange = (id: string, more: Partial<Exchange> = {}): Exchange =>
  made({ id, by: 'proxy', ...more });
const of = { by: 'proxy', party: 'sender', role: 'institution' } as const;

it('drops its older half, except records that later ones rest on', () => {
  const window = createWindow({ records: 8, bytes: 1_000 });
  window.exchange(exchange('old token', { endpoint: 'token.create' }));
  window.exchange(exchange('token', { endpoint: 'token.create' }));
  window.exchange(exchange('open', { opensStream: true }));
  window.exchange(exchange('ended', { opensStream: true }));
  window.end({ by: 'proxy', party: 'sender', stream: 'ended', at: 3, cause: 'target' });
  window.exchange(exchange('a', { precededBy: 5 }));
  window.exchange(exchange('b', { precededBy: 2 }));
  const mark = window.mark();
  expect(window.isFull()).toBe(false);
  window.frame({ ...of, stream: 'open', received: 4, event: 'heartbeat' });
  expect(window.isFull()).toBe(true);
  window.shorten();
  const kept = window.records.map((one) => (one.kind === 'end' ? one.stream : one.id));
  expect(kept).toEqual(['token', 'open', 'ended', 'a', 'b', 'proxy#1']);
  // A request that is still under way keeps its place, too: the frame came after it.
  expect(mark.before).toBe(5);
  // Of the five before `a` three are left, of the two before `b` one.
  expect(window.records.map((one) => one.kind === 'exchange' && one.precededBy)).toEqual([
    undefined,
    undefined,
    false,
    3,
    1,
    false,
  ]);
});

it('is also full by the size of its records', () => {
  const window = createWindow({ records: 1_000, bytes: 1_000 });
  window.exchange(exchange('a'));
  window.weigh(600);
  window.exchange(exchange('b'));
  window.weigh(600);
  expect(window.isFull()).toBe(true);
  window.shorten();
  expect(window.isFull()).toBe(false);
});

const order = (id: string, endpoint: 'order.create' | 'order.read' | 'order.cancel') =>
  exchange(`${endpoint} ${id}`, {
    endpoint,
    ...(endpoint !== 'order.create' && { params: { intent_id: id } }),
    response: { status: 200, headers: {}, body: { data: { intent_id: id.toUpperCase() } } },
  });

it('keeps earlier records of the orders of later ones, except of long lives', () => {
  const window = createWindow({ records: 12, bytes: 1_000 });
  const known = (id: string) => window.exchange(order(id, 'order.read'));
  window.exchange(order('ended', 'order.create'));
  for (let times = 0; times < 3; times += 1) known('long');
  window.frame({
    ...of,
    stream: 's',
    received: 2,
    event: 'order_updated',
    data: { intent_id: 'a' },
  });
  window.exchange(order('a', 'order.create'));
  window.exchange(order('a', 'order.cancel'));
  for (let times = 0; times < 4; times += 1) known('long');
  known('a');
  window.shorten();
  const kept = window.records.map((one) => (one.kind === 'end' ? one.stream : one.id));
  expect(kept).toEqual([
    'proxy#1',
    'order.create a',
    'order.cancel a',
    ...Array.from({ length: 4 }, () => 'order.read long'),
    'order.read a',
  ]);
});
