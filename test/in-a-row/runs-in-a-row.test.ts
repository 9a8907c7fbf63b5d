import { expect, test } from 'vitest';
import { codesOf, runInARow, twice } from './runs.ts';

// The first sends values without their form, which this backend keeps and shows to the second.
const lines = ['check --only order.create.malformed-*', 'check --only order.list.complete.sender'];

test('objects that a run left behind are no finding in the next run', async () => {
  const runs = await runInARow('meadow', lines);
  expect(codesOf(runs)).toEqual(lines.map((line) => `0 ${line}`));
});

test('a backend with many old orders gets the verdicts of a new one', async () => {
  const lines = ['check --only order.list.complete.sender --max-wait 10m'];
  const [fresh, old] = [
    await runInARow('citadel', lines),
    await runInARow('citadel', lines, { oldOrders: 1_500 }),
  ].map((runs) => runs.map(({ code, said }) => [code, said.match(/^checks .*$/m)?.[0]]));
  expect(old).toEqual(fresh);
});

test('a strict backend may refuse made-up receivers, and the user is told', async () => {
  const without = ['outsider'];
  const [play] = await runInARow('citadel', ['play trade.yaml'], { without });
  expect(play?.code).toBe(3);
  expect(play?.said).toContain('receiver_party_id had to be made up: declare an institution');
});

test('a strict backend may refuse a repeated --run-id, and the user is told', async () => {
  const [first, again] = await runInARow(
    'citadel',
    twice(['replay order.quotes.empty --run-id mine']),
  );
  expect([first?.code, again?.code]).toEqual([0, 3]);
  expect(again?.said).toContain('a target that has seen this --run-id has orders');
  expect(again?.said).toContain('no order could be created');
});
