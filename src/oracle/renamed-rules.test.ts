import { expect, it } from 'vitest';
import { allRules } from './index.ts';
import { ruleSuccessors, splitRules } from './renamed-rules.ts';

it.each(splitRules)('%s was split into rules that there are', (id) => {
  const known = new Set(allRules.map((rule) => rule.id));
  const next = ruleSuccessors(id);
  expect(next.length).toBeGreaterThan(0);
  expect(next.filter((one) => !known.has(one))).toEqual([]);
});

it.each([
  ['list.completeness', 'list.completeness.orders'],
  ['access.own-side', 'reads.due'],
  ['order.cancels', 'order.cancels-too-late'],
])('what %s judged is judged by %s', (was, is) => {
  expect(ruleSuccessors(was)).toContain(is);
});

it('no other id has successors, whatever it is', () => {
  expect([ruleSuccessors('order.states'), ruleSuccessors('constructor')]).toEqual([[], []]);
});
