import { expect, it } from 'vitest';
import type { Exchange } from '../history/records.ts';
import { createWindow } from './window.ts';

const exchange = (id: string, more: Partial<Exchange> = {}): Omit<Exchange, 'kind'> => ({
  id,
  by: 'proxy',
  party: 'sender',
  role: 'institution',
  sent: 1,
  received: 2,
  params: {},
  query: {},
  auth: 'own',
  request: { method: 'GET', path: '/', headers: {} },
  response: { status: 200, headers: {} },
  ...more,
});
const of = { by: 'proxy', party: 'sender', role: 'institution' } as const;

it('lets go of its older half, but for what later records rest on', () => {
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

it('is full by the size of what came, too', () => {
  const window = createWindow({ records: 1_000, bytes: 1_000 });
  window.exchange(exchange('a'));
  window.weigh(600);
  window.exchange(exchange('b'));
  window.weigh(600);
  expect(window.isFull()).toBe(true);
  window.shorten();
  expect(window.isFull()).toBe(false);
});
