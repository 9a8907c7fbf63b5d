/**
 * `npm run in-a-row [-- citadel|meadow]`: three full runs, ten partial ones and five replays, then each command twice, then
 * lists beside 100,000 old orders, on one process of a correct backend each. Prints how each run ended. Takes an hour.
 */
import { backends, commands, runInARow } from '../test/in-a-row/runs.ts';

const full: readonly string[] = [
  'check',
  'check',
  'check',
  ...['order.life.*', 'order.cancel.*', 'quote.*', 'list.*', 'access.*'].flatMap((only) => [
    `check --only ${only}`,
    `check --only ${only}`,
  ]),
  ...Array.from({ length: 5 }, () => 'replay order.quotes.empty'),
];
const some = ['check --only order.list.* --max-wait 10m'];

const [wanted] = process.argv.slice(2);
let accused = 0;
for (const name of backends) {
  if (wanted !== undefined && wanted !== name) continue;
  for (const [lines, oldOrders] of [
    [full, 0],
    [[...commands, ...commands], 0],
    [some, 0],
    [some, 100_000],
  ] as const) {
    const started = performance.now();
    const runs = await runInARow(name, lines, oldOrders);
    for (const { line, code } of runs)
      console.log(`${name} ${oldOrders} old: exit ${code}  ${line}`);
    accused += runs.filter(({ code }) => code === 1).length;
    console.log(
      `${name} ${oldOrders} old: ${((performance.now() - started) / 1_000).toFixed(1)} s`,
    );
  }
}
console.log(`${accused} runs accused a correct backend`);
process.exitCode = accused === 0 ? 0 : 1;
