/**
 * `npm run in-a-row [-- citadel|meadow]`: three full runs, ten partial ones and five replays, then each command twice, then
 * a full run beside 100,000 old orders, on one process of a correct backend each. Prints how each run ended. Takes half an hour.
 */
import { backends, commands, runInARow, twice } from '../test/in-a-row/runs.ts';

const parts = ['order.life.*', 'order.cancel.*', 'quote.*', 'list.*', 'access.*'];
const inARow: readonly string[] = [
  ...Array.from({ length: 3 }, () => 'check'),
  ...twice(parts.map((only) => `check --only ${only}`)),
  ...Array.from({ length: 5 }, () => 'replay order.quotes.empty'),
];

const [wanted] = process.argv.slice(2);
let accused = 0;
for (const name of backends) {
  if (wanted !== undefined && wanted !== name) continue;
  for (const [lines, oldOrders] of [
    [inARow, 0],
    [twice(commands), 0],
    [['check'], 100_000],
  ] as const) {
    for (const { line, code, said, seconds } of await runInARow(name, lines, { oldOrders })) {
      const judged = said.match(/^requirements .*$/m)?.[0] ?? '';
      console.log(
        `${name} ${oldOrders} old: exit ${code}  ${line}  ${seconds.toFixed(1)} s  ${judged}`,
      );
      accused += code === 1 ? 1 : 0;
    }
  }
}
console.log(`${accused} runs accused a correct backend`);
process.exitCode = accused === 0 ? 0 : 1;
