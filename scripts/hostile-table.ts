/**
 * Hostile kinds through every command, each in a process of its own: what it came to, how long it took, how much memory
 * and output. `npm run build` first. Words choose kinds that have them in their name, `--commands check,play` chooses
 * commands, `--lanes 4` tries so many kinds side by side. Fails where anything was not as it must be.
 */
import { parseArgs } from 'node:util';
import { hostileKinds } from '../test/hostile/kinds.ts';
import { commandNames, type Row, tryKind } from '../test/hostile/table.ts';

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    commands: { type: 'string', default: commandNames.join() },
    lanes: { type: 'string', default: '1' },
  },
});
const commands = values.commands.split(',');
const kinds = Object.keys(hostileKinds).filter(
  (kind) => words.length === 0 || words.some((word) => kind.includes(word)),
);

const line = ({ kind, command, code, seconds, megabytes, output, wrong }: Row): string =>
  [
    command.padEnd(8),
    `exit ${code}`,
    `${seconds.toFixed(1).padStart(6)} s`,
    `${megabytes.toFixed(0).padStart(5)} MB`,
    `${(output / 1e6).toFixed(1).padStart(6)} MB written`,
    wrong.length > 0 ? `${kind}: WRONG: ${wrong.join('; ')}` : kind,
  ].join('  ');

const left = [...kinds];
let wrong = 0;
async function lane(): Promise<void> {
  for (let kind = left.shift(); kind !== undefined; kind = left.shift()) {
    await tryKind(kind, commands, (row) => {
      if (row.wrong.length > 0) wrong += 1;
      process.stdout.write(`${line(row)}\n`);
    });
  }
}
await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
process.stdout.write(`${kinds.length} kinds, ${commands.length} commands, ${wrong} wrong\n`);
process.exitCode = wrong > 0 ? 1 : 0;
