import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deadlines } from './deadline-heap.ts';

test('hands deadlines out by moment, those of one moment in their order, without the removed ones', () => {
  const added = fc.record({ instant: fc.integer({ min: 0, max: 20 }), removed: fc.boolean() });
  fc.assert(
    fc.property(fc.array(added, { maxLength: 200 }), (items) => {
      const due = deadlines();
      const entries = items.map(({ instant }) => due.add(instant, () => {}));
      items.forEach(({ removed }, index) => {
        const entry = entries[index];
        if (removed && entry) due.remove(entry);
      });
      const expected = entries
        .filter((_, index) => !items[index]?.removed)
        .sort((a, b) => a.instant - b.instant);
      expect(due.size).toBe(expected.length);
      const taken = [];
      for (let next = due.take(); next; next = due.take()) taken.push(next);
      expect(taken).toEqual(expected);
    }),
  );
});

test('removing twice takes nothing else out', () => {
  const due = deadlines();
  const first = due.add(1, () => {});
  due.add(2, () => {});
  due.remove(first);
  due.remove(first);
  expect(due.size).toBe(1);
});
