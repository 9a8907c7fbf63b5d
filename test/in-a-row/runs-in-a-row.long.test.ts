import { expect, test } from 'vitest';
import { backends, commands, runInARow } from './runs.ts';

/** Three full runs, ten in part and five replays on one process. */
const lines: readonly string[] = [
  'check',
  'check',
  'check',
  ...['order.life.*', 'order.cancel.*', 'quote.*', 'list.*', 'access.*'].flatMap((only) => [
    `check --only ${only}`,
    `check --only ${only}`,
  ]),
  ...Array.from({ length: 5 }, () => 'replay order.quotes.empty'),
];

test.each(backends)('on %s, no run accuses it because of the runs before', async (name) => {
  const runs = await runInARow(name, lines);
  expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
});

test.each(backends)('on %s, each command comes to the same twice', async (name) => {
  const runs = await runInARow(name, [...commands, ...commands]);
  expect(runs.filter(({ code }) => code === 1)).toEqual([]);
  const codes = runs.map(({ code }) => code);
  expect(codes.slice(commands.length)).toEqual(codes.slice(0, commands.length));
});

test.each(backends)('on %s with 100,000 old orders, as much is judged', async (name) => {
  const some = ['check --only order.list.* --max-wait 10m'];
  const judged = async (oldOrders: number) =>
    (await runInARow(name, some, oldOrders)).map(({ code, said }) => [
      code,
      said.match(/^checks .*$/m)?.[0],
    ]);
  expect(await judged(100_000)).toEqual(await judged(0));
});
