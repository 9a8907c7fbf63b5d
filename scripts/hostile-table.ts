/**
 * Every hostile kind through every command, each in a process of its own: what it came to, how long it took, how much
 * memory and output. `npm run build` first. Words choose kinds that have them in their name; `--commands check,play`
 * chooses commands. Fails where anything was not as it must be.
 */
import { hostileKinds } from '../test/hostile/kinds.ts';
import { commandNames, type Row, tryKind } from '../test/hostile/table.ts';

const words = process.argv.slice(2);
const at = words.indexOf('--commands');
const commands = at < 0 ? commandNames : (words.splice(at, 2)[1] ?? '').split(',');
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

let wrong = 0;
for (const kind of kinds) {
  for (const row of await tryKind(kind, commands, (one) => process.stdout.write(`${line(one)}\n`)))
    if (row.wrong.length > 0) wrong += 1;
}
process.stdout.write(`${kinds.length} kinds, ${commands.length} commands, ${wrong} wrong\n`);
process.exitCode = wrong > 0 ? 1 : 0;
