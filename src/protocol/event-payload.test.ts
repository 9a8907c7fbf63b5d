import { expect, test } from 'vitest';
import { payloadOf } from './event-payload.ts';

const pending = { intent_id: 'a', status: 'PENDING' };
const quoted = { intent_id: 'a', status: 'QUOTED' };

test.each([
  ['is the payload', { ...quoted, previous: pending }],
  ['is wrapped', { order: quoted }],
  ['is wrapped beside what was before', { previous: pending, order: quoted }],
  ['is wrapped twice', { data: { before: pending, after: quoted } }],
])('what an event is about %s', (_, data) => {
  expect(payloadOf({ event: 'order_updated', data })?.['status']).toBe('QUOTED');
});
