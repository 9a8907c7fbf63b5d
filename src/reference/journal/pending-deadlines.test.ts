import { expect, it } from 'vitest';
import { PendingDeadlines } from './pending-deadlines.ts';

const at = (moment: number, intentId: string) =>
  ({ at: moment, kind: 'order-expiry', intentId }) as const;

it('lists by moment, and in insertion order within a moment', () => {
  const pending = new PendingDeadlines();
  for (const deadline of [at(2, 'a'), at(1, 'b'), at(2, 'c'), at(1, 'd')]) pending.add(deadline);
  pending.remove(at(1, 'b'));
  pending.remove(at(9, 'none'));
  expect(pending.list()).toEqual([at(1, 'd'), at(2, 'a'), at(2, 'c')]);
});

it('rolls back uncommitted changes, in the old order', () => {
  const pending = new PendingDeadlines();
  for (const deadline of [at(1, 'a'), at(1, 'b'), at(1, 'b')]) pending.add(deadline);
  pending.keep(pending.changes);
  pending.remove(at(1, 'a'));
  pending.keep(0);
  pending.add(at(0, 'c'));
  pending.remove(at(1, 'b'));
  pending.rollBack();
  expect(pending.list()).toEqual([at(1, 'a'), at(1, 'b'), at(1, 'b')]);
  expect(pending.changes).toBe(0);
});
