import { expect, it } from 'vitest';
import { foldedLines, type WrittenStep } from './fold.ts';

const create = (name: string): WrittenStep => ({
  saves: name,
  lines: ['- sender: create order', `  save: ${name}`],
});
const cancel = (name: string): WrittenStep => ({
  lines: ['- sender: cancel order', `  of: "\${${name}.intent_id}"`],
});

it('says once what is done again and again, whatever it is called', () => {
  const rounds = ['order', 'order_2', 'order_3'].flatMap((name) => [create(name), cancel(name)]);
  expect(foldedLines([...rounds, { lines: ['- wait: 5s'] }])).toEqual([
    '- repeat: 3',
    '  steps:',
    '    - sender: create order',
    '      save: order',
    '    - sender: cancel order',
    '      of: "${order.intent_id}"',
    '- wait: 5s',
  ]);
});

it('leaves what is used later where it can be seen, and what would not be shorter', () => {
  const apart = [create('order'), create('order_2'), cancel('order_2')];
  expect(foldedLines(apart)).toEqual(apart.flatMap(({ lines }) => lines));
  const two = [create('order'), create('order_2')];
  expect(foldedLines(two)).toEqual(two.flatMap(({ lines }) => lines));
});
