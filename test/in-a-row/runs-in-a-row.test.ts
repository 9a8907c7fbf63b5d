import { expect, test } from 'vitest';
import { codesOf, runInARow, twice } from './runs.ts';

// The first sends values without their form, which this backend keeps and shows to the second.
const lines = ['check --only order.create.malformed-*', 'check --only order.list.complete.sender'];

test('what a run has left is held against nobody by the next', async () => {
  const runs = await runInARow('meadow', lines);
  expect(codesOf(runs)).toEqual(lines.map((line) => `0 ${line}`));
});

test('an old backend is judged as a new one', async () => {
  const lines = ['check --only order.list.complete.sender --max-wait 10m'];
  const [fresh, old] = [
    await runInARow('citadel', lines),
    await runInARow('citadel', lines, { oldOrders: 1_500 }),
  ].map((runs) => runs.map(({ code, said }) => [code, said.match(/^checks .*$/m)?.[0]]));
  expect(old).toEqual(fresh);
});

test('a made-up receiver that a strict backend refuses is held against nobody, and a person is told', async () => {
  const without = ['outsider'];
  const [play] = await runInARow('citadel', ['play trade.yaml'], { without });
  expect(play?.code).toBe(3);
  expect(play?.said).toContain('receiver_party_id had to be made up: declare an institution');
});

test('a run id that is given again is refused by who takes a contract once: nobody is blamed, and a person was told', async () => {
  const [first, again] = await runInARow(
    'citadel',
    twice(['replay order.quotes.empty --run-id mine']),
  );
  expect([first?.code, again?.code]).toEqual([0, 3]);
  expect(again?.said).toContain('a target that has seen this --run-id has orders');
  expect(again?.said).toContain('no order could be created');
});
