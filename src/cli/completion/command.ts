import { suggestion } from '../../yaml/index.ts';
import { type CommandInput, type CommandSpec, usageFailure } from '../command.ts';
import type { ExitCode } from '../terminal.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { zshCompletion } from './zsh.ts';

const shells: ReadonlyMap<string, (commands: readonly CommandSpec[]) => string> = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);

/** Prints a script by which a shell completes command lines of assay. */
export function completion(
  { terminal, words }: CommandInput,
  commands: readonly CommandSpec[],
): ExitCode {
  const [name = ''] = words;
  const script = shells.get(name);
  if (!script) {
    const known = [...shells.keys()];
    const next = suggestion(name, known) ?? `one of ${known.join(', ')}`;
    throw usageFailure(`there is no completion for ${JSON.stringify(name)}`, next);
  }
  terminal.out(script(commands).trimEnd());
  return 0;
}
