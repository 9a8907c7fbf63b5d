import { expect, it } from 'vitest';
import { collapseRepeats, type WrittenStep } from './collapse-repeats.ts';

const create = (name: string): WrittenStep => ({
  saves: name,
  lines: ['- sender: create order', `  save: ${name}`],
});
const cancel = (name: string): WrittenStep => ({
  lines: ['- sender: cancel order', `  of: "\${${name}.intent_id}"`],
});

it('says once what is done again and again, whatever it is called', () => {
  const rounds = ['order', 'order_2', 'order_3'].flatMap((name) => [create(name), cancel(name)]);
  expect(collapseRepeats([...rounds, { lines: ['- wait: 5s'] }])).toEqual([
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
  expect(collapseRepeats(apart)).toEqual(apart.flatMap(({ lines }) => lines));
  const two = [create('order'), create('order_2')];
  expect(collapseRepeats(two)).toEqual(two.flatMap(({ lines }) => lines));
});

it('takes a long flow with long texts apart once', () => {
  const memo = 'x'.repeat(20_000);
  const rounds = Array.from({ length: 300 }, (_, n): WrittenStep[] => {
    const name = `order_${n}`;
    const lines = ['- sender: create order', `  with: { memo: ${memo} }`, `  save: ${name}`];
    return [{ saves: name, lines }, cancel(name)];
  }).flat();
  expect(
    collapseRepeats([...rounds, cancel('order_150')]).filter((line) => line[0] === '-'),
  ).toEqual([
    '- repeat: 150',
    '- sender: create order',
    '- sender: cancel order',
    '- repeat: 149',
    '- sender: cancel order',
  ]);
});
