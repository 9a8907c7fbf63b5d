import { expect, it } from 'vitest';
import { collapseRepeats, type WrittenStep } from './collapse-repeats.ts';

const create = (name: string): WrittenStep => ({ sender: 'create order', save: name });
const cancel = (name: string): WrittenStep => ({
  sender: 'cancel order',
  of: `\${${name}.intent_id}`,
});

it('writes repeated steps once, whatever their names', () => {
  const rounds = ['order', 'order_2', 'order_3'].flatMap((name) => [create(name), cancel(name)]);
  const wait = { wait: '5s' };
  expect(collapseRepeats([...rounds, wait])).toEqual([
    { repeat: 3, steps: [create('order'), cancel('order')] },
    wait,
  ]);
});

it('keeps steps that later ones use, and those that would not get shorter', () => {
  const apart = [create('order'), create('order_2'), cancel('order_2')];
  expect(collapseRepeats(apart)).toEqual(apart);
  const two = [create('order'), create('order_2')];
  expect(collapseRepeats(two)).toEqual(two);
});

it('collapses a long flow with long texts in one pass', () => {
  const memo = 'x'.repeat(20_000);
  const rounds = Array.from({ length: 300 }, (_, n): WrittenStep[] => {
    const name = `order_${n}`;
    return [{ ...create(name), with: { memo } }, cancel(name)];
  }).flat();
  const collapsed = collapseRepeats([...rounds, cancel('order_150')]);
  expect(collapsed.map((step) => step['repeat'] ?? step['sender'])).toEqual([
    150,
    'create order',
    'cancel order',
    149,
    'cancel order',
  ]);
});
